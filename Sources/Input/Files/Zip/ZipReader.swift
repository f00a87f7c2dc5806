import FencepostFormats

/// Reads a zip archive from chunks, entry by entry (PKWARE's APPNOTE).
///
/// It uses the header before each entry, not the directory at the end. Stored and deflated entries
/// are read, others skipped. Memory is bounded by zlib's window, the bytes pushed and the caller's
/// buffer.
package struct ZipReader: ~Copyable {
  /// What the archive has next.
  ///
  /// Each entry begins and ends, unless it is skipped; its contents may come in any number of
  /// pieces.
  package enum Event: Equatable, Sendable {
    /// An entry begins; use its name in messages only, never as a path.
    case entry(name: String)
    /// Contents of the entry, in the caller's buffer.
    case contents
    /// The entry ends, and its checksum matches.
    case end
    /// An entry was skipped because its compression method is not supported.
    case skipped(name: String)
  }

  private enum Stage {
    case signature
    case stored(remaining: Int)
    case deflated
    case skipping(remaining: Int)
    /// The sizes after an entry's data.
    case descriptor
    case endOfEntry
    /// The directory, which ends the archive.
    case directory
  }

  private static var outputBytes: Int { 128 * 1024 }

  private let limits: Gunzip.Limits
  private var pending: [UInt8] = []
  private var position = 0
  private var baseOffset = 0
  private var stage = Stage.signature
  private var header = ZipHeader()
  private var inflater = Inflater(.none)
  private var checksum: UInt32 = 0
  private var inflatedBytes = 0
  private var isFinished = false
  private var entryCount = 0
  private var entryBytes = 0
  /// An error that followed contents already returned; thrown by the next call.
  private var damage: ZipError?
  /// Whether the last step made progress without reading a byte.
  private var hasChanged = false

  package init(limits: Gunzip.Limits = Gunzip.Limits()) { self.limits = limits }

  /// Whether the bytes begin like an archive with entries.
  package static func isZip(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 4 && bytes.extracting(first: 4).equals("PK\u{3}\u{4}")
  }

  /// Adds the next bytes of the archive.
  package mutating func push(_ bytes: Span<UInt8>) {
    // Nothing after the entries matters.
    if case .directory = stage { return }
    if position > 0 {
      pending.removeFirst(position)
      baseOffset += position
      position = 0
    }
    pending.append(contentsOf: bytes)
  }

  /// Ends the archive; an entry that is open then is an error.
  package mutating func finish() { isFinished = true }

  /// Advances to the next event.
  ///
  /// - Parameter output: Receives contents; anything in it is discarded.
  /// - Returns: Nil if more bytes are needed or, after ``finish()``, at the end.
  /// - Throws: ``ZipError``, once everything before the error has been returned.
  package mutating func next(into output: inout [UInt8]) throws(ZipError) -> Event? {
    output.removeAll(keepingCapacity: true)
    while true {
      let before = position
      let event = try step(into: &output)
      if let event { return event }
      if case .directory = stage { return nil }
      if position == before, !hasChanged {
        guard isFinished else { return nil }
        if case .signature = stage, position == pending.count, entryCount > 0 { return nil }
        throw error(.truncated)
      }
      hasChanged = false
    }
  }

  private mutating func go(to stage: Stage) {
    self.stage = stage
    hasChanged = true
  }

  private func error(_ reason: ZipError.Reason, _ detail: String = "") -> ZipError {
    ZipError(reason: reason, byteOffset: baseOffset + position, detail: detail)
  }

  private mutating func step(into output: inout [UInt8]) throws(ZipError) -> Event? {
    // Moved out of `self`, so that the bytes can be borrowed while the state changes.
    var bytes: [UInt8] = []
    swap(&bytes, &pending)
    defer { swap(&bytes, &pending) }
    let rest = bytes.span.extracting(position..<bytes.count)
    switch stage {
    case .signature: return try readHeader(rest)
    case .stored(let remaining): return copy(rest, remaining, into: &output)
    case .skipping(let remaining):
      let count = min(remaining, rest.count)
      position += count
      stage = .skipping(remaining: remaining - count)
      if count == remaining { go(to: .signature) }
      return nil
    case .deflated: return try inflate(rest, into: &output)
    case .descriptor:
      try readDescriptor(rest)
      return nil
    case .endOfEntry:
      try check()
      go(to: .signature)
      return .end
    case .directory:
      position = bytes.count
      return nil
    }
  }

  // MARK: Headers

  private mutating func readHeader(_ bytes: Span<UInt8>) throws(ZipError) -> Event? {
    guard bytes.count >= 4 else { return nil }
    guard ZipHeader.number(bytes, 0, 4) == 0x0403_4B50 else {
      // The directory or a record before it; all of them begin with `PK`.
      guard entryCount > 0, bytes[0] == UInt8(ascii: "P"), bytes[1] == UInt8(ascii: "K") else {
        throw error(.notZip, "an entry was expected")
      }
      go(to: .directory)
      return nil
    }
    guard bytes.count >= 30, let header = ZipHeader(bytes) else { return nil }
    if header.isEncrypted { throw error(.encrypted) }
    self.header = header
    entryCount += 1
    position += header.byteCount
    (checksum, entryBytes) = (0, 0)
    switch header.method {
    case .stored where !header.hasDescriptor: go(to: .stored(remaining: header.compressedBytes))
    case .deflated:
      guard inflater.isReady, inflater.reset() else { throw error(.outOfMemory) }
      go(to: .deflated)
    default:
      guard !header.hasDescriptor else { throw error(.method) }
      go(to: .skipping(remaining: header.compressedBytes))
      return .skipped(name: header.name)
    }
    return .entry(name: header.name)
  }

  private mutating func readDescriptor(_ bytes: Span<UInt8>) throws(ZipError) {
    guard bytes.count >= 4 else { return }
    // The signature is optional.
    let lead = ZipHeader.number(bytes, 0, 4) == 0x0807_4B50 ? 4 : 0
    let width = header.isZip64 ? 8 : 4
    let count = lead + 4 + 2 * width
    guard bytes.count >= count else { return }
    header.checksum = UInt32(ZipHeader.number(bytes, lead, 4))
    header.uncompressedBytes = Int(clamping: ZipHeader.number(bytes, lead + 4 + width, width))
    position += count
    go(to: .endOfEntry)
  }

  private func check() throws(ZipError) {
    guard checksum == header.checksum else {
      throw error(.corrupt, "the checksum of \(header.name) does not match")
    }
    guard entryBytes == header.uncompressedBytes else {
      throw error(.corrupt, "\(header.name) does not have the stated size")
    }
  }

  // MARK: Data

  private mutating func copy(
    _ bytes: Span<UInt8>, _ remaining: Int, into output: inout [UInt8]
  ) -> Event? {
    let count = min(remaining, bytes.count, Self.outputBytes)
    guard count > 0 else {
      if remaining == 0 { go(to: .endOfEntry) }
      return nil
    }
    output.append(contentsOf: bytes.extracting(first: count))
    position += count
    note(output)
    go(to: .stored(remaining: remaining - count))
    return .contents
  }

  private mutating func inflate(
    _ bytes: Span<UInt8>, into output: inout [UInt8]
  ) throws(ZipError) -> Event? {
    if let damage { throw damage }
    guard !bytes.isEmpty || inflater.holdsOutput else { return nil }
    let (consumed, outcome) = inflater.step(bytes, into: &output, room: Self.outputBytes)
    position += consumed
    note(output)
    switch outcome {
    case .more: break
    case .end: go(to: header.hasDescriptor ? .descriptor : .endOfEntry)
    case .outOfMemory: throw error(.outOfMemory)
    case .damaged(let words):
      guard output.isEmpty else {
        damage = error(.corrupt, words)
        go(to: .deflated)
        return .contents
      }
      throw error(.corrupt, words)
    }
    guard limits.permits(inflatedBytes, of: baseOffset + position) else {
      throw error(.expandsTooFar, "to more than \(limits.maximumRatio) times its size")
    }
    return output.isEmpty ? nil : .contents
  }

  private mutating func note(_ output: [UInt8]) {
    checksum = Inflater.checksum(checksum, output.span)
    entryBytes += output.count
    inflatedBytes += output.count
  }
}

