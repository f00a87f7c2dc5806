public import FencepostGeodesy

/// A question that the store must answer before the engine can continue.
///
/// The engine returns it from ``Engine/advance(to:into:)`` and continues with
/// ``Engine/resume(with:into:)``. A ``PlaceSource`` can answer it.
public struct CandidateRequest: Hashable, Sendable {
  /// The kinds of question.
  ///
  /// Under the fixed rule with a limit, an engine asks only for the nearest places.
  public enum Question: Hashable, Sendable {
    /// The nearest places by a rank; of equally near ones, the lowest id comes first.
    ///
    /// With an exit margin, the adaptive rule asks for more places than it needs and chooses among
    /// them, because only it knows which edge of each circle comes next.
    case nearest(count: Int, rank: NearestRank)
    /// All places whose circles contain the coordinate.
    case containing
    /// All places whose edge may come within a distance of a piece of the path.
    ///
    /// Asked only if every place is monitored. The answer may hold more places, in any order.
    case edges(near: GeodesicSegment, withinMeters: Double)
  }

  /// The kind of question.
  public var question: Question
  /// The point that the question is about.
  public var coordinate: Coordinate

  /// Creates a request.
  package init(question: Question, coordinate: Coordinate) {
    self.question = question
    self.coordinate = coordinate
  }
}

/// The store's answer to a ``CandidateRequest``.
///
/// Give it to ``Engine/resume(with:into:)``.
public enum CandidateAnswer: Hashable, Sendable {
  /// The regions, in the order that the question asks for.
  ///
  /// Fewer than requested means that the store has no more. None at all clears the monitored set.
  case found([Region])
  /// The store could not answer, so the monitored set stays as it was.
  case failed
}

/// The circle around a place, as the engine monitors it.
///
/// The engine knows a place only by this circle and this key.
public struct Region: Hashable, Sendable {
  // First, because its alignment would leave a gap after a key.
  /// The circle to monitor.
  public var circle: Circle
  /// The store's key of the place, which events use to name the region.
  public var key: Int64

  /// Creates a region.
  @inlinable
  public init(key: Int64, circle: Circle) {
    self.key = key
    self.circle = circle
  }

  /// Creates the region of a place, under the place's key.
  ///
  /// A place without one, such as a server's, gets a key that is made of its id: the same at every
  /// launch, and in practice another for each id.
  public init(_ place: Place) {
    let made = Int64(bitPattern: StableHash(place.id.utf8).value & UInt64(Int64.max))
    self.init(key: place.key == 0 ? made : place.key, circle: place.circle)
  }
}
