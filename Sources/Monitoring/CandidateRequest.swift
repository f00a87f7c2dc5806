public import FencepostGeodesy

/// What the engine needs to know of the store before it can go on.
public struct CandidateRequest: Equatable, Sendable {
  /// What is asked.
  public enum Question: Equatable, Sendable {
    /// The nearest places by centre, ties by place id.
    case nearestCenters(count: Int)
    /// The places whose edge is nearest, from whichever side, ties by place id.
    ///
    /// With a margin the edge is the band from the radius to that much beyond it, at distance 0
    /// within. The adaptive rule, which knows by which of its two edges a circle is met next, then
    /// asks for more than it monitors and chooses itself.
    case nearestEdges(count: Int, exitMarginMeters: Double)
    /// Every place whose circle contains the coordinate.
    case containing
  }

  /// What is asked.
  public var question: Question
  /// Around where.
  public var coordinate: Coordinate

  /// Makes a request of its parts.
  public init(question: Question, coordinate: Coordinate) {
    self.question = question
    self.coordinate = coordinate
  }
}

/// The store's answer to a ``CandidateRequest``.
public enum CandidateAnswer: Sendable {
  /// The regions in the order that the question names.
  ///
  /// Fewer than asked means that the store has no more; none at all means that it is empty, and
  /// clears the monitored set.
  case found([Region])
  /// The store could not answer; the monitored set stays as it was.
  case failed
}
