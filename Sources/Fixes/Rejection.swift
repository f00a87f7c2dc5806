/// A part of a source that was rejected, with the reason and place.
public struct Rejection: Sendable, Equatable {
  /// Why something was rejected; reports count it under the raw value.
  public enum Reason: String, Sendable, CaseIterable {
    /// The checksum does not match the sentence.
    case checksum
    /// The receiver reported that it had no fix.
    case void
    /// A latitude or longitude is unreadable, not finite or out of range.
    case coordinate
    /// A time is unreadable or does not exist in the calendar.
    case time
    /// The fix is older than others of its `trk`, whose times are believed instead.
    case late
    /// The time and position are those of the last accepted fix.
    case duplicate
    /// Latitude and longitude are both exactly 0.
    case nullIsland
    /// A sentence, row or object breaks the rules of its format.
    case malformed
    /// A line is longer than the format allows.
    case tooLong
  }

  /// Why it was rejected.
  public var reason: Reason
  /// The source line, from 1, if the format has lines.
  public var line: Int?
  /// The byte offset in the source after decompression, from 0.
  public var byteOffset: Int?
  /// What was wrong, for people to read; nil if ``reason`` says it all.
  public var detail: String?

  /// Makes a rejection.
  public init(reason: Reason, line: Int? = nil, byteOffset: Int? = nil, detail: String? = nil) {
    self.reason = reason
    self.line = line
    self.byteOffset = byteOffset
    self.detail = detail
  }
}
