/// A rejected part of a source, with the reason and the position.
public struct Rejection: Sendable, Equatable {
  /// The reason for a rejection; reports use the raw value.
  public enum Reason: String, Sendable, CaseIterable {
    /// The checksum does not match the sentence.
    case checksum
    /// The receiver reported that it had no fix.
    case void
    /// The latitude or longitude is unreadable, not finite or out of range.
    case coordinate
    /// The time is unreadable or does not exist in the calendar.
    case time
    /// The fix is older than others of its `trk`, whose times are believed instead.
    case late
    /// The time and position repeat those of the last accepted fix.
    case duplicate
    /// Latitude and longitude are both exactly 0.
    case nullIsland
    /// A sentence, row or object violates its format.
    case malformed
    /// A line is longer than the format allows.
    case tooLong
  }

  /// The reason for the rejection.
  public var reason: Reason
  /// The line of the source, from 1, if the format has lines.
  public var line: Int?
  /// The byte offset in the decompressed source, from 0.
  public var byteOffset: Int?
  /// A readable explanation, or nil if ``reason`` says it all.
  public var detail: String?

  /// Creates a rejection.
  public init(reason: Reason, line: Int? = nil, byteOffset: Int? = nil, detail: String? = nil) {
    self.reason = reason
    self.line = line
    self.byteOffset = byteOffset
    self.detail = detail
  }
}
