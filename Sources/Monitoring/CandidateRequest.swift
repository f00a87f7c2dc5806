public import FencepostGeodesy

/// What the engine must ask the store before it can continue.
public struct CandidateRequest: Hashable, Sendable {
  /// What is asked.
  public enum Question: Hashable, Sendable {
    /// The nearest places by centre, ties by place id.
    case nearestCenters(count: Int)
    /// The places whose edge is nearest, from either side, ties by place id.
    ///
    /// With a margin, the edge is the band between the radius and that much beyond it; inside the band
    /// the distance is 0. The adaptive rule then asks for more than it monitors and chooses itself,
    /// since it knows which of its two edges each circle can meet next.
    case nearestEdges(count: Int, exitMarginMeters: Double)
    /// Every place whose circle contains the coordinate.
    case containing
  }

  /// What is asked.
  public var question: Question
  /// The point that the question is about.
  public var coordinate: Coordinate

  /// Makes a request of its parts.
  public init(question: Question, coordinate: Coordinate) {
    self.question = question
    self.coordinate = coordinate
  }
}

/// The store's answer to a ``CandidateRequest``.
public enum CandidateAnswer: Hashable, Sendable {
  /// The regions, in the order of the question.
  ///
  /// Fewer than asked for means that the store has no more. None at all means that it is empty, and
  /// clears the monitored set.
  case found([Region])
  /// The store could not answer; the monitored set stays as it was.
  case failed
}

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
