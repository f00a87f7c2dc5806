import ArgumentParser
import FencepostHTTP
import FencepostStudio

struct MapArguments: ParsableArguments {
  @Option(
    help: .value(
      "host:port", "Show a map at this address, such as 127.0.0.1:8080. Port 0 picks a free port."))
  var map: String?

  @Option(
    help: .value(
      "token", "Ask browsers for this token, as ?token=... in the address or as the password.",
      """
      Required if others can reach the address. Prefer the variable FENCEPOST_TOKEN: other \
      users of the machine can see the command line.
      """))
  var mapToken: String?

  @OptionGroup var hosts: HostArguments

  @OptionGroup var tiles: TileArguments

  func place() throws -> WebPlace? {
    guard let map else { return nil }
    return try WebPlace(
      map, token: mapToken, hosts: hosts.allowHost, tiles: tiles, option: "--map",
      tokenOption: "--map-token")
  }

  func validate() throws {
    if map == nil, mapToken != nil || !hosts.allowHost.isEmpty || tiles.tiles != nil {
      throw ValidationError("--map-token, --allow-host and --tiles need --map")
    }
    _ = try place()
  }
}

struct HostArguments: ParsableArguments {
  @Option(
    help: .value(
      "name", "Also accept this host name from browsers. Repeatable.",
      """
      Without a token, name every other name of this machine that browsers use. Also name a \
      proxy that forwards requests under a name of its own.
      """))
  var allowHost: [String] = []
}

/// A validated server address with its token and host names.
struct WebPlace {
  var address: HTTPAddress
  var token: String?
  var hosts: [String]
  var tiles: TileArguments

  /// Validates the user's options, naming the given options in messages.
  init(
    _ text: String, token: String?, hosts: [String], tiles: TileArguments,
    option: String = "--listen", tokenOption: String = "--token"
  ) throws {
    guard let address = HTTPAddress(text) else {
      throw ValidationError(
        "\(option): “\(text)” is not an address. Write HOST:PORT, such as "
          + "127.0.0.1:8080 or [::1]:8080."
      )
    }
    let token = token ?? Terminal.variable("FENCEPOST_TOKEN")
    if token?.isEmpty == true { throw ValidationError("\(tokenOption) must not be empty") }
    if !address.isLoopback, token == nil {
      throw ValidationError(
        "\(text) can be reached from the network. Set \(tokenOption), or listen on 127.0.0.1.")
    }
    self.address = address
    self.token = token
    self.hosts = hosts
    self.tiles = tiles
  }

  /// The site to serve; throws if the pages' library is missing.
  func site() throws -> SiteOptions {
    var site = SiteOptions(address: address, library: try InputFile.mapLibrary())
    site.token = token
    site.hostNames = hosts
    site.tiles = try tiles.open()
    site.say = { StandardError.say($0) }
    return site
  }
}
