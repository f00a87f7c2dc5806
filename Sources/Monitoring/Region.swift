public import FencepostGeodesy

/// A circle around a place, as the engine monitors it.
public struct Region: Hashable, Sendable {
  /// The store's key of the place; events name the region by it.
  public var key: Int64
  /// The circle whose edge is watched.
  public var circle: Circle

  /// Makes a region of a place's key and its circle.
  @inlinable
  public init(key: Int64, circle: Circle) {
    self.key = key
    self.circle = circle
  }
}
