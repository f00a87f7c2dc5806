public import ArgumentParser
public import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces

extension AdviceOptions.Kind: ExpressibleByArgument {}

/// What advice may change, and within which bounds, as options.
struct AdviceArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Most changes to propose.", valueName: "N"))
  var maxChanges = 10

  @Option(
    help: ArgumentHelp("The fewest alerts that a change must gain to be proposed.", valueName: "N"))
  var minGain = 1

  @Option(
    help: ArgumentHelp(
      "The kinds of changes to look for: radius, position, merge, drop, rule.",
      discussion: "The default is all of them.", valueName: "kind,…"))
  var only = ListArgument(AdviceOptions.Kind.allCases)

  @Option(
    help: ArgumentHelp(
      "The radii that may be proposed.",
      discussion: "With --profile no less than the phone notices, and no more than it allows.",
      valueName: "M..M"))
  var radiusRange = RangeArgument(meters: 100...300)

  @Option(help: ArgumentHelp("How far a story may be moved.", valueName: "distance"))
  var moveWithin = DistanceArgument(meters: 50)

  @Option(
    help: ArgumentHelp(
      "Most alerts a person-day.",
      discussion: """
        A day that has more already must not get more still. Tracks without times have no days. By default \
        there is no bound.
        """,
      valueName: "N"))
  var maxAlertsPerDay: Int?

  @Option(
    help: ArgumentHelp(
      "Most places that the phone monitors at a time, for proposals of another rule.",
      discussion: "The default is the profile's, or 20.", valueName: "N"))
  var maxLimit: Int?

  @Option(
    help: ArgumentHelp(
      "The least significant change that the phone notices, for proposals of another rule.",
      discussion: "The default is the profile's, or 500m.", valueName: "distance"))
  var minSignificantChange: DistanceArgument?

  @Option(
    help: ArgumentHelp(
      "The share of the persons whose tracks are kept back, to measure the gain on them.",
      discussion: "From 0 up to, but without, 1. At least one is kept back, and one is not.",
      valueName: "share"))
  var testShare = 0.0

  @Option(
    help: ArgumentHelp("Another seed keeps other persons' tracks back.", valueName: "N"))
  var seed: UInt64 = 1

  func validate() throws {
    if maxChanges < 1 { throw ValidationError("--max-changes is at least 1") }
    if minGain < 1 { throw ValidationError("--min-gain is at least 1") }
    if let maxAlertsPerDay, maxAlertsPerDay < 0 {
      throw ValidationError("--max-alerts-per-day is at least 0")
    }
    if let maxLimit, maxLimit < 1 { throw ValidationError("--max-limit is at least 1") }
    if !(testShare >= 0 && testShare < 1) {
      throw ValidationError("--test-share is from 0 up to, but without, 1")
    }
  }

  /// Puts the bounds in place of those of options.
  ///
  /// - Throws: ``CommandFailure`` if the phone notices no radius of the range.
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

/// A range of distances on the command line: `50..300`, `50m..0.3km`.
struct RangeArgument: ExpressibleByArgument, Equatable {
  /// The range in metres, above 0.
  var meters: ClosedRange<Double>

  init(meters: ClosedRange<Double>) { self.meters = meters }

  /// Parses two distances with two dots between them.
  init?(argument: String) {
    guard let dots = argument.firstRange(of: ".."),
      let least = DistanceArgument(argument: String(argument[..<dots.lowerBound])),
      let greatest = DistanceArgument(argument: String(argument[dots.upperBound...])),
      least.meters > 0, least.meters <= greatest.meters, greatest.meters <= 20_000_000
    else { return nil }
    meters = least.meters...greatest.meters
  }

  var defaultValueDescription: String {
    DistanceArgument(meters: meters.lowerBound).defaultValueDescription + ".."
      + DistanceArgument(meters: meters.upperBound).defaultValueDescription
  }
}
