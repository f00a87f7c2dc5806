import Fencepost
package import FencepostAnalysis
import FencepostGeodesy
package import FencepostMonitoring
import FencepostNotifications

/// Explains a proposal to an editor: what it changes and why.
///
/// Sentences have no final period.
package struct AdviceSentences: Sendable {
  private static let mostNames = 3

  private let proposal: Advice.Proposal
  private let zone: ClockZone
  private let mostAfterwards: Int?

  /// Creates sentences with dates on the clock of the options' zone.
  package init(_ proposal: Advice.Proposal, _ options: AdviceOptions = AdviceOptions()) {
    self.proposal = proposal
    (zone, mostAfterwards) = (options.zone, options.mostAfterwards)
  }

  /// What to do, such as `Radius 60 m to 115 m: Christ Church`.
  package var change: String {
    let change = proposal.change
    return switch change.kind {
    case .radius:
      "Radius \(radius(change.before[0])) to \(radius(change.after)): \(names(change.before))"
    case .position: "Move \(way): \(names(change.before))"
    case .merge: "Merge: \(names(change.before))"
    case .drop: "Drop: \(names(change.before))"
    case .dates: "\(dates): \(names(change.before))"
    case .hours: "Quiet hours: \(change.quietHours?.text ?? "")"
    case .rule: "Rule: \(change.rule?.sentence() ?? "")"
    }
  }

  package var why: String {
    if let mostAfterwards { return lossReason(mostAfterwards) }
    return switch proposal.change.kind {
    case .radius, .position: circleReason
    case .merge:
      "They are at the same position, and the extra ones took slots "
        + "\(times(proposal.reason.monitored)). As one story they leave room for others. " + losses
    case .drop:
      "No walk comes within \(ReportNumber.distance(proposal.reason.farMeters ?? 0)) of "
        + "\(proposal.change.before.count == 1 ? "it, yet it took a slot" : "them, yet they took slots") "
        + "\(times(proposal.reason.monitored)), in place of stories that walks passed. " + losses
    case .dates: datesReason
    case .hours:
      "The quiet hours held back \(ReportNumber.counted(proposal.reason.heldBack, "entry")) "
        + "at times that are no longer quiet. From 22:00 to 07:00 nothing changes"
    case .rule: losses
    }
  }

  private var circleReason: String {
    let (reason, change) = (proposal.reason, proposal.change)
    let isShrunk = (change.after?.radiusMeters ?? 0) < change.before[0].radiusMeters
    if isShrunk {
      return "The phone was already inside when it began to watch the circle "
        + "(\(times(reason.insideUnnoticed))). A smaller circle is entered later"
    }
    let apart =
      reason.sharesSpot && proposal.effect.alerts > reason.passing
      ? "; it then alerts separately from the others at its position" : ""
    guard reason.passing > 0, let meters = reason.passingMeters else { return rankReason + apart }
    let passing = ReportNumber.counted(reason.passing, "walk")
    let isOne = reason.passing == 1
    let span = Self.span(meters)
    let reach =
      change.kind == .radius
      ? "a radius of \(radius(change.after)) reaches \(isOne ? "it" : "them")"
      : "from there the same circle reaches \(isOne ? "it" : "them")"
    return "\(passing) \(isOne ? "passes" : "pass") it at \(span), outside its circle of "
      + "\(radius(change.before[0])); \(reach)\(apart)"
  }

  private var rankReason: String {
    let tracks = ReportNumber.counted(proposal.reason.lost, "walk")
    guard proposal.reason.lost > 0 || proposal.effect.simulated == nil else {
      return "The simulated phone often misses it as it is"
    }
    guard let rank = proposal.reason.rank, rank > 1 else {
      return "It was watched too late or not at all on \(tracks); "
        + "with this change, the phone is watching it on entry"
    }
    let nearer = ReportNumber.counted(rank - 1, "story was", "stories were")
    return "It was watched too late or not at all on \(tracks), because at best \(nearer) nearer; "
      + "with this change, the phone watches it in time"
  }

  /// What to do about the dates, such as `Publish by 2026-03-04`.
  private var dates: String {
    let (before, after) = (proposal.change.before[0], proposal.change.after)
    var words: [String] = []
    if let published = after?.publishedMilliseconds, published != before.publishedMilliseconds {
      words.append("Publish by \(day(published))")
    }
    if let expires = after?.expiresMilliseconds, expires != before.expiresMilliseconds {
      words.append("\(words.isEmpty ? "Keep" : "keep") to the end of \(day(expires - 1))")
    }
    return words.joined(separator: " and ")
  }

  private var datesReason: String {
    let story = proposal.change.before[0]
    let dates = [
      ("published", story.publishedMilliseconds), ("expired", story.expiresMilliseconds),
    ].compactMap { name, date in date.map { "\(name) on \(day($0))" } }
    let entries = ReportNumber.counted(proposal.reason.heldBack, "entry was", "entries were")
    return "\(entries) held back, because the story is \(dates.joined(separator: " and "))"
  }

  private func day(_ milliseconds: Int64) -> String {
    String(LocalTime(atMilliseconds: milliseconds, in: zone).description.prefix(10))
  }

  /// The losses, such as `5 entries were missed and 2 noticed late; with this change, 0 and 0`.
  private var losses: String {
    let (before, after) = (proposal.effect.before.counts, proposal.effect.after.counts)
    let missed = ReportNumber.counted(before.missed, "entry")
    return "\(missed) \(before.missed == 1 ? "was" : "were") missed and "
      + "\(ReportNumber.count(before.late)) noticed late; with this change, "
      + "\(ReportNumber.count(after.missed)) and \(ReportNumber.count(after.late))"
  }

  private func lossReason(_ most: Int) -> String {
    let (reason, rest) = (proposal.reason, Self.excess(proposal.effect, over: most))
    guard reason.alerts > 0 else { return rest }
    let which = proposal.change.quietHours == nil ? "Its alerts" : "Alerts at these times"
    return "\(which) on days with more than \(most): \(ReportNumber.count(reason.crowded)) of "
      + "\(ReportNumber.count(reason.alerts)). \(rest)"
  }

  // MARK: Words

  /// Text such as `Alerts beyond 5 per reader and day: 42 before, 31 after`.
  static func excess(_ effect: Advice.Effect, over most: Int) -> String {
    let (before, after) = (effect.before.fatigue, effect.after.fatigue)
    return "Alerts beyond \(most) per reader and day: "
      + ReportNumber.change(before.excess(over: most), after.excess(over: most))
  }

  private static func span(_ meters: ClosedRange<Double>) -> String {
    let (least, greatest) = (
      ReportNumber.distance(meters.lowerBound), ReportNumber.distance(meters.upperBound)
    )
    return least == greatest ? least : "\(least) to \(greatest)"
  }

  private func times(_ count: Int) -> String { ReportNumber.counted(count, "time") }

  private func radius(_ place: Place?) -> String {
    ReportNumber.shortDistance(place?.radiusMeters ?? .nan, decimals: 2)
  }

  /// Up to three names, such as `A, B and 4 more`.
  private func names(_ places: [Place]) -> String {
    var names = places.map { $0.title.isEmpty ? $0.id : $0.title }
    let more = names.count - Self.mostNames
    if more > 0 { names = names.prefix(Self.mostNames) + ["\(more) more"] }
    return names.count == 1
      ? names[0] : names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
  }

  /// How far and in which direction, such as `32 m northeast`.
  private var way: String {
    guard let after = proposal.change.after else { return "" }
    let course = Geodesic.inverse(from: proposal.change.before[0].coordinate, to: after.coordinate)
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
