import ArgumentParser
import FencepostLive
import FencepostTracks
import Foundation
import FencepostStudio

/// Follows devices whose fixes are posted, and shows them on a map.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Take fixes over HTTP, report alerts, and show a live map.",
    discussion: """
      The page at the address shows every device: where it is, its path, its monitored circles, its \
      alerts. Each device has an engine of its own.

      Phones: OwnTracks posts to http://HOST:PORT/pub in its HTTP mode, with the token as its password; \
      Traccar Client, OsmAnd and Overland to http://HOST:PORT/?token=…, GPSLogger to /log?token=…, Home \
      Assistant to /api/webhook/TOKEN. The device is the app's own name for itself, or ?device=NAME. What \
      a phone posts that can never be used is accepted, so that its queue moves on, and named on \
      standard error.

      Anything else posts to /fixes?device=NAME: JSON objects on lines (time, lat, lon), GPX, NMEA \
      0183, gpsd JSON, CSV, points in GeoJSON, each also compressed by gzip. Without a name in the \
      address each JSON object names its device. The answer counts what was accepted, and what was \
      rejected by reason (late, duplicate, coordinate, …), with the line of each; ‘held’ counts fixes \
      that the session has and cannot judge yet. A success means that the session has what was \
      accepted and held: with --state it is kept whatever happens next.

      Example:
        fencepost serve --store stories.sqlite --listen 0.0.0.0:8080 --token SECRET
      """)

  @OptionGroup(title: "Server")
  var server: ServeArguments

  @OptionGroup var rulesFile: RulesFileArguments

  @OptionGroup var following: FollowingArguments

  func validate() throws {
    if following.brokers.mqttClientId != nil {
      throw ValidationError("--mqtt-client-id belongs to a source mqtt://, which only live follows")
    }
    try following.brokers.check(source: nil)
  }

  func run() async throws {
    try following.checkFiles(reading: nil, state: server.state)
    let intake = FixIntake()
    var options = try following.options(
      .intake(intake), name: "posted fixes", statePath: server.state)
    options.track = server.track
    // Posted fixes are rewritten with the device in this member.
    options.deviceField = "device"
    try await following.follow(
      options, statePath: server.state, web: try server.place(),
      ingest: FixIngestHandler(intake: intake, options: try ingestOptions(options.fixes)))
  }

  private func ingestOptions(_ fixes: FixStream.Options) throws -> FixIngestHandler.Options {
    var options = FixIngestHandler.Options()
    options.deviceField = server.deviceField
    options.fixes = fixes
    options.keys = try server.owntracks.keys()
    options.log = PostLog(isVerbose: following.verbose) { StandardError.say($0) }
    return options
  }
}

struct ServeArguments: ParsableArguments {
  @Option(help: .value("host:port", "Where it listens; port 0 is one that is free."))
  var listen = "127.0.0.1:8080"

  @Option(
    help: .value(
      "text",
      "What phones and browsers must know: as the password of any user, or as a bearer token.",
      """
      Needed where others can reach the address. The variable FENCEPOST_TOKEN does the same, and \
      is not seen in the list of processes. Over a network that others share, put a proxy with \
      HTTPS in front.
      """))
  var token: String?

  @OptionGroup var hosts: HostArguments

  @OptionGroup var tiles: TileArguments

  @Option(help: .value("name", "The member of a JSON object that names its device."))
  var deviceField = "device"

  @OptionGroup var owntracks: OwnTracksArguments

  @Option(
    help: .value("file", "A file that the session is kept in, so that it goes on after a restart."),
    completion: .file())
  var state: String?

  @Option(help: .value("name", "The track's name in every event."))
  var track = "serve"

  func place() throws -> WebPlace {
    try WebPlace(listen, token: token, hosts: hosts.allowHost, tiles: tiles)
  }

  func validate() throws {
    if deviceField.isEmpty { throw ValidationError("--device-field is not empty") }
    _ = try place()
  }
}
