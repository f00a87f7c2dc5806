package import FencepostGeodesy
package import FencepostPhones
import FencepostAnalysis

/// What becomes of a story on all walks, so that each story counts once.
///
/// With simulated phones, a story alerts if they do, and not because a perfect phone would. The
/// first that applies counts, in this order: swapped coordinates, alerts, entries held back,
/// entries missed, a walk inside, no walk at all. A story that only a perfect phone would alert is
/// missed.
package enum StoryFate: Int, CaseIterable, Sendable {
  /// It alerts; on simulated phones, on at least half of them.
  case alerts
  /// Fewer than half of the phones alert.
  case seldom
  /// A walk enters its circle, but the alert rules hold the alerts back.
  case heldBack
  /// A walk enters its circle, but the phone notices too late, or never.
  case missed
  /// A walk is inside its circle from the beginning.
  case startsInside
  /// No walk comes into its circle.
  case tooFar
  /// With latitude and longitude exchanged, it would be where the others are.
  case swapped
}

/// One story as a headline sees it.
///
/// It is made from the totals of an analysis or from the studio's answers, so that both have the
/// same headline.
package struct HeadlineStory: Sendable {
  /// The center of its circle.
  package var coordinate: Coordinate
  /// The radius of its circle in meters.
  package var radiusMeters: Double
  /// The distance from the nearest walk to the center in millimeters; nil without walks.
  package var nearestMillimeters: Int64?
  /// The alerts without chance: what a phone that does just what the rules say brings.
  package var alerts: Int
  /// The entries that the alert rules held back on it.
  package var heldBack: Int
  /// The entries that it noticed late or never, because it watched other stories.
  package var missed: Int
  /// What simulated phones show; nil if none was asked.
  package var shown: ShownAlerts?
  /// What became of its due alerts on them.
  package var chance: StoryChance?

  /// Creates a story from numbers over all walks.
  package init(
    coordinate: Coordinate, radiusMeters: Double, nearestMillimeters: Int64?, alerts: Int,
    heldBack: Int, missed: Int, shown: ShownAlerts?, chance: StoryChance?
  ) {
    (self.coordinate, self.radiusMeters) = (coordinate, radiusMeters)
    self.nearestMillimeters = nearestMillimeters
    (self.alerts, self.heldBack, self.missed) = (alerts, heldBack, missed)
    (self.shown, self.chance) = (shown, chance)
  }

  /// The distance from the nearest walk to the center in meters; infinite without walks.
  private var nearestMeters: Double { nearestMillimeters.map { Double($0) / 1000 } ?? .infinity }

  /// Whether phones lose it most because their last lookup was too long ago.
  fileprivate var isLookedUpTooLate: Bool {
    guard let loss = chance?.mainLoss else { return false }
    return loss.outcome == .refresh && loss.share >= ShownAlerts.leastShare
  }

  /// Whether a walk came within 10 km, so that the story shows where stories belong.
  fileprivate var isNearWalks: Bool { nearestMeters < 10_000 }

  /// The fate, unless the coordinates are swapped.
  fileprivate var fate: StoryFate {
    if let shown {
      if !shown.isNever { return shown.isUsual ? .alerts : .seldom }
    } else if alerts > 0 {
      return .alerts
    }
    if alerts > 0 { return .missed }
    if heldBack > 0 { return .heldBack }
    if missed > 0 { return .missed }
    return nearestMeters <= radiusMeters ? .startsInside : .tooFar
  }

  /// Whether the story is far from every walk and would be near with coordinates swapped.
  fileprivate func isSwapped(among places: Set<Int>) -> Bool {
    guard nearestMeters > Self.farMeters, let swapped = coordinate.swapped else { return false }
    return SquareDegree(swapped).neighbors.contains { places.contains($0.number) }
  }

  /// A story farther than this from every walk may have swapped coordinates.
  package static let farMeters = 100_000.0
}

extension Coordinate {
  /// The coordinate with latitude and longitude exchanged; nil beyond a pole.
  package var swapped: Coordinate? {
    guard longitudeDegrees.magnitude <= 90 else { return nil }
    return Coordinate(
      latitudeDegrees: longitudeDegrees, longitudeDegrees: latitudeDegrees)
  }
}

