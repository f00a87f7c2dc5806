import ArgumentParser
public import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces

extension AdviceOptions.Kind: ExpressibleByArgument {}

/// The stories that advice is to help.
struct PurposeArguments: ParsableArguments {
  @Option(
    name: .customLong("for"),
    "story", "Help only this story: its id, its title, or a part that no other story has.",
    "Repeat the option for more stories.")
  var stories: [String] = []

  @Option("category", "Help only stories of exactly this category.")
  var category: String?

  @Option(
    "n", "Help only stories of priority N or more important. Lower numbers matter more.",
    "With --for, --category or --min-priority, only alerts of the stories that fit all of them "
      + "count: 1 for the least important priority among them, 2 for the next, and so on.")
  var minPriority: Int?

  private var isGiven: Bool { !stories.isEmpty || category != nil || minPriority != nil }

  /// The kinds of changes to propose unless chosen.
  func usualKinds(isLosing: Bool) -> [AdviceOptions.Kind] {
    isLosing
      ? AdviceOptions.Kind.losing : isGiven ? AdviceOptions.Kind.allCases : AdviceOptions.Kind.usual
  }

  /// The purpose among all places; nil if all alerts count the same.
  func purpose(among places: [Place], isLosing: Bool) throws(CommandFailure) -> AdvicePurpose? {
    guard isGiven else {
      return isLosing && Set(places.map(\.priority)).count > 1 ? AdvicePurpose(places) : nil
    }
    let chosen = try named(among: places).filter { place in
      (category ?? place.category) == place.category
        && minPriority.map { place.priority <= $0 } ?? true
    }
    guard !chosen.isEmpty else {
      throw CommandFailure(.usage, "--for, --category and --min-priority leave no story to help")
    }
    return AdvicePurpose(chosen)
  }

  private func named(among places: [Place]) throws(CommandFailure) -> [Place] {
    guard !stories.isEmpty else { return places }
    let choice = StoryChoice(StoryIndex(places).stories.array)
    let sorted = places.sorted { $0.id < $1.id }
    var chosen: [Place] = []
    for story in stories {
      do throws(StoryChoice.Failure) {
        chosen.append(sorted[try choice.index(of: story)])
      } catch {
        throw CommandFailure(error.fittingCount > 0 ? .usage : .inputMissing, "--for: \(error)")
      }
    }
    return chosen
  }
}

struct AdviceArguments: ParsableArguments {
  /// The share of readers to hold back, from ``leastReadersHeldBack`` readers on.
  private static let usualTestShare = 0.3
  private static let leastReadersHeldBack = 10

  @Option(
    "n", "Lose alerts instead: come down to N per reader and day, with the least loss.",
    "Loss is weighted by priority. Walks without times have no days.")
  var bringDownTo: Int?

  @Option("n", "Propose at most N changes. Default: 10, or 100 with --bring-down-to.")
  var maxChanges: Int?

  @Option(
    "n", "Propose only changes that gain at least N alerts.",
    """
    Alerts are weighted as with --for. With --bring-down-to, N is by how many alerts days come \
    nearer to it.
    """)
  var minGain = 1

  @Option(
    "kind,...", "Propose only these kinds: radius, position, merge, drop, dates, hours, rule.",
    "Separate them by commas. Default: all but dates and hours. With --for, --category or "
      + "--min-priority, all. With --bring-down-to, radius, drop, hours and rule.")
  var only: ListArgument<AdviceOptions.Kind>?

  @Option(
    "min..max", "Propose only radii in this range, up to 1km.",
    "A circle larger than 1km covers a whole town, so that its alert does not mean that the "
      + "story is near. With --profile, radii that the phone cannot use are left out.")
  var radiusRange = RangeArgument(meters: 100...300)

  @Option("distance", "Move a story by at most this far.")
  var moveWithin = DistanceArgument(meters: 50)

  @Option(
    "n", "Allow at most N alerts per reader and day. Default: no limit.",
    "A day that already has more must not gain any. Walks without times have no days.")
  var maxAlertsPerDay: Int?

  @Option("n", "Propose to watch at most N circles. Default: the limit of the profile, or 20.")
  var maxLimit: Int?

  @Option("distance", "Propose no shorter lookup distance. Default: that of the profile, or 500m.")
  var minSignificantChange: DistanceArgument?

  @Option(
    "share", "Hold back this share of the readers, and measure the gain on them.",
    "SHARE must be at least 0 and less than 1. Above 0, each group has at least one reader. "
      + "Default: 0.3 from 10 readers on, else 0.")
  var testShare: Double?

  @Option("n", "Random seed of --test-share. Another seed holds back other readers.")
  var seed: UInt64 = 1

  func validate() throws {
    try require(maxChanges ?? 1 >= 1, "--max-changes must be at least 1")
    try require(minGain >= 1, "--min-gain must be at least 1")
    try require(maxAlertsPerDay ?? 0 >= 0, "--max-alerts-per-day must not be negative")
    try require(maxLimit ?? 1 >= 1, "--max-limit must be at least 1")
    try require((0..<1).contains(testShare ?? 0), "--test-share must be at least 0 and less than 1")
    try require(
      radiusRange.meters.upperBound <= AdviceOptions.greatestRadiusMeters,
      "--radius-range must not go beyond 1km: a larger circle covers a whole town")
    guard let bringDownTo else { return }
    try require(bringDownTo >= 1, "--bring-down-to must be at least 1")
    try require(maxAlertsPerDay == nil, "--bring-down-to cannot be used with --max-alerts-per-day")
    let losing = Set(AdviceOptions.Kind.losing)
    try require(
      losing.isSuperset(of: only?.values ?? []),
      "--bring-down-to can propose only radius, drop, hours and rule")
  }

  /// The share of so many readers to hold back.
  func testShare(ofReaders count: Int) -> Double {
    testShare ?? (count >= Self.leastReadersHeldBack ? Self.usualTestShare : 0)
  }

  /// Copies the bounds into `options`.
  func apply(
    to options: inout AdviceOptions, _ purpose: PurposeArguments, phone: PhoneProfile?
  ) throws(CommandFailure) {
    let isLosing = bringDownTo != nil
    options.mostAfterwards = bringDownTo
    options.kinds = Set(only?.values ?? purpose.usualKinds(isLosing: isLosing))
    options.mostChanges = maxChanges ?? (isLosing ? 100 : 10)
    options.leastGain = minGain
    options.moveWithinMeters = moveWithin.meters
    options.mostAlertsPerDay = maxAlertsPerDay
    options.seed = seed
    if let phone {
      options.mostRegions = phone.limits.regions.value.value
      options.leastSignificantChangeMeters = phone.refresh.distanceMeters.value
    }
    if let maxLimit { options.mostRegions = maxLimit }
    if let minSignificantChange {
      options.leastSignificantChangeMeters = minSignificantChange.meters
    }
    let least = max(radiusRange.meters.lowerBound, phone?.limits.leastRadiusMeters.value ?? 0)
    let greatest = min(
      radiusRange.meters.upperBound, phone?.limits.greatestRadiusMeters.value.value ?? .infinity)
    guard least <= greatest else {
      throw CommandFailure(
        .usage,
        "\(phone?.name ?? "the phone") cannot use any radius of --radius-range "
          + radiusRange.defaultValueDescription)
    }
    options.radiusRangeMeters = least...greatest
  }
}
