import ArgumentParser
import Fencepost
import FencepostAnalysis
import FencepostFiles
import FencepostHTTP
import FencepostLive
import FencepostPhones
import FencepostPlaces
import FencepostReporting
import FencepostStudio
import FencepostTracks
import Glibc

struct StudioCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio", abstract: "See walks and stories on a map, play them, and try changes.",
    discussion: """
      Opens a page for a browser on this machine. It shows the walks on a map with a \
      timeline, and at each moment what is watched, what alerts and what is missed. Drag, \
      resize, add or remove stories, or change a rule, and see at once what is gained and \
      lost. Only Save changes the store. Nothing leaves this machine.

      TRACK is anything that replay reads. You can drop more walks onto the page. Ctrl-C \
      ends the studio.

      Examples:
        fencepost studio walk.gpx --store stories.sqlite --open
        fencepost studio walks/ --places stories.csv --profile iphone
        fencepost studio walk.gpx --store stories.sqlite --export walk.html
      """)

  @Argument(help: .value("track", "Walks: files, folders or patterns."), completion: .file())
  var tracks: [String] = []

  @OptionGroup(title: "Stories") var places: PlaceArguments
  @OptionGroup var rules: SessionArguments
  @OptionGroup(title: "Simulated phones") var phones: StudioPhoneArguments
  @OptionGroup(title: "Reminders") var reminders: ReminderArguments
  @OptionGroup(title: "Advice") var proposals: StudioAdviceArguments
  @OptionGroup var rulesFile: RulesFileArguments
  @OptionGroup(title: "Page to send") var page: SentPageArguments
  @OptionGroup(title: "Server") var server: StudioArguments

  func run() async throws {
    let paths = try TrackFiles.expandAndSay(tracks)
    try FileUse(writing: [("--export", page.export)])
      .check(reading: paths + [places.source.store, places.source.places])
    rules.sayWarnings()
    let given = try phones.read()
    // Fail before the work if the page's library is missing.
    var site = try server.place().site()
    site.token = site.token ?? Studio.makeToken()
    let advice = try proposals.lines()
    let store = try places.source.open(dateOrder: rules.fixes.dateOrder)
    var failures = FailureLog()
    let (recorded, notices) = try read(paths, &failures)
    var scene = StudioScene(
      tracks: recorded, notices: notices, store: store, canSave: places.source.store != nil,
      setting: phones.setting(of: given.first, rules), zone: rules.alerts.timeZone,
      fixes: rules.fixes.options, arguments: tracks)
    scene.arguments += places.source.store.map { ["--store", $0] } ?? []
    scene.arguments += places.source.places.map { ["--places", $0] } ?? []
    scene.phones += given.filter { one in !scene.phones.contains { $0.word == one.word } }
    scene.advice = advice
    scene.reminders = try reminders.load()
    scene.export = PlaceWriter.file
    scene.rulesText = RulesFile.studioText
    if let path = page.export {
      let sent = try SentPage(
        scene, scene.store.allPlaces(), privacy: page.privacy, library: site.library)
      let bytes = try sent.make()
      try OutputFile.write(to: path) { $0.append(bytes.span) }
      StandardError.say("\(path) opens without a server or a network")
      return try failures.conclude()
    }
    var options = Studio.Options(site, scene: scene)
    options.jobs = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    try await serve(try Studio(options))
    try failures.conclude()
  }

  /// Reads the tracks and reports, here and on the page, what cannot be read.
  private func read(
    _ paths: [String], _ failures: inout FailureLog
  ) throws -> ([RecordedTrack], [String]) {
    var recorded: [RecordedTrack] = []
    var notices: [String] = []
    var progress = ProgressBar(title: "reading", unit: .things("tracks"), total: paths.count)
    for (number, path) in paths.enumerated() {
      try Task.checkCancellation()
      do throws(TrackFailure) {
        let track = try RecordedTrack(path: path, options: rules.fixes.options)
        notices += track.account.notices.map { "\(track.name): \($0)" }
        recorded.append(track)
      } catch {
        notices.append(error.description)
        failures.note(error)
      }
      progress.advance(to: number + 1)
    }
    if recorded.isEmpty, !paths.isEmpty { try failures.conclude() }
    return (recorded, notices)
  }

  /// Serves until a signal comes.
  private func serve(_ studio: Studio) async throws {
    studio.start()
    StandardError.say("the studio is at \(studio.url)")
    if server.open, !ChildProcess.start(["xdg-open", studio.url]) {
      StandardError.say("cannot open a browser; open the address yourself")
    }
    let (signals, signal) = AsyncStream<Void>.makeStream()
    await withTaskCancellationHandler {
      for await _ in signals {}
    } onCancel: {
      signal.finish()
    }
    studio.stop()
  }

}
