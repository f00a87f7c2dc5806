/// How long, and for how many fixes, a crossing must last before it is reported.
///
/// The defaults report every crossing where it happens.
public struct ConfirmationOptions: Hashable, Codable, Sendable {
  /// How long the path must stay on the new side, in milliseconds; 0 for no time.
  public var holdMilliseconds: Int64 = 0
  /// How many fixes must lie on the new side, at least 1; nil for none.
  ///
  /// The fix at which a crossing is found is the first.
  public var fixes: Int?
  /// How long after an enter a stay becomes a dwell, in milliseconds, at least 0; nil for no dwells.
  public var dwellMilliseconds: Int64?

  /// Makes the default options.
  public init() {}

  /// Whether any crossing is reported elsewhere than where it happens, or any dwell at all.
  public var isNeeded: Bool {
    holdMilliseconds > 0 || fixes != nil || dwellMilliseconds != nil
  }
}