/// The local header of an entry in a zip archive.
struct ZipHeader: Sendable {
  enum Method: UInt64 {
    case stored = 0
    case deflated = 8
    case other = 0xFFFF
  }

  private(set) var method = Method.stored
  private(set) var name = ""
  private(set) var isEncrypted = false
  /// Whether the checksum and sizes follow the data.
  private(set) var hasDescriptor = false
  /// Whether the sizes have eight bytes.
  private(set) var isZip64 = false
  var checksum: UInt32 = 0
  private(set) var compressedBytes = 0
  var uncompressedBytes = 0
  private(set) var byteCount = 0

  init() {}

  /// Parses a header; nil if more bytes are needed.
  init?(_ bytes: Span<UInt8>) {
    let flags = Self.number(bytes, 6, 2)
    isEncrypted = flags & 1 != 0
    hasDescriptor = flags & 8 != 0
    method = Method(rawValue: Self.number(bytes, 8, 2)) ?? .other
    checksum = UInt32(Self.number(bytes, 14, 4))
    compressedBytes = Int(Self.number(bytes, 18, 4))
    uncompressedBytes = Int(Self.number(bytes, 22, 4))
    let nameBytes = Int(Self.number(bytes, 26, 2))
    let extraBytes = Int(Self.number(bytes, 28, 2))
    byteCount = 30 + nameBytes + extraBytes
    guard bytes.count >= byteCount else { return nil }
    name = String(utf8: bytes.extracting(30..<(30 + nameBytes)))
    takeExtra(bytes.extracting((30 + nameBytes)..<byteCount))
  }

