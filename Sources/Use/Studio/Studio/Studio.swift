#if Command
import FencepostHTTP
import FencepostLive
import FencepostMonitoring

/// A studio for walks and stories, served to a browser.
///
/// It keeps everything in memory. Only saving changes the store.
package final class Studio: Sendable {
  private let options: StudioOptions
  private let server: HTTPServer
  private let state: StudioState

  /// Reads the places and binds the address; requests wait until ``start()``.
  ///
  /// - Throws: `ListeningError`, `PlaceStoreError`, or `PlaceIndexError` for an invalid place.
  package init(_ options: StudioOptions) throws {
    self.options = options
    state = try StudioState(options.scene, jobs: options.jobs, executor: options.executor)
    server = try HTTPServer(options.site.address, limits: Self.limits)
  }

  /// A user's own tracks may be large, and take a while to process.
  private static var limits: HTTPLimits {
    var limits = HTTPLimits()
    limits.bodyBytes = 256 << 20
    limits.allBodyBytes = 512 << 20
    limits.answerMilliseconds = 300_000
    return limits
  }

  /// The port that the server listens on, also if the system chose it.
  package var port: UInt16 { server.port }

  /// The address for a browser on this machine, including the secret.
  package var url: String { options.site.url(port: port, hasToken: true) }

  /// Answers requests from now on.
  package func start() {
    server.start { [options, state, port] in
      let site = StudioSite(
        access: options.site.access(port: port), library: options.site.library,
        tiles: TileSite(options.site), state: state)
      return HTTPHandler(
        answerByHead: { site.answerByHead($0) }, answer: { request, _ in site.answer(request) })
    }
  }

  /// Ends all connections at once.
  package func stop() {
    server.stop()
  }

  /// A random secret of 128 bits as letters and digits.
  package static func makeToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(UInt64.random(in: .min ... .max, using: &random), radix: 36) }
      .joined()
  }
}

/// What the studio shows, and where it is served.
///
/// The scene may be large, since it holds all tracks in memory.
package struct StudioOptions: Sendable {
  /// Where the page is served, and the token that it asks for.
  package var site: SiteOptions
  /// What the page opens with.
  package var scene: StudioScene
  /// The number of tracks to analyze in parallel, at least 1.
  package var jobs = 1
  /// Where answers are worked out; nil for the system's threads of tasks.
  package var executor: (any TaskExecutor)?

  /// Creates options for one track at a time.
  package init(_ site: SiteOptions, scene: StudioScene) {
    self.site = site
    self.scene = scene
  }
}
#endif
