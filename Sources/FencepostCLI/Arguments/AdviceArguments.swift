import ArgumentParser
public import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces

extension AdviceOptions.Kind: ExpressibleByArgument {}

struct AdviceArguments: ParsableArguments {
  @Option(help: .value("N", "Most changes to propose."))
  var maxChanges = 10

  @Option(help: .value("N", "The fewest alerts that a change must gain to be proposed."))
  var minGain = 1

  @Option(
    help: .value(
      "kind,…", "The kinds of changes to look for: radius, position, merge, drop, rule.",
      "The default is all of them."))
  var only = ListArgument(AdviceOptions.Kind.allCases)

  @Option(
    help: .value(
      "M..M", "The radii that may be proposed.",
      "With --profile no less than the phone notices, and no more than it allows."))
  var radiusRange = RangeArgument(meters: 100...300)

  @Option(help: .value("distance", "How far a story may be moved."))
  var moveWithin = DistanceArgument(meters: 50)

  @Option(
    help: .value(
      "N", "Most alerts a person-day.",
      """
      A day that has more already must not get more still. Tracks without times have no days. By default \
      there is no bound.
      """))
  var maxAlertsPerDay: Int?

  @Option(
    help: .value(
      "N", "Most places that the phone monitors at a time, for proposals of another rule.",
      "The default is the profile's, or 20."))
  var maxLimit: Int?

  @Option(
    help: .value(
      "distance",
      "The least significant change that the phone notices, for proposals of another rule.",
      "The default is the profile's, or 500m."))
  var minSignificantChange: DistanceArgument?

  @Option(
    help: .value(
      "share", "The share of the persons whose tracks are kept back, to measure the gain on them.",
      "From 0 up to, but without, 1. At least one is kept back, and one is not."))
  var testShare = 0.0

  @Option(help: .value("N", "Another seed keeps other persons' tracks back."))
  var seed: UInt64 = 1

  func validate() throws {
    try require(maxChanges >= 1, "--max-changes is at least 1")
    try require(minGain >= 1, "--min-gain is at least 1")
    try require(maxAlertsPerDay ?? 0 >= 0, "--max-alerts-per-day is at least 0")
    try require(maxLimit ?? 1 >= 1, "--max-limit is at least 1")
    if !(testShare >= 0 && testShare < 1) {
      throw ValidationError("--test-share is from 0 up to, but without, 1")
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
        "\(phone?.name ?? "the phone") notices no radius of --radius-range "
          + radiusRange.defaultValueDescription)
    }
    options.radiusRangeMeters = least...greatest
  }
}
