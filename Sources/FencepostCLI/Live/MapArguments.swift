import ArgumentParser
import FencepostHTTP
import FencepostStudio
import FoundationEssentials

struct MapArguments: ParsableArguments {
  @Option(
    "host:port", "Show a map at this address, such as 127.0.0.1:8080. Port 0 picks a free port.")
  var map: String?

  @Option(
    "token", "Ask browsers for this token, as ?token=... in the address or as the password.",
    "Required if others can reach the address. Prefer the variable FENCEPOST_TOKEN: other "
      + "users of the machine can see the command line.")
  var mapToken: String?

  @Option("file", "Read the token of the map from the first line of FILE.", completion: .file())
  var mapTokenFile: String?

  @OptionGroup var hosts: HostArguments
  @OptionGroup var tiles: TileArguments

  func place() throws -> WebPlace? {
    guard let map else { return nil }
    return try WebPlace(
      map, token: mapToken, tokenFile: mapTokenFile, hosts: hosts.allowHost, tiles: tiles,
      option: "--map", tokenOption: "--map-token")
  }

  func validate() throws {
    let needsMap =
      mapToken != nil || mapTokenFile != nil || !hosts.allowHost.isEmpty || tiles.tiles != nil
    try require(map != nil || !needsMap, "--map-token, --allow-host and --tiles need --map")
    _ = try place()
  }
}

struct HostArguments: ParsableArguments {
  @Option(
    "name", "Also accept this host name from browsers. Repeatable.",
    "Without a token, name every other name of this machine that browsers use. Also name a "
      + "proxy that forwards requests under a name of its own.")
  var allowHost: [String] = []
}

/// A validated server address with its token and host names.
struct WebPlace {
  var address: HTTPAddress
  /// The token that the user gave, if any; see ``secret()``.
  private var token: String?
  private var tokenFile: String?
  var hosts: [String]
  var tiles: TileArguments

  /// The listening socket that takes the place of the address, if systemd handed one over.
  let descriptor: Int32?

  var isHandedOver: Bool { descriptor != nil }

  var asksForToken: Bool { token != nil || tokenFile != nil }

  /// Validates the user's options, naming the given options in messages.
  ///
  /// A socket that systemd hands over takes the place of the address.
  init(
    _ text: String, token: String?, tokenFile: String?, hosts: [String], tiles: TileArguments,
    option: String = "--listen", tokenOption: String = "--token",
    handedOver: (descriptor: Int32, address: HTTPAddress)? = HTTPAddress.handedOver(
      ProcessInfo.processInfo.environment)
  ) throws {
    guard let address = handedOver?.address ?? HTTPAddress(text) else {
      throw ValidationError(
        "\(option): “\(text)” is not an address. Write HOST:PORT, such as "
          + "127.0.0.1:8080 or [::1]:8080.")
    }
    try require(
      token == nil || tokenFile == nil, "\(tokenOption) cannot be used with \(tokenOption)-file")
    let token = token ?? (tokenFile == nil ? Terminal.variable("FENCEPOST_TOKEN") : nil)
    if token?.isEmpty == true { throw ValidationError("\(tokenOption) must not be empty") }
    try require(
      address.isLoopback || token != nil || tokenFile != nil,
      "\(address.text) can be reached from the network. Set \(tokenOption), or listen on "
        + "127.0.0.1.")
    self.address = address
    descriptor = handedOver?.descriptor
    self.token = token
    self.tokenFile = tokenFile
    self.hosts = hosts
    self.tiles = tiles
  }

  /// The token, read from its file if there is one; nil if none is asked for.
  func secret() throws -> String? {
    guard let tokenFile else { return token }
    let secret = try InputFile.firstLine(of: tokenFile)
    guard !secret.isEmpty else {
      throw CommandFailure(
        .inputBad, "\(tokenFile): the first line is empty. Write the token there.")
    }
    return secret
  }

  /// The site to serve; throws if the pages' library is missing.
  func site() throws -> SiteOptions {
    var site = SiteOptions(address: address, library: try InputFile.mapLibrary())
    site.token = try secret()
    site.hostNames = hosts
    site.tiles = try tiles.open()
    site.say = { StandardError.say($0) }
    return site
  }
}
