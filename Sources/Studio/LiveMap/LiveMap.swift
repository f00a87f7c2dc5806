public import Fencepost
import Foundation
public import FencepostHTTP
public import FencepostLive
import FencepostMonitoring
public import FencepostPlaces
public import FencepostTiles
import FencepostReporting

/// A map of a live session, served to browsers.
///
/// ```swift
/// let map = try LiveMap(options)
/// map.start()
/// runner.run(reader: reader, state: nil, observer: map.observer)
/// map.stop()
/// ```
///
/// Browsers never delay the session: it records changes in memory, and the map serves them from a thread
/// of its own.
public final class LiveMap: Sendable {
  /// How the map is served.
  public struct Options: Sendable {
    /// Where it listens.
    public var address: HTTPAddress
    /// The secret that browsers must present; nil for none.
    public var token: String?
    /// Host names that are accepted besides the server's address and this machine's names.
    public var hostNames: [String] = []
    /// What clients may ask for, and how much.
    public var limits = HTTPLimits()
    /// Where the places are.
    public var store: PlaceStore
    /// The map library.
    public var library: PageWriter.MapLibrary
    /// Street tiles from a file; nil to offer those of the network.
    public var tiles: TileFile?
    /// The rules of the session.
    public var session: TrackSession.Options
    /// Accepts posted fixes; nil to accept none.
    package var ingest: FixIngestHandler?
    /// Receives sentences for the user, on the server's thread.
    public var say: @Sendable (String) -> Void = { _ in }

    /// Makes options; everything else has a default.
    public init(
      address: HTTPAddress, store: PlaceStore, library: PageWriter.MapLibrary,
      session: TrackSession.Options
    ) {
      self.address = address
      self.store = store
      self.library = library
      self.session = session
    }
  }

  private let options: Options
  private let server: HTTPServer
  private let mapState: LiveMapState

  /// Binds the address; requests wait until ``start()``.
  ///
  /// - Throws: `ListeningError`.
  public init(_ options: Options) throws(ListeningError) {
    self.options = options
    let server = try HTTPServer(options.address, limits: options.limits)
    self.server = server
    let rule = options.session.monitoring
    mapState = LiveMapState(
      breaks: PathBreaks(
        maxGapMilliseconds: rule.maxGapMilliseconds,
        maxSpeedMetersPerSecond: rule.maxSpeedMetersPerSecond),
      onChange: { server.wake() })
  }

  /// The port it listens on.
  public var port: UInt16 { server.port }

  /// The address for a browser on this machine.
  public var url: String {
    var address = options.address
    address.port = port
    // A browser cannot open a wildcard address; localhost always works on this machine.
    if ["", "0.0.0.0", "::"].contains(address.host) { address.host = "localhost" }
    return "http://\(address.text)/"
  }

  /// Observes the session.
  public var observer: LiveObserver {
    { [mapState] update in mapState.take(update) }
  }

  /// Starts serving.
  public func start() {
    let run = String(UInt64.random(in: .min ... .max), radix: 36)
    server.start { [options, mapState, port] in
      let site = LiveSite(
        access: Self.access(options, port), library: options.library,
        tiles: TileSite(options.tiles), mapState: mapState,
        encoder: MapEncoder(
          lookup: PlaceLookup(options.store),
          words: SuppressionWords(alerts: options.session.alerts),
          rule: RuleWords.sentence(options.session.monitoring)
            + StageWords.sentence(
              options.session.monitoring, alertsOn: options.session.alertsOn)),
        ingest: options.ingest, run: run)
      return HTTPHandler(
        answerByHead: { site.answerByHead($0) },
        answer: { site.answer($0, nowMilliseconds: $1) })
    }
  }

  private static func access(_ options: Options, _ port: UInt16) -> SiteAccess {
    let own = ProcessInfo.processInfo.hostName.lowercased()
    return SiteAccess(
      address: options.address, port: port,
      // The machine's own name comes from the system, never from the request.
      ownNames: options.address.isLoopback ? [] : [own, own + ".local"],
      allowedNames: Set(options.hostNames.map { $0.lowercased() }),
      token: options.token.map { Credential($0) }, log: RefusalLog(say: options.say))
  }

  /// Stops serving and closes every connection.
  public func stop() {
    server.stop()
  }
}

/// The engine's rule as a sentence for the page.
enum RuleWords {
  /// The sentence, without a full stop.
  static func sentence(_ rule: MonitoringOptions) -> String {
    guard let limit = rule.limit else { return "every place is monitored" }
    let places = limit == 1 ? "the nearest place is" : "the \(limit) nearest places are"
    let edge = rule.rank == .edge || rule.refresh == .adaptive ? " by edge" : ""
    switch rule.refresh {
    case .fixed:
      return "\(places) monitored\(edge), renewed every \(meters(rule.significantChangeMeters))"
    case .adaptive:
      return "\(places) monitored\(edge), renewed before anything can be missed"
    }
  }

  private static func meters(_ value: Double) -> String {
    value < 1000 || value.truncatingRemainder(dividingBy: 100) != 0
      ? "\(Int(value.rounded())) m" : "\((value / 100).rounded() / 10) km"
  }
}
