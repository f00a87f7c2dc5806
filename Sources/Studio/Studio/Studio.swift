import FencepostHTTP
import FencepostLive
import FencepostMonitoring

/// A studio for walks and stories, served to a browser.
///
/// ```swift
/// let studio = try Studio(options)
/// studio.start()
/// ```
///
/// It keeps everything in memory; the store is changed by a save alone.
package final class Studio: Sendable {
  /// How the studio is served.
  package struct Options: Sendable {
    /// How the page is served.
    package var site: SiteOptions
    /// What it shows.
    package var scene: StudioScene
    /// How many tracks are followed at a time.
    package var jobs = 1

    /// Makes options; everything else has a default.
    package init(_ site: SiteOptions, scene: StudioScene) {
      self.site = site
      self.scene = scene
    }
  }

  private let options: Options
  private let server: HTTPServer
  private let trials: StudioTrials

  /// Reads the places and binds the address; requests wait until ``start()``.
  ///
  /// - Throws: `ListeningError`, `PlaceStoreError`, or `PlaceIndexError` for a place that cannot be.
  package init(_ options: Options) throws {
    self.options = options
    trials = try StudioTrials(options.scene, jobs: options.jobs)
    server = try HTTPServer(options.site.address, limits: Self.limits)
  }

  /// A person's own tracks may be large, and take a while to follow.
  private static var limits: HTTPLimits {
    var limits = HTTPLimits()
    limits.bodyBytes = 256 << 20
    limits.allBodyBytes = 512 << 20
    limits.answerMilliseconds = 300_000
    return limits
  }

  /// The port it listens on.
  package var port: UInt16 { server.port }

  /// The address for a browser on this machine, with the secret in it.
  package var url: String { options.site.url(port: port, hasToken: true) }

  /// Starts serving.
  package func start() {
    server.start { [options, trials, port] in
      let site = StudioSite(
        access: options.site.access(port: port), library: options.site.library,
        tiles: TileSite(options.site.tiles), trials: trials)
      return HTTPHandler(
        answerByHead: { site.answerByHead($0) }, answer: { request, _ in site.answer(request) })
    }
  }

  /// Stops serving and closes every connection.
  package func stop() {
    server.stop()
  }

  /// A secret that nobody guesses: 128 bits as letters and digits.
  package static func makeToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(UInt64.random(in: .min ... .max, using: &random), radix: 36) }
      .joined()
  }
}
