import ArgumentParser
import FencepostHTTP
import FencepostStudio

struct MapArguments: ParsableArguments {
  @Option(
    help: .value(
      "host:port",
      "Shows a map to browsers at this address, such as 127.0.0.1:8080; port 0 is one that is free."
    ))
  var map: String?

  @Option(
    help: .value(
      "text",
      "What a browser must know to see the map: as ?token=… in the address, or as the password.",
      """
      Needed where others can reach the address. The variable FENCEPOST_TOKEN does the same, and \
      is not seen in the list of processes.
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
      throw ValidationError("--map-token, --allow-host and --tiles belong to --map")
    }
    _ = try place()
  }
}

struct HostArguments: ParsableArguments {
  @Option(
    help: .value(
      "name", "A further name by which browsers may reach the address; repeatable.",
      """
      Needed for names of this machine where no token is asked for, and for the name of a proxy that \
      sends requests on under another.
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
        "\(option): ‘\(text)’ is no address; it is HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080")
    }
    let token = token ?? Terminal.variable("FENCEPOST_TOKEN")
    if token?.isEmpty == true { throw ValidationError("\(tokenOption) is not empty") }
    if !address.isLoopback, token == nil {
      throw ValidationError(
        "others can reach \(text): \(tokenOption) says what they must know to be let in")
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