/// A square of one degree of latitude and longitude.
///
/// A story whose exchanged coordinates lie in or beside the square of another is likely swapped.
private struct SquareDegree {
  var south: Int
  var west: Int

  /// A number that no other square has.
  var number: Int { south * 1000 + west }

  init(south: Int, west: Int) { (self.south, self.west) = (south, west) }

  init(_ coordinate: Coordinate) {
    south = Int(coordinate.latitudeDegrees.rounded(.down))
    west = Int(coordinate.longitudeDegrees.rounded(.down))
  }

  /// The square and the eight around it; those across the antimeridian are left out.
  var neighbors: [SquareDegree] {
    (-1...1).flatMap { north in
      (-1...1).map { east in SquareDegree(south: south + north, west: west + east) }
    }
  }
}

/// How many stories alert, and what becomes of all others, in one sentence whose numbers add up.
///
/// The terminal, the report and the studio say the same. A story counts as swapped if it is over
/// 100 km from every walk, and its coordinates, exchanged, are in or beside a square degree with a
/// story within 10 km of a walk.
package struct StoryHeadline: Sendable {
  /// The fate of each story, in the order given.
  package let fates: [StoryFate]
  private let lookedUpTooLate: Int
  private let isSimulated: Bool
  private let hasWalks: Bool

  /// Judges each story, and asks for it twice, so that a million need not be held at once.
  package init(_ stories: some Collection<HeadlineStory>) {
    var places: Set<Int> = []
    var (lookedUpTooLate, isSimulated, hasWalks) = (0, false, false)
    for story in stories {
      if story.isNearWalks { places.insert(SquareDegree(story.coordinate).number) }
      if story.isLookedUpTooLate { lookedUpTooLate += 1 }
      isSimulated = isSimulated || story.shown != nil
      hasWalks = hasWalks || story.nearestMillimeters != nil
    }
    fates = stories.map { $0.isSwapped(among: places) ? .swapped : $0.fate }
    (self.lookedUpTooLate, self.isSimulated) = (lookedUpTooLate, isSimulated)
    self.hasWalks = hasWalks
  }

  /// The number of stories with a fate; those of all fates add up to all stories.
  ///
  /// - Complexity: O(n) for n stories.
  package func count(_ fate: StoryFate) -> Int { fates.count { $0 == fate } }

  /// The headline: `23 of your 37 stories alert. 4 start too close, 10 are too far.`, for example.
  package var text: String {
    let all = ReportNumber.counted(fates.count, "story", "stories")
    guard hasWalks else { return "\(all), and no walk with positions." }
    let alerting = count(.alerts)
    var text = "\(ReportNumber.count(alerting)) of your \(all) alert\(alerting == 1 ? "s" : "")"
    if isSimulated {
      text += " on most phones"
      let seldom = count(.seldom)
      if seldom > 0 { text += ", \(ReportNumber.count(seldom)) on fewer" }
    }
    var parts: [String] = []
    for fate in StoryFate.allCases {
      let number = count(fate)
      if number > 0, let words = Self.words(fate, isOne: number == 1) {
        parts.append("\(ReportNumber.count(number)) \(words)")
      }
    }
    guard !parts.isEmpty else { return "\(text)." }
    return "\(text). \(parts.joined(separator: ", "))."
  }

  /// What no edit of a story changes, in a sentence; nil if nothing is lost to it.
  package var beyondEdits: String? {
    guard lookedUpTooLate > 0 else { return nil }
    let stories = ReportNumber.counted(lookedUpTooLate, "story", "stories")
    return "\(stories) \(lookedUpTooLate == 1 ? "is" : "are") looked up too late on some phones. "
      + "No edit of a story changes how often a phone looks."
  }

  /// The words after a count in the headline; nil for fates that have their own place in it.
  private static func words(_ fate: StoryFate, isOne: Bool) -> String? {
    switch fate {
    case .alerts, .seldom: nil
    case .heldBack: isOne ? "is held back" : "are held back"
    case .missed: isOne ? "is missed" : "are missed"
    case .startsInside: isOne ? "starts too close" : "start too close"
    case .tooFar: isOne ? "is too far" : "are too far"
    case .swapped: "may have swapped coordinates"
    }
  }
}
