public import FencepostHTTP
import FencepostLive
import Foundation
import FencepostMonitoring
public import FencepostTiles

/// A studio for walks and stories, served to a browser.
///
/// ```swift
/// let studio = try Studio(options)
/// studio.start()
/// ```
///
/// It keeps everything in memory; the store is changed by a save alone.
public final class Studio: Sendable {
  /// How the studio is served.
  public struct Options: Sendable {
    /// Where it listens.
    public var address: HTTPAddress
    /// The secret that browsers must present; nil for none.
    public var token: String?
    /// Host names that are accepted besides the server's address and this machine's names.
    public var hostNames: [String] = []
    /// What it shows.
    public var scene: StudioScene
    /// The map library.
    public var library: PageWriter.MapLibrary
    /// Street tiles from a file; nil to offer those of the network.
    public var tiles: TileFile?
    /// How many tracks are followed at a time.
    public var jobs = 1
    /// Receives sentences for the user, on the server's thread.
    public var say: @Sendable (String) -> Void = { _ in }

    /// Makes options; everything else has a default.
    public init(address: HTTPAddress, scene: StudioScene, library: PageWriter.MapLibrary) {
      self.address = address
      self.scene = scene
      self.library = library
    }
  }

  private let options: Options
  private let server: HTTPServer
  private let clerk: StudioClerk

  /// Reads the places and binds the address; requests wait until ``start()``.
  ///
  /// - Throws: `ListeningError`, `PlaceStoreError`, or `PlaceIndexError` for a place that cannot be.
  public init(_ options: Options) throws {
    self.options = options
    clerk = StudioClerk(
      desk: try StudioDesk(
        options.scene, base: try options.scene.places(), jobs: options.jobs), jobs: options.jobs)
    server = try HTTPServer(options.address, limits: Self.limits)
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
  public var port: UInt16 { server.port }

  /// The address for a browser on this machine, with the secret in it.
  public var url: String {
    var address = options.address
    address.port = port
    // A browser cannot open a wildcard address; localhost always works on this machine.
    if ["", "0.0.0.0", "::"].contains(address.host) { address.host = "localhost" }
    let secret = options.token.map { "?token=" + Percent.encoded($0) } ?? ""
    return "http://\(address.text)/\(secret)"
  }

  /// Starts serving.
  public func start() {
    server.start { [options, clerk, port] in
      let own = ProcessInfo.processInfo.hostName.lowercased()
      let access = SiteAccess(
        address: options.address, port: port,
        ownNames: options.address.isLoopback ? [] : [own, own + ".local"],
        allowedNames: Set(options.hostNames.map { $0.lowercased() }),
        token: options.token.map { Credential($0) }, log: RefusalLog(say: options.say))
      let site = StudioSite(
        access: access, library: options.library, tiles: TileSite(options.tiles), clerk: clerk)
      return HTTPHandler(
        answerByHead: { site.answerByHead($0) }, answer: { request, _ in site.answer(request) })
    }
  }

  /// Stops serving and closes every connection.
  public func stop() {
    server.stop()
  }

  /// A secret that nobody guesses: 128 bits as letters and digits.
  public static func makeToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(UInt64.random(in: .min ... .max, using: &random), radix: 36) }
      .joined()
  }
}
