/// What a deletion did.
public struct DeletionReport: Equatable, Sendable {
  /// How many places were deleted.
  public var deleted = 0
  /// The ids that no place had, in the order given.
  public var unknown: [String] = []
}
