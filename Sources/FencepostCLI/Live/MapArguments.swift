import ArgumentParser
import HTTP

/// The map of a live session, where one is wanted.
struct MapArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Shows a map to browsers at this address, such as 127.0.0.1:8080; port 0 is one that is free.",
      valueName: "host:port"))
  var map: String?

  @Option(
    help: ArgumentHelp(
      "What a browser must know to see the map: as ?token=… in the address, or as the password.",
      discussion: """
        Needed where others can reach the address. The variable FENCEPOST_TOKEN does the same, and \
        is not seen in the list of processes.
        """,
      valueName: "text"))
  var mapToken: String?

  @OptionGroup
  var hosts: HostArguments

  /// Where the map is to be, nil where none is wanted.
  func place() throws -> WebPlace? {
    guard let map else { return nil }
    return try WebPlace(
      map, token: mapToken, hosts: hosts.allowHost, option: "--map", tokenOption: "--map-token")
  }

  func validate() throws {
    if map == nil, mapToken != nil || !hosts.allowHost.isEmpty {
      throw ValidationError("--map-token and --allow-host belong to --map")
    }
    _ = try place()
  }
}

/// Names by which a server is known.
struct HostArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A further name by which browsers may reach the address; repeatable.",
      discussion: """
        Needed for names of this machine where no token is asked for, and for the name of a proxy that \
        sends requests on under another.
        """,
      valueName: "name"))
  var allowHost: [String] = []
}

/// Where a server listens and what it asks for, checked.
struct WebPlace {
  /// Where it listens.
  var address: HTTPAddress
  /// What clients must know, nil for nothing.
  var token: String?
  /// Names by which it is known besides.
  var hosts: [String]

  /// Checks what the user wrote.
  ///
  /// - Parameters:
  ///   - text: The address.
  ///   - token: What clients must know; the environment's is taken where there is none.
  ///   - hosts: Further names.
  ///   - option: The name of the option with the address, for messages.
  ///   - tokenOption: The name of the option with the token, for messages.
  /// - Throws: `ValidationError`.
  init(
    _ text: String, token: String?, hosts: [String], option: String, tokenOption: String
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
  }
}
