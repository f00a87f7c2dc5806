#if Command
import ArgumentParser
import FencepostLive
import FencepostReporting
import FencepostTracks

/// The command `serve`: receives fixes of many devices over HTTP and follows each device.
///
/// Phones post in the formats of their apps, and browsers see a live map at the same address. What
/// happens to the fixes is the same as in ``LiveCommand``.
struct ServeCommand: AsyncParsableCommand, ShowsUnits {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Receive fixes over HTTP, report alerts, and show a live map.",
    discussion: """
      The page at the address shows every device: where it is, its path, its watched circles \
      and its alerts. Each device is followed separately.

      Phones post to these addresses:
        OwnTracks       http://HOST:PORT/pub in HTTP mode, with the token as password
        Traccar Client, OsmAnd, Overland
                        http://HOST:PORT/?token=...
        GPSLogger       http://HOST:PORT/log?token=...
        Home Assistant  http://HOST:PORT/api/webhook/TOKEN

      The app names its device. To choose another name, add ?device=NAME. A post that can \
      never be used is accepted, so that the phone can go on, and is reported on standard \
      error.

      Anything else posts to /fixes?device=NAME: JSON objects in lines (time, lat, lon), \
      GPX, NMEA 0183, gpsd JSON, CSV or GeoJSON points, compressed with gzip or not. Without \
      a name in the address, each JSON object names its device. The answer counts accepted \
      and rejected fixes, with the line and the reason of each rejected one. "held" counts \
      fixes that cannot be judged yet. With --state, a fix that was accepted or held is \
      kept, whatever happens next.

      Examples:
        fencepost serve --store stories.sqlite
        fencepost serve --store stories.sqlite --listen 0.0.0.0:8080 --token SECRET
      """)

  @OptionGroup(title: "Server") var server: ServeArguments
  @OptionGroup var rulesFile: RulesFileArguments
  @OptionGroup var following: FollowingArguments

  var shownUnits: ShownUnits { following.units.units }

  func validate() throws {
    try require(
      following.brokers.mqttClientId == nil,
      "--mqtt-client-id can only be used with live, which follows sources that begin with mqtt://")
    try following.brokers.check(source: nil)
  }

  /// Follows the fixes that clients post to the map's server.
  func run() async throws {
    try following.checkFiles(reading: nil, state: server.state)
    let intake = FixIntake()
    var options = try following.options(
      .intake(intake), name: "posted fixes", statePath: server.state)
    options.track = server.track
    // State files of earlier versions have posted fixes as JSON, with the device in this member.
    options.deviceField = "device"
    var posts = FixIngestOptions()
    posts.deviceField = server.deviceField
    posts.fixes = options.fixes
    posts.log = PostLog(isVerbose: following.verbose) { StandardError.say($0) }
    try await following.follow(
      options, statePath: server.state, web: try server.place(),
      ingest: FixIngestHandler(intake: intake, options: posts))
  }
}

/// The options of `serve` about its address, its access and where it keeps its session.
struct ServeArguments: ParsableArguments {
  @Option("host:port", "Listen on this address. Port 0 picks a free port.")
  var listen = "127.0.0.1:8080"

  @Option(
    "token", "Ask phones and browsers for this token, as a password or a bearer token.",
    """
    Required if others can reach the address. Prefer the variable FENCEPOST_TOKEN: other \
    users of the machine can see the command line. On a network that others share, put a \
    proxy with HTTPS in front.
    """)
  var token: String?

  @Option("file", "Read the token from the first line of FILE.", completion: .file())
  var tokenFile: String?

  @OptionGroup var page: PageArguments

  @Option("name", "Read the name of the device from this member of each JSON object.")
  var deviceField = "device"

  @Option(
    "file", "Keep the session in FILE, so that it resumes after a restart.", completion: .file())
  var state: String?

  @Option("name", "Name of the walk in every event.")
  var track = "serve"

  /// The checked address, which must have a token if others can reach it.
  func place() throws -> WebPlace {
    try WebPlace(listen, token: token, tokenFile: tokenFile, page: page)
  }

  func validate() throws {
    if deviceField.isEmpty { throw ValidationError("--device-field must not be empty") }
    _ = try place()
  }
}
#endif
