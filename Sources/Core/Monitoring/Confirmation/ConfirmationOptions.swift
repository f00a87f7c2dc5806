/// How long, and for how many fixes, a crossing must last before it is reported.
///
/// By default, every crossing is reported where it happens.
public struct ConfirmationOptions: Hashable, Codable, Sendable {
  /// How long the path must stay on the new side, in milliseconds; 0 for no time.
  public var holdMilliseconds: Int64 = 0
  /// How many fixes must lie on the new side, at least 1, counting the first; nil for no minimum.
  public var fixes: Int?
  /// How long after an entry a stay becomes a dwell, in milliseconds; nil for no dwells.
  public var dwellMilliseconds: Int64?

  /// Creates the default options.
  public init() {}

  /// Whether crossings must be confirmed or dwells detected.
  package var isNeeded: Bool {
    holdMilliseconds > 0 || fixes != nil || dwellMilliseconds != nil
  }
}
