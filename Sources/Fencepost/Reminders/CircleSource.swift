import FencepostGeodesy
import FencepostMonitoring

/// Adds the circles of reminders to the places of another source; they share the phone's regions.
///
/// ``place(forKey:)`` returns nil for such a circle, so a session does not report its crossings.
final class CircleSource: PlaceSource {
  struct Member {
    var reminderID: String
    var title: String
    /// The circle, under a key that no place has.
    var region: Region
    var isLive = true
  }

  /// All circles, including those that will not fire again.
  var members: [Member]
  /// How often nearer circles displaced each place, by key, and the ids of their reminders.
  private(set) var displaced: [Int64: (times: Int, by: Set<String>)] = [:]
  /// The keys of circles that were ever watched.
  var everMonitored: Set<Int64> = []

  private let base: any PlaceSource
  /// The number of returned regions that are watched; nil if all are.
  private let slots: Int?

  init(base: any PlaceSource, members: [Member], slots: Int?) {
    self.base = base
    self.members = members
    self.slots = slots
  }

  /// The key of a circle, far below the keys of places, which start at 1.
  static func key(_ number: Int) -> Int64 { Int64.min + Int64(number) }

  static func isCircle(_ key: Int64) -> Bool { key < Int64.min / 2 }

  var lastFailure: String? { base.lastFailure }

  var placeCount: Int {
    // A session subtracts every region it has watched from this count.
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
