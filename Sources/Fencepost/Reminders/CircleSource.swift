import FencepostGeodesy
import FencepostMonitoring

/// The places of another source with the circles of reminders among them, which share the phone's regions.
///
/// ``place(forKey:)`` is nil for a circle, so a session reports nothing when one is crossed.
final class CircleSource: PlaceSource {
  /// A reminder's circle.
  struct Member {
    /// The reminder's id.
    var reminderID: String
    /// The reminder's title.
    var title: String
    /// The circle, with a key that no place has.
    var region: Region
    /// Whether it can still fire.
    var isLive = true
  }

  /// The circles, including those that have fired for the last time.
  var members: [Member]
  /// How often each place was displaced by a nearer circle, and by whose, by key.
  private(set) var displaced: [Int64: (times: Int, by: Set<String>)] = [:]
  /// The keys of circles that were monitored at some time.
  var everMonitored: Set<Int64> = []

  private let base: any PlaceSource
  /// How many of the requested regions are monitored; nil for all.
  private let slots: Int?

  init(base: any PlaceSource, members: [Member], slots: Int?) {
    self.base = base
    self.members = members
    self.slots = slots
  }

  /// The key of a circle, far below those of places, which begin at 1.
  static func key(_ number: Int) -> Int64 { Int64.min + Int64(number) }

  /// Whether a key is a circle's.
  static func isCircle(_ key: Int64) -> Bool { key < Int64.min / 2 }

  var lastFailure: String? { base.lastFailure }

  var placeCount: Int {
    // A session subtracts the regions that it has seen from this count.
    get throws { try base.placeCount + everMonitored.count }
  }

  func place(forKey key: Int64) throws -> Place? {
    Self.isCircle(key) ? nil : try base.place(forKey: key)
  }

  func key(forID id: String) throws -> Int64? { try base.key(forID: id) }

  func hasPlace(forKey key: Int64) -> Bool {
    !Self.isCircle(key) && base.hasPlace(forKey: key)
  }

  func answer(_ request: CandidateRequest) -> CandidateAnswer {
    let answer = base.answer(request)
    let circles = members.filter(\.isLive).map(\.region)
    guard !circles.isEmpty, case .found(let places) = answer else { return answer }
    let here = Position(request.coordinate)
    switch request.question {
    case .containing: return .found(places + circles.filter { $0.circle.contains(here) })
    case .nearestCenters(let count):
      return merge(places, circles, keeping: count, from: here, by: .center)
    case .nearestEdges(let count, let margin):
      return merge(
        places, circles, keeping: count, from: here, by: .edge(exitMarginMeters: margin))
    }
  }

  private func merge(
    _ places: [Region], _ circles: [Region], keeping count: Int, from here: Position,
    by rank: NearestRank
  ) -> CandidateAnswer {
    let ranked = (places + circles).enumerated().map { order, region in
      let center = Geodesic.distanceMeters(here, region.circle.center)
      let distance = rank.distanceMeters(
        centerDistanceMeters: center, radiusMeters: region.circle.radiusMeters)
      return (distance, order, region)
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    let merged = ranked.prefix(count).map(\.2)
    noteDisplaced(places, merged)
    return .found(merged)
  }

  private func noteDisplaced(_ places: [Region], _ merged: [Region]) {
    guard let slots else { return }
    let kept = merged.prefix(slots).map(\.key)
    let circles = Set(kept.filter(Self.isCircle))
    guard !circles.isEmpty else { return }
    let ids = members.filter { circles.contains($0.region.key) }.map(\.reminderID)
    for place in places.prefix(slots) where !kept.contains(place.key) {
      displaced[place.key, default: (0, [])].times += 1
      displaced[place.key, default: (0, [])].by.formUnion(ids)
    }
  }
}
