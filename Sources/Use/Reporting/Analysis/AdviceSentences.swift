import FencepostSession
package import FencepostAnalysis
import FencepostGeodesy
package import FencepostMonitoring

/// Explains a proposal to an editor: what it changes and why.
///
/// Sentences have no final period. The terminal, NDJSON and the report's page show the same
/// sentences, in the units that people have chosen.
package struct AdviceSentences: Sendable {
  private let proposal: Advice.Proposal

  /// Prepares the sentences about a proposal; they are made when asked for.
  package init(_ proposal: Advice.Proposal) { self.proposal = proposal }

  /// What to do, such as `Radius 60 m to 115 m: Christ Church`.
  package var change: String {
    switch proposal.change {
    case .rule(let rule): return "Rule: \(rule.sentence())"
    case .story(let before, let after):
      let name = before.title.isEmpty ? before.id : before.title
      return proposal.change.kind == .radius
        ? "Radius \(radius(before)) to \(radius(after)): \(name)"
        : "Move \(way(from: before, to: after)): \(name)"
    }
  }

  /// The evidence for the change: what was lost on the walks, or how near they pass.
  package var why: String {
    switch proposal.change {
    case .rule: losses
    case .story(let before, let after): reason(before, after)
    }
  }

  /// Explains a change of one story.
  ///
  /// A smaller radius helps where a lookup found the phone inside already; a larger or moved circle
  /// reaches walks that pass outside; anything else is watched in time more often.
  private func reason(_ before: Place, _ after: Place) -> String {
    let reason = proposal.reason
    if after.radiusMeters < before.radiusMeters {
      return "The phone was already inside when it began to watch the circle "
        + "(\(ReportNumber.counted(reason.insideUnnoticed, "time"))). A smaller circle is entered later"
    }
    guard reason.passing > 0, let meters = reason.passingMeters else { return lossReason }
    let passing = ReportNumber.counted(reason.passing, "walk")
    let isOne = reason.passing == 1
    let outside =
      max(
        0, meters.lowerBound - before.radiusMeters)...max(
        0, meters.upperBound - before.radiusMeters)
    return "\(isOne ? "One walk" : passing) \(isOne ? "passes" : "pass") "
      + "\(Self.span(outside)) outside"
  }

  /// Explains a change that only makes the phone watch the story earlier or longer.
  private var lossReason: String {
    let lost = proposal.reason.lost
    guard lost > 0 || proposal.effect.simulated == nil else {
      return "The simulated phone often misses it as it is"
    }
    return "It was watched too late or not at all on \(ReportNumber.counted(lost, "walk")); "
      + "with this change, the phone watches it in time"
  }

  /// The losses, such as `5 entries were missed and 2 noticed late; with this change, 0 and 0`.
  private var losses: String {
    let (before, after) = (proposal.effect.before.counts, proposal.effect.after.counts)
    let missed = ReportNumber.counted(before.missed, "entry")
    return "\(missed) \(before.missed == 1 ? "was" : "were") missed and "
      + "\(ReportNumber.count(before.late)) noticed late; with this change, "
      + "\(ReportNumber.count(after.missed)) and \(ReportNumber.count(after.late))"
  }

  /// Two distances as a range, or as one if they read the same.
  private static func span(_ meters: ClosedRange<Double>) -> String {
    let (least, greatest) = (
      ReportNumber.distance(meters.lowerBound), ReportNumber.distance(meters.upperBound)
    )
    return least == greatest ? least : "\(least) to \(greatest)"
  }

  private func radius(_ place: Place) -> String {
    ReportNumber.distance(place.radiusMeters)
  }

  /// How far and in which direction, such as `32 m northeast`.
  private func way(from before: Place, to after: Place) -> String {
    let course = Geodesic.inverse(from: before.coordinate, to: after.coordinate)
    let points = [
      "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
    ]
    let turn = (course.startAzimuthDegrees + 360).truncatingRemainder(dividingBy: 360)
    let point = points[Int((turn / 45).rounded()) % 8]
    return "\(ReportNumber.distance(course.distanceMeters)) \(point)"
  }
}

extension MonitoringOptions {
  /// The command options that turn another rule into this one, such as `--refresh adaptive`.
  ///
  /// Covers only what advice can change: limit, significant change, ranking and refresh.
  package func arguments(insteadOf other: MonitoringOptions) -> [String] {
    var arguments: [String] = []
    if limit != other.limit { arguments += ["--limit", limit.map(String.init) ?? "none"] }
    if refresh != other.refresh { arguments += ["--refresh", refresh.rawValue] }
    guard refresh == .fixed else { return arguments }
    if significantChangeMeters != other.significantChangeMeters {
      arguments += [
        "--significant-change", ReportNumber.text(significantChangeMeters, decimals: 3),
      ]
    }
    if rank != other.rank { arguments += ["--rank", rank.rawValue] }
    return arguments
  }
}
