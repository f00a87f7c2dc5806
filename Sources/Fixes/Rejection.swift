/// Something of a source that was refused: why, and where it stands.
public struct Rejection: Sendable, Equatable {
  /// Why something was refused.
  ///
  /// The raw value is the word reports count it under.
  public enum Reason: String, Sendable, CaseIterable {
    /// The checksum does not belong to the sentence.
    case checksum
    /// The receiver itself said that it had no fix.
    case void
    /// A latitude or longitude is out of range, not finite, or not readable.
    case coordinate
    /// A time is not readable or is no time of the calendar.
    case time
    /// Older than others of the same `trk`, and not believed rather than they are.
    case late
    /// Same time and same position as the accepted fix before it.
    case duplicate
    /// Latitude and longitude both exactly 0.
    case nullIsland
    /// A sentence, row or object that breaks the rules of its format.
    case malformed
    /// A line longer than any the format allows.
    case tooLong
  }

  /// Why it was refused.
  public var reason: Reason
  /// The line of the source, from 1, where the format has lines.
  public var line: Int?
  /// The byte of the source, from 0, counted behind a gzip layer.
  public var byteOffset: Int?
  /// What was wrong, for a person to read; nil where ``reason`` says it all.
  public var detail: String?

  /// Makes a rejection of its parts.
  public init(reason: Reason, line: Int? = nil, byteOffset: Int? = nil, detail: String? = nil) {
    self.reason = reason
    self.line = line
    self.byteOffset = byteOffset
    self.detail = detail
  }
}
