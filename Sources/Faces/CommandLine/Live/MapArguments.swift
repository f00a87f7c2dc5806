#if Command
import ArgumentParser
import FencepostHTTP
import FencepostStudio
import FencepostTiles
import FoundationEssentials

/// The options of `live` for a map in a browser, which it serves only if asked to.
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

  @OptionGroup var page: PageArguments

  /// The checked address; nil without `--map`.
  func place() throws -> WebPlace? {
    guard let map else { return nil }
    return try WebPlace(
      map, token: mapToken, tokenFile: mapTokenFile, page: page, option: "--map",
      tokenOption: "--map-token")
  }

  func validate() throws {
    let needsMap =
      mapToken != nil || mapTokenFile != nil || !page.allowHost.isEmpty || page.tiles != nil
    try require(map != nil || !needsMap, "--map-token, --allow-host and --tiles need --map")
    _ = try place()
  }
}

/// The options of every page that the program serves.
///
/// The live map and the studio have them.
struct PageArguments: ParsableArguments {
  @Option(
    "name", "Also accept this host name from browsers. Repeatable.",
    "Without a token, name every other name of this machine that browsers use. Also name a "
      + "proxy that forwards requests under a name of its own.")
  var allowHost: [String] = []

  @Option(
    "file", "Read street tiles from an MBTiles file of images, so that the page needs no network.",
    completion: .file(extensions: ["mbtiles"]))
  var tiles: String?

  /// Opens the street tiles; nil if the page is to load them from the network.
  ///
  /// - Throws: ``CommandFailure`` with status 66 if the file cannot be opened, and with 65 if it is
  ///   no MBTiles file of images.
  func openTiles() throws -> TileFile? {
    guard let tiles else { return nil }
    do throws(TileFileError) {
      return try TileFile(path: tiles)
    } catch {
      throw CommandFailure(
        error == .cannotOpen ? .inputMissing : .inputBad, "\(tiles): \(error.description)")
    }
  }
}

/// A validated server address with its token and host names.
///
/// An address that others can reach needs a token. A token file is read only when the site is made.
struct WebPlace {
  private let address: HTTPAddress
  /// The token that the user gave; nil if it is in a file, or none is asked for.
  private var token: String?
  private var tokenFile: String?
  private var page: PageArguments

  /// The listening socket that takes the place of the address, if systemd handed one over.
  let descriptor: Int32?

  /// Whether browsers and phones must show a token.
  var asksForToken: Bool { token != nil || tokenFile != nil }

  /// Validates the user's options, naming the given options in messages.
  ///
  /// A socket that systemd hands over takes the place of the address.
  init(
    _ text: String, token: String?, tokenFile: String?, page: PageArguments,
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
    (self.token, self.tokenFile, self.page) = (token, tokenFile, page)
  }

  /// The site to serve; throws if the pages' library is missing.
  func site() throws -> SiteOptions {
    var site = SiteOptions(address: address, library: try InputFile.mapLibrary())
    site.token = try tokenFile.map(InputFile.firstLine) ?? token
    if let tokenFile, site.token?.isEmpty == true {
      throw CommandFailure(
        .inputBad, "\(tokenFile): the first line is empty. Write the token there.")
    }
    site.hostNames = page.allowHost
    site.tiles = try page.openTiles()
    site.say = { StandardError.say($0) }
    return site
  }
}
#endif
