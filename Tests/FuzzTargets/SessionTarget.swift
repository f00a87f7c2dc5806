import FencepostTracks
import FencepostSession
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// A track through a whole session, and its events in every form they can be written in.
///
/// The first byte chooses the rule.
enum SessionTarget {
  static func check(_ bytes: [UInt8]) throws(Finding) {
    guard let choice = bytes.first else { return }
    var stream = FixStream()
    var batch = FixBatch()
    do throws(DecodeError) {
      try stream.feed(bytes.span.extracting(droppingFirst: 1), into: &batch)
      try stream.finish(into: &batch)
    } catch {
      // What was good before the fault is followed.
    }
    guard !batch.fixes.isEmpty else { return }
    let source: PlaceIndex
    do {
      source = try PlaceIndex(places(along: batch.fixes.prefix(16).map(\.coordinate)))
    } catch {
      throw Finding("\(error)")
    }
    var session = TrackSession(name: "<&\"track\u{7F}>", source: source, options: options(choice))
    var events: [Event] = []
    session.follow(batch.fixes) { events.append($0) }
    session.finish(rejected: ["late": 1], error: choice & 1 == 0 ? nil : "]]> \"\n") {
      events.append($0)
    }
    try check(events, fixCount: batch.fixes.count)
    try EventForms.check(events)
  }

  /// Circles on a path and beside it, or hardly anything would happen.
  private static func places(along path: [Coordinate]) -> [Place] {
    path.enumerated().map { index, coordinate in
      let latitude = max(-90, min(90, coordinate.latitudeDegrees + 0.0007))
      return Place(
        id: "p\(index)\"<&>,\u{2028}", title: "</script>\n\u{1}é", url: "a&b",
        coordinate: Coordinate(
          latitudeDegrees: latitude, longitudeDegrees: coordinate.longitudeDegrees),
        radiusMeters: [50.0, 100, 777, 20_000][index % 4])
    }
  }

  private static func options(_ choice: UInt8) -> TrackSessionOptions {
    var options = TrackSessionOptions()
    options.monitoring.limit = choice & 1 == 0 ? 3 : nil
    options.monitoring.refresh = choice & 2 == 0 ? .fixed : .adaptive
    options.monitoring.initial = choice & 4 == 0 ? .silent : .enter
    options.monitoring.joinsSegments = choice & 8 != 0
    if choice & 16 != 0 {
      options.monitoring.maxGapMilliseconds = nil
      options.monitoring.maxSpeedMetersPerSecond = nil
    }
    if choice & 32 != 0 { options.monitoring.exitMarginMeters = 25 }
    if choice & 64 != 0 { options.monitoring.minIntervalMilliseconds = 60_000 }
    if choice & 128 != 0 { options.alerts.maxAlertSpeedMetersPerSecond = 10 }
    return options
  }

  /// Events lie on the path in its order, and the summary counts them.
  private static func check(_ events: [Event], fixCount: Int) throws(Finding) {
    guard case .summary(let summary)? = events.last else {
      throw Finding("there is no summary")
    }
    var (enters, exits, alerts, suppressed) = (0, 0, 0, 0)
    var last = (fix: 0, fraction: 0.0)
    for event in events {
      let met: Encounter
      switch event {
      case .enter(let encounter): (met, enters) = (encounter, enters + 1)
      case .exit(let encounter): (met, exits) = (encounter, exits + 1)
      case .dwell(let encounter): met = encounter
      case .alert(let encounter, _): (met, alerts) = (encounter, alerts + 1)
      case .suppressed(let encounter, _): (met, suppressed) = (encounter, suppressed + 1)
      case .reminder: throw Finding("there is a reminder, of which nobody told")
      case .refresh, .summary: continue
      }
      try demand(0...1 ~= met.fraction, "a fraction is \(met.fraction)")
      try demand(met.coordinate.isValid, "an event lies at \(met.coordinate)")
      try demand(met.distanceMeters >= 0, "a distance is \(met.distanceMeters)")
      try demand(0..<fixCount ~= met.fix, "an event is of fix \(met.fix) of \(fixCount)")
      try demand((met.fix, met.fraction) >= last, "events are out of order")
      last = (met.fix, met.fraction)
    }
    try demand(
      summary.enters == enters && summary.exits == exits && summary.alerts == alerts
        && suppressed == summary.suppressed.values.reduce(0, +) && enters == alerts + suppressed,
      "the summary counts something else")
    try demand(summary.fixes == fixCount, "\(summary.fixes) of \(fixCount) fixes are counted")
    try demand(summary.lengthMeters >= 0 && summary.lengthMeters.isFinite, "the length is none")
  }
}
