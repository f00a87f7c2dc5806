import FencepostFormats

/// The text of a short element, such as a number or time.
struct XMLField: Sendable {
  /// The most bytes of a number or time that is read.
  static var maximumBytes: Int { 128 }

  private(set) var bytes: [UInt8] = []

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ text: Span<UInt8>) {
    // One byte more than allowed marks the text as too long.
    let room = Self.maximumBytes + 1 - bytes.count
    bytes.append(contentsOf: text.extracting(first: min(text.count, max(0, room))))
  }

  /// Whether there is nothing but white space.
  var isEmpty: Bool { bytes.span.trimmedRange.isEmpty }

  /// The number, or NaN if the text is none.
  var number: Double {
    guard bytes.count <= Self.maximumBytes else { return .nan }
    return DecimalNumber.double(parsing: bytes.span.extracting(bytes.span.trimmedRange)) ?? .nan
  }

  /// The time, or nil if the text is none.
  func milliseconds(_ clock: inout DayClock) -> Int64? {
    guard bytes.count <= Self.maximumBytes else { return nil }
    return clock.milliseconds(bytes.span.extracting(bytes.span.trimmedRange))
  }

  /// The text for a message.
  var quoted: String { GPXFaults.quoted(bytes.span.extracting(bytes.span.trimmedRange)) }
}
