#if Command
package import FencepostSession
package import FencepostHTTP
package import FencepostLive
import FencepostMonitoring
package import FencepostNotifications
package import FencepostPlaces
import FencepostReporting

/// A map of a live session, served to browsers.
///
/// Pass ``observer`` to the session's `LiveRunner`, call ``start()`` before the session runs and
/// ``stop()`` after it. Browsers never delay the session: it records changes in memory, and the map
/// serves them from its own thread.
package final class LiveMap: Sendable {
  private let options: LiveMapOptions
  private let server: HTTPServer
  private let stories: StoriesInUse
  private let mapState: LiveMapState

  /// Binds the address; requests wait until ``start()``.
  ///
  /// - Throws: `ListeningError`.
  package init(_ options: LiveMapOptions) throws(ListeningError) {
    self.options = options
    let server = try HTTPServer(
      options.site.address, limits: options.limits, descriptor: options.descriptor)
    self.server = server
    stories = StoriesInUse(options.store)
    let rule = options.session.monitoring
    mapState = LiveMapState(
      breaks: PathBreaks(
        maxGapMilliseconds: rule.maxGapMilliseconds,
        maxSpeedMetersPerSecond: rule.maxSpeedMetersPerSecond),
      onChange: { server.wake() })
  }

  /// The port that the server listens on, also if the system chose it.
  package var port: UInt16 { server.port }

  /// The secret that browsers must send once; nil for none.
  package var token: String? { options.site.token }

  /// The address of the map for a browser on this machine, without the secret.
  package var url: String { options.site.url(port: port, hasToken: false) }

  /// Passes the session's updates to the map.
  package var observer: LiveObserver {
    { [mapState, stories] update in
      if case .places(let store) = update { stories.replace(by: store) }
      mapState.take(update)
    }
  }

  /// Answers requests from now on.
  ///
  /// - Parameter browserSecret: What browsers that were signed in before send in their cookies; nil
  ///   has all of them sign in.
  package func start(browserSecret: String? = nil) {
    let run = String(UInt64.random(in: .min ... .max), radix: 36)
    server.start { [options, mapState, stories, port, units = ShownUnits.current] in
      let encoder = ShownUnits.$current.withValue(units) {
        MapEncoder(
          lookup: PlaceLookup(stories),
          words: SuppressionWords(alerts: options.session.alerts),
          rule: RuleWords.sentence(options.session.monitoring)
            + ConfirmationWords.sentence(
              options.session.monitoring, alertsOn: options.session.alertsOn),
          zone: options.zone.identifier)
      }
      let site = LiveSite(
        access: options.site.access(port: port, browserSecret: browserSecret),
        library: options.site.library,
        tiles: TileSite(options.site), mapState: mapState, encoder: encoder,
        ingest: options.ingest, monitor: options.monitor, run: run)
      return HTTPHandler(
        answerByHead: { site.answerByHead($0) },
        answer: { site.answer($0, nowMilliseconds: $1) })
    }
  }

  /// Answers the requests that have come, for at most so long, and accepts no further connection.
  package func drain(milliseconds: Int64) {
    server.drain(milliseconds: milliseconds)
  }

  /// Ends all connections at once.
  package func stop() {
    server.stop()
  }
}

/// What the map shows, where it is served, and whether it accepts fixes.
///
/// Set everything before the map is made.
package struct LiveMapOptions: Sendable {
  /// Where the map is served, and who may see it.
  package var site: SiteOptions
  /// How much the server keeps for its clients.
  package var limits = HTTPLimits()
  /// The stories around the devices, which the map reads on demand.
  package var store: PlaceStore
  /// The rules of the session, which the page puts into words.
  package var session: TrackSessionOptions
  /// The time zone of displayed times.
  package var zone = ClockZone.utc
  /// Accepts posted fixes; nil to accept none.
  package var ingest: FixIngestHandler?
  /// Answers monitoring systems; nil to answer none.
  package var monitor: ServiceMonitor?
  /// A listening socket that the program was started with; nil to bind the address.
  package var descriptor: Int32?

  /// Creates options for a map that neither accepts fixes nor answers monitoring systems.
  package init(_ site: SiteOptions, store: PlaceStore, session: TrackSessionOptions) {
    self.site = site
    self.store = store
    self.session = session
  }
}

/// Puts the rule of a session into words, for viewers of the map who did not choose it.
enum RuleWords {
  /// The engine's rule as a sentence for the page, without a period.
  static func sentence(_ rule: MonitoringOptions) -> String {
    guard let limit = rule.limit else { return "every circle is watched" }
    let edge = rule.rank == .edge || rule.refresh == .adaptive ? " by edge" : ""
    let circles =
      limit == 1
      ? "the nearest circle\(edge) is watched" : "the \(limit) nearest circles\(edge) are watched"
    switch rule.refresh {
    case .fixed:
      return "\(circles), looked up again every \(meters(rule.significantChangeMeters))"
    case .adaptive:
      return "\(circles), looked up again before anything can be missed"
    }
  }

  /// A distance in the units of the program, in kilometers from 1 km on if no digit is lost.
  private static func meters(_ value: Double) -> String {
    if ShownUnits.current == .imperial { return ReportNumber.distance(value) }
    return value < 1000 || value.truncatingRemainder(dividingBy: 100) != 0
      ? "\(Int(value.rounded())) m" : "\((value / 100).rounded() / 10) km"
  }
}
#endif