  /// Reads the eight-byte sizes from the extra fields.
  private mutating func takeExtra(_ extra: Span<UInt8>) {
    var start = 0
    while start + 4 <= extra.count {
      let (kind, count) = (Self.number(extra, start, 2), Int(Self.number(extra, start + 2, 2)))
      start += 4
      guard start + count <= extra.count else { return }
      if kind == 1 {
        isZip64 = true
        if count >= 16 {
          uncompressedBytes = Int(clamping: Self.number(extra, start, 8))
          compressedBytes = Int(clamping: Self.number(extra, start + 8, 8))
        }
      }
      start += count
    }
  }

  /// Reads a little-endian integer.
  static func number(_ bytes: Span<UInt8>, _ start: Int, _ width: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<width { value |= UInt64(bytes[start + index]) << UInt64(8 * index) }
    return value
  }
}

/// An error in a zip archive.
///
/// Entries before it were delivered with their checksums verified.
package struct ZipError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with the archive.
  ///
  /// Skipped entries are not errors.
  package enum Reason: String, Equatable, Sendable {
    /// The data does not have the structure of an archive.
    case notZip
    /// The archive ends within an entry or before its directory.
    case truncated
    /// An entry needs a password.
    case encrypted
    /// An entry uses an unsupported method, and its size is unknown, so it cannot be skipped.
    case method
    /// The data of an entry is damaged, or its checksum does not match.
    case corrupt
    /// The data exceeds the expansion limit.
    case expandsTooFar
    /// Memory for zlib could not be allocated.
    case outOfMemory
  }

  /// What is wrong with the archive.
  package var reason: Reason
  /// The offset in the archive where the error was found, from 0.
  package var byteOffset: Int
  /// Details in words, or an empty string.
  package var detail = ""

  /// The message, without position or final period.
  package var sentence: String {
    let cause =
      switch reason {
      case .notZip: "the zip archive is damaged"
      case .truncated: "the zip archive ends too early"
      case .encrypted: "the zip archive is encrypted; unpack it with its password first (7z x FILE)"
      case .method: "the zip archive uses an unsupported compression; unpack it first (7z x FILE)"
      case .corrupt: "the zip archive is damaged"
      case .expandsTooFar: "the zip archive expands too far"
      case .outOfMemory: "there is not enough memory to unpack the zip archive"
      }
    return detail.isEmpty ? cause : "\(cause) (\(detail))"
  }

  /// The message with its offset, without a final period.
  package var description: String { "\(sentence) at byte \(byteOffset)" }
}
