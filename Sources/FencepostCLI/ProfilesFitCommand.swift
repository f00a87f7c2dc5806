import ArgumentParser
import FencepostAnalysis
import FencepostFiles
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces
import FencepostReporting
import FencepostStudio

struct ProfilesFitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Fit a profile to what your own phone reported on walks.",
    discussion: """
      Carry the phone and a good receiver past some circles, as Data/field/PROTOCOL.md says. \
      TRACK is what the receiver recorded, and --log what the phone reported: a table with \
      the columns time, place and event, OwnTracks transitions, e-mission transitions, or \
      Home Assistant's history.

      Writes a profile for --profile. It has five fitted values with 95 % intervals: how far \
      from the edge entries and exits are noticed, the delay, its spread, and the share that \
      is never reported. All other values are those of --base.

      Examples:
        fencepost profiles fit walks/ --places p.csv --log phone.csv -o mine.json
        fencepost profiles fit walk.gpx --places circles.csv --log phone.rec \\
          --base android --name pixel-3
      """)

  @Argument(
    help: .value("track", "Recorded walks: files, folders or patterns."), completion: .file())
  var tracks: [String]

  @OptionGroup(title: "Circles")
  var places: PlaceArguments

  @Option(
    help: .value("file", "What the phone reported. May be given several times."),
    completion: .file())
  var log: [String] = []

  @Option(help: .value("phone", "Start from this profile, built in or a file. Default: iphone."))
  var base = "iphone"

  @Option(help: .value("name", "Name of the new profile: lowercase letters, digits and hyphens."))
  var name = "fitted"

  @Option(
    help: .value("area", "city, residential or forest: where the walks were. Default: residential.")
  )
  var surroundings = Surroundings.residential

  @Option(help: .value("n", "Simulated phones for each crossing, from 1 to 10000. Default: 64."))
  var trials = 64

  @Option(help: .value("n", "Random seed. The same seed gives the same output. Default: 1."))
  var seed = 1

  @Flag(name: .shortAndLong, help: "Do not print the card to standard error.")
  var quiet = false

  @OptionGroup var output: OutputArguments

  func validate() throws {
    try require(!log.isEmpty, "Say what the phone reported: --log FILE")
    try require((1...10_000).contains(trials), "--trials must be from 1 to 10,000")
    try require(seed >= 0, "--seed must not be negative")
    try require(
      PhoneProfile.isName(name), "--name must be lowercase letters, digits and hyphens")
  }

  func run() async throws {
    let use = try FileUse(writing: [("--output", output.path)])
    try use.check(reading: places.source.files + log)
    let base = try ProfileFiles.profile(base, use) ?? BuiltInProfile.iphone.profile
    let circles = try places.source.open(dateOrder: nil).allPlaces()
    let walks = try TrackFiles.find(tracks, use).map { try walk($0, past: circles) }
    let reports = try reports(of: circles)
    var options = ProfileFit.Options()
    (options.trials, options.seed) = (trials, UInt64(seed))
    options.surroundings = surroundings
    let fit = ProfileFit(base: base, walks: walks, options: options)
    let found = fit.fit(reports) { Task.isCancelled }
    try Task.checkCancellation()
    guard let found, found.entries.of + found.exits.of >= Self.leastCrossings else {
      throw CommandFailure(
        .inputBad,
        "the walks cross the circles \((found?.entries.of ?? 0) + (found?.exits.of ?? 0)) times "
          + "and go on for five minutes; a fit needs at least \(Self.leastCrossings) such crossings"
      )
    }
    guard found.entries.reported + found.exits.reported > 0 else {
      throw CommandFailure(
        .inputBad, "no report in \(log.joined(separator: ", ")) belongs to a crossing of the walks")
    }
    var profile = found.profile
    profile.name = name
    profile.title = "\(base.title), fitted to own walks"
    if !quiet { for line in profile.card { StandardError.print(line) } }
    var file = try OutputFile(path: output.path)
    file.buffer.append(verbatim: profile.json)
    try file.finish()
  }

  private static let leastCrossings = 5

  /// Reads a walk; circles count on it while they are valid.
  private func walk(_ path: String, past circles: [Place]) throws(TrackFailure) -> KnownWalk {
    let fixes = try RecordedTrack(path: path).fixes.filter { $0.timeMilliseconds != nil }
    var last: Fix?
    let known = PhonePath(
      fixes.map { fix in
        defer { last = fix }
        let isJoined = last.map {
          $0.trackIndex == fix.trackIndex && $0.segmentIndex == fix.segmentIndex
            && fix.rawTimeMilliseconds - $0.rawTimeMilliseconds <= Self.longestGapMilliseconds
        }
        return PhonePath.Fix(
          seconds: Double(fix.rawTimeMilliseconds) / 1000, coordinate: fix.coordinate,
          isJoined: isJoined ?? true)
      })
    let first = fixes.first?.rawTimeMilliseconds ?? 0
    let valid = circles.filter {
      $0.publishedMilliseconds ?? .min <= last?.rawTimeMilliseconds ?? 0
        && $0.expiresMilliseconds ?? .max > first
    }
    return KnownWalk(
      path: known, key: subjectKey("\(first)"),
      circles: valid.map {
        PhoneStory(
          key: subjectKey($0.id), coordinate: $0.coordinate, radiusMeters: $0.radiusMeters)
      },
      watched: valid.map { circle in
        let from = circle.publishedMilliseconds.map { Double($0) / 1000 } ?? -.infinity
        let to = circle.expiresMilliseconds.map { Double($0) / 1000 } ?? .infinity
        return from...max(from, to)
      })
  }

  private static let longestGapMilliseconds: Int64 = 600_000

  /// Reads the logs; reports of other circles than those of the walks are counted and left out.
  private func reports(of circles: [Place]) throws -> [CrossingReport] {
    var keys: [String: UInt64] = [:]
    for circle in circles { keys[circle.title.lowercased()] = subjectKey(circle.id) }
    for circle in circles { keys[circle.id.lowercased()] = subjectKey(circle.id) }
    var reports: [CrossingReport] = []
    for path in log {
      let bytes = try InputFile.contents(
        of: InflatedSource(path: path), mostBytes: 64 << 20, kind: "phone's log")
      do throws(PhoneLogError) {
        let entries = try PhoneLog(parsing: bytes).entries
        let known = entries.filter { $0.place.map { keys[$0.lowercased()] != nil } ?? true }
        if known.count < entries.count {
          StandardError.say(
            "\(InputFile.name(path)): \(entries.count - known.count) of \(entries.count) reports "
              + "name other circles and are left out")
        }
        reports += known.map {
          CrossingReport(
            circle: $0.place.flatMap { keys[$0.lowercased()] }, side: $0.side, seconds: $0.seconds)
        }
      } catch {
        throw CommandFailure(.inputBad, "\(InputFile.name(path)): \(error)")
      }
    }
    return reports
  }
}
