import ArgumentParser
public import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces

extension AdviceOptions.Kind: ExpressibleByArgument {}

struct AdviceArguments: ParsableArguments {
  @Option(help: .value("n", "Propose at most N changes."))
  var maxChanges = 10

  @Option(help: .value("n", "Propose only changes that gain at least N alerts."))
  var minGain = 1

  @Option(
    help: .value(
      "kind,...", "Propose only these kinds: radius, position, merge, drop, dates, rule.",
      "Separate them by commas. Without this option, no other dates are proposed."))
  var only = ListArgument(AdviceOptions.Kind.usual)

  @Option(
    help: .value(
      "min..max", "Propose only radii in this range.",
      "With --profile, radii that the phone cannot use are left out."))
  var radiusRange = RangeArgument(meters: 100...300)

  @Option(help: .value("distance", "Move a story by at most this far."))
  var moveWithin = DistanceArgument(meters: 50)

  @Option(
    help: .value(
      "n", "Allow at most N alerts per reader and day. Default: no limit.",
      "A day that already has more must not gain any. Walks without times have no days."))
  var maxAlertsPerDay: Int?

  @Option(
    help: .value(
      "n", "Propose to watch at most N circles. Default: the limit of the profile, or 20."))
  var maxLimit: Int?

  @Option(
    help: .value(
      "distance", "Propose no shorter lookup distance. Default: that of the profile, or 500m."))
  var minSignificantChange: DistanceArgument?

  @Option(
    help: .value(
      "share", "Hold back this share of the readers, and measure the gain on them.",
      "SHARE must be at least 0 and less than 1. Above 0, each group has at least one reader."))
  var testShare = 0.0

  @Option(help: .value("n", "Random seed of --test-share. Another seed holds back other readers."))
  var seed: UInt64 = 1

  func validate() throws {
    try require(maxChanges >= 1, "--max-changes must be at least 1")
    try require(minGain >= 1, "--min-gain must be at least 1")
    try require(maxAlertsPerDay ?? 0 >= 0, "--max-alerts-per-day must not be negative")
    try require(maxLimit ?? 1 >= 1, "--max-limit must be at least 1")
    if !(testShare >= 0 && testShare < 1) {
      throw ValidationError("--test-share must be at least 0 and less than 1")
    }
  }

  /// Copies the bounds into `options`.
  func apply(to options: inout AdviceOptions, phone: PhoneProfile?) throws(CommandFailure) {
    options.kinds = Set(only.values)
    options.mostChanges = maxChanges
    options.leastGain = minGain
    options.moveWithinMeters = moveWithin.meters
    options.mostAlertsPerDay = maxAlertsPerDay
    options.testShare = testShare
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
