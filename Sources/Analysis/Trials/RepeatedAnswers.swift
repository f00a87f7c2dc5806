package import FencepostGeodesy
package import FencepostMonitoring

/// Answers a run's requests from a source of places, or as an earlier run of the track was answered.
///
/// While an editor drags a story, nearly all requests of a track and their answers stay the same.
package final class RepeatedAnswers: PlaceSource {
  /// An answer, which circles that do not come within its reach cannot change.
  package struct Answer: Sendable {
    fileprivate let answer: CandidateAnswer
    /// In meters from the request's position to a center, or to an edge if `isByEdge`.
    private let reachMeters: Double
    private let isByEdge: Bool

    fileprivate init(_ answer: CandidateAnswer, to request: CandidateRequest, at here: Position) {
      self.answer = answer
      switch (request.question, answer) {
      case (.containing, .found): (reachMeters, isByEdge) = (0, true)
      case (.nearest(let count, let rank), .found(let regions)) where regions.count == count:
        let farthest = regions.last?.circle
        let meters = farthest.map {
          rank.distanceMeters(
            centerDistanceMeters: $0.distanceMeters(from: here), radiusMeters: $0.radiusMeters)
        }
        (reachMeters, isByEdge) = ((meters ?? 0) + rank.marginMeters, rank != .center)
      // These are quicker to ask than to look up; see ``answer(_:)``.
      case (.edges, .found): (reachMeters, isByEdge) = (.infinity, true)
      // Any place counts where there are fewer than were asked for.
      case (.nearest, .found), (_, .failed): (reachMeters, isByEdge) = (.infinity, true)
      }
    }

    /// False only if the circle certainly stays out of reach.
    fileprivate func mayDepend(on circle: Circle, from here: Position) -> Bool {
      let edgeMeters = isByEdge ? circle.radiusMeters : 0
      return circle.mayReach(here, withinMeters: reachMeters + edgeMeters + TrackRun.slackMeters)
    }
  }

  /// The answers so far, for a later run.
  package private(set) var given: [CandidateRequest: Answer] = [:]
  private let places: any PlaceSource
  private let earlier: [CandidateRequest: Answer]
  private let changed: [Circle]

  /// Creates a source of places.
  ///
  /// - Parameters:
  ///   - places: Answers what earlier answers do not.
  ///   - earlier: The answers of another source, whose places had the same keys.
  ///   - changed: The circles in which the two differ, before and after.
  package init(
    _ places: any PlaceSource, earlier: [CandidateRequest: Answer] = [:], changed: [Circle] = []
  ) {
    (self.places, self.earlier, self.changed) = (places, earlier, changed)
  }

  package func answer(_ request: CandidateRequest) -> CandidateAnswer {
    if case .edges = request.question { return places.answer(request) }
    let here = Position(request.coordinate)
    let known = earlier[request].flatMap { known in
      changed.contains { known.mayDepend(on: $0, from: here) } ? nil : known
    }
    let answer = known ?? Answer(places.answer(request), to: request, at: here)
    given[request] = answer
    return answer.answer
  }

  package func place(forKey key: Int64) throws -> Place? { try places.place(forKey: key) }

  package var placeCount: Int { get throws { try places.placeCount } }

  package var lastFailure: String? { places.lastFailure }
}
