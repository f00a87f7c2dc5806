import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// Adds the circles of reminders to the places of another source; they share the phone's regions.
///
/// ``place(forKey:)`` returns nil for such a circle, so a session does not report its crossings.
final class CircleSource: PlaceSource {
  /// A reminder at a place, as a region that can be watched.
  struct Member {
    var reminderID: String
    /// The circle, under a key that no place has.
    var region: Region
    /// Whether the user set it up, so that it comes before places of the same reach.
    var isUsers: Bool
  }

  /// What the source knows from earlier lookups; it can be saved.
  ///
  /// Summaries count from it which places and circles had to wait.
  struct Memory: Codable, Sendable {
    /// How often a place gave way, and to which reminders.
    struct Displacement: Codable, Sendable {
      var times = 0
      var by: Set<String> = []
    }

    /// How often circles displaced each place, by key, and the ids of their reminders.
    ///
    /// A place that gives way at several lookups in a row counts once.
    fileprivate(set) var displaced: [Int64: Displacement] = [:]
    fileprivate var displacedNow: Set<Int64> = []
    /// The key of the watched circle with the lowest rank at the last lookup, a place's or not.
    fileprivate(set) var lastWatched: Int64?
    /// The keys of reminders' circles that were ever watched.
    var everMonitored: Set<Int64> = []
    /// The keys of places that were to be watched and never had a slot.
    var neverHeld: Set<Int64>?
    /// The keys of circles that will not fire again.
    var spent: Set<Int64> = []
  }

  let members: [Member]
  var memory = Memory()
  /// The keys of circles without a slot, which the phone does not watch.
  ///
  /// ``place(forKey:)`` returns nil for them as well, so that their crossings are not reported.
  var withoutSlot: Set<Int64> = []
  /// The circles of the last answer, by key.
  private(set) var answered: [Int64: Circle] = [:]

  private let base: any PlaceSource
  /// The number of returned regions that are watched; nil if all are.
  private let slots: Int?
  /// Whether users' own circles come first; the adaptive rule must know the nearest left out.
  private let ranksByKind: Bool

  /// Adds circles to a source.
  ///
  /// `slots` is how many of the returned regions the phone watches, without the one of a tripwire.
  init(base: any PlaceSource, members: [Member], slots: Int?, ranksByKind: Bool) {
    self.base = base
    self.members = members
    self.slots = slots
    self.ranksByKind = ranksByKind
  }

  /// The key of a circle, which `isReminderCircle` tells from those of places.
  static func key(_ number: Int) -> Int64 { Int64.min + Int64(number) }

  /// Whether a circle can still fire; one that fired and does not repeat cannot.
  func isLive(_ member: Member) -> Bool { !memory.spent.contains(member.region.key) }

  var lastFailure: String? { base.lastFailure }

  var placeCount: Int {
    // A session subtracts every region it has watched from this count.
    get throws {
      try base.placeCount + memory.everMonitored.count + (memory.neverHeld?.count ?? 0)
    }
  }

  func place(forKey key: Int64) throws -> Place? {
    key.isReminderCircle || withoutSlot.contains(key) ? nil : try base.place(forKey: key)
  }

  /// The place with a key, whether the phone watches its circle or not.
  func storedPlace(forKey key: Int64) -> Place? { try? base.place(forKey: key) }

  func key(forID id: String) throws -> Int64? { try base.key(forID: id) }

  func hasPlace(forKey key: Int64) -> Bool { !key.isReminderCircle && base.hasPlace(forKey: key) }

  /// Answers with places and live circles together.
  ///
  /// The nearest ones are kept in ``answered``.
  func answer(_ request: CandidateRequest) -> CandidateAnswer {
    let answer = answerWithCircles(request)
    if case .nearest = request.question, case .found(let regions) = answer {
      answered = Dictionary(regions.map { ($0.key, $0.circle) }, uniquingKeysWith: { $1 })
    }
    return answer
  }

  /// Notes that a reminder has the slot of a place, each time once.
  func noteDisplaced(_ key: Int64, by id: String?) {
    memory.displaced[key, default: .init()].times += 1
    if let id { memory.displaced[key, default: .init()].by.insert(id) }
  }

  private func answerWithCircles(_ request: CandidateRequest) -> CandidateAnswer {
    let answer = base.answer(request)
    let live = members.filter(isLive)
    let circles = live.map { $0.region }
    guard !circles.isEmpty, case .found(let places) = answer else { return answer }
    let here = Position(request.coordinate)
    switch request.question {
    case .containing: return .found(places + circles.filter { $0.circle.contains(here) })
    case .edges: return .found(places + circles)
    case .nearest(let count, let rank):
      return merge(places, live, keeping: count, from: here, by: rank)
    }
  }

  /// How far a phone comes in an hour, at most; circles within it have the same reach.
  private static let reachMeters = NotificationBudget.reachMetersPerSecond * 3600

  /// Ranks places and circles on one scale and notes which places lose their slots.
  ///
  /// With ``ranksByKind``, users' own circles come first among those of the same reach. Then the
  /// nearer one comes first, and at equal distances a place before a circle.
  private func merge(
    _ places: [Region], _ circles: [Member], keeping count: Int, from here: Position,
    by rank: NearestRank
  ) -> CandidateAnswer {
    let all = places.map { ($0, false) } + circles.map { ($0.region, $0.isUsers) }
    let ranked = all.enumerated().map { order, one in
      let (region, isUsers) = one
      let center = Geodesic.distanceMeters(here, region.circle.center)
      let distance = rank.distanceMeters(
        centerDistanceMeters: center, radiusMeters: region.circle.radiusMeters)
      let reach = ranksByKind ? (distance / Self.reachMeters).rounded(.down) : 0
      return (reach, ranksByKind && isUsers ? 0 : 1, distance, order, region)
    }.sorted { ($0.0, $0.1, $0.2, $0.3) < ($1.0, $1.1, $1.2, $1.3) }
    let merged = ranked.prefix(count).map { $0.4 }
    guard let slots else { return .found(merged) }
    let kept = merged.prefix(slots).map { $0.key }
    memory.lastWatched = kept.count < slots ? nil : kept.last
    let circles = Set(kept.filter { $0.isReminderCircle })
    let before = memory.displacedNow
    let now = circles.isEmpty ? [] : Set(places.prefix(slots).map { $0.key }).subtracting(kept)
    memory.displacedNow = now
    let ids = members.filter { circles.contains($0.region.key) }.map { $0.reminderID }
    for key in now {
      if !before.contains(key) { memory.displaced[key, default: .init()].times += 1 }
      memory.displaced[key, default: .init()].by.formUnion(ids)
    }
    return .found(merged)
  }
}
