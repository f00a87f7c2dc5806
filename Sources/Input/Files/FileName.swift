import Glibc

/// Stores file names, which may hold any bytes but zero, in strings without loss.
///
/// ``Swift/String/init(fileName:)`` maps each byte that is not valid UTF-8 to one of 128
/// private-use scalars, and ``Swift/String/fileNameBytes`` maps it back. If a name already contains
/// one of these scalars, its bytes are mapped too, so that different names stay different.
enum FileName {
  /// U+10FF80 … U+10FFFF stand for the bytes 0x80 … 0xFF.
  static func scalar(for byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(0x10_FF00 + UInt32(byte)) ?? "\u{FFFD}"
  }

  /// The byte that a scalar stands for; nil for an ordinary scalar.
  static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    scalar.value >= 0x10_FF80 ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  /// Whether text may hold such scalars; their UTF-8 begins with 0xF4.
  static func mayHoldBytes(_ text: String) -> Bool { text.utf8.contains(0xF4) }
}

extension String {
  /// Creates a name from the system's bytes, without a terminating zero.
  package init(fileName bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    if let text = String(validating: bytes, as: UTF8.self), !FileName.mayHoldBytes(text) {
      self = text
      return
    }
    self = ""
    var rest = bytes[...]
    while let first = rest.first {
      if let (scalar, count) = Self.leadingScalar(of: rest) {
        unicodeScalars.append(scalar)
        rest = rest.dropFirst(count)
      } else {
        unicodeScalars.append(FileName.scalar(for: first))
        rest = rest.dropFirst()
      }
    }
  }

  @unsafe
  package init(fileNameAt text: UnsafePointer<CChar>) {
    // The caller guarantees a terminating zero.
    let bytes = unsafe UnsafeBufferPointer(start: text, count: strlen(text))
    self.init(fileName: unsafe bytes.map { UInt8(bitPattern: $0) })
  }

  /// The ordinary scalar at the start, and its length; nil if the bytes start with another.
  private static func leadingScalar(of bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
    for count in 1...4 {
      guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else { continue }
      return text.unicodeScalars.first.flatMap { FileName.byte(of: $0) == nil ? ($0, count) : nil }
    }
    return nil
  }

  /// The name's bytes for system calls, with a terminating zero.
  package var fileNameBytes: [CChar] {
    guard FileName.mayHoldBytes(self) else { return Array(utf8CString) }
    var bytes: [CChar] = []
    for scalar in unicodeScalars {
      if let byte = FileName.byte(of: scalar) {
        bytes.append(CChar(bitPattern: byte))
      } else {
        bytes += UTF8.encode(scalar).map { $0.map { CChar(bitPattern: $0) } } ?? []
      }
    }
    return bytes + [0]
  }

  /// The name for display, with U+FFFD for each byte that is not valid UTF-8.
  package var shownFileName: String {
    guard FileName.mayHoldBytes(self) else { return self }
    let shown = unicodeScalars.map { FileName.byte(of: $0) == nil ? $0 : "\u{FFFD}" }
    return String(String.UnicodeScalarView(shown))
  }
}
