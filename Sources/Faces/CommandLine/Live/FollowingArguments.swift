#if Command
import ArgumentParser
import FencepostSession
import FencepostFixes
import FoundationEssentials
import Glibc
import Logging
import FencepostLive
import FencepostPlaces
import FencepostStateFile
import FencepostStudio

/// What `live` and `serve` share: stories, rules, sinks and output, and the session itself.
///
/// Each of the two commands adds where fixes come from and where the map is, and then calls
/// ``follow(_:statePath:web:ingest:broker:)``.
struct FollowingArguments: ParsableArguments {
  @OptionGroup(title: "Stories") var places: PlaceArguments
  @OptionGroup(title: "Sending alerts") var sinks: SinkArguments
  @OptionGroup(title: "What the phone does") var phone: ProfileArguments
  @OptionGroup(title: "Message brokers") var brokers: MQTTArguments
  @OptionGroup var rules: SessionArguments
  @OptionGroup(title: "Reminders") var reminders: ReminderArguments

  @Option(
    "n", "Follow at most N devices. Default: 10000.",
    "With more, each new one replaces the one that has been silent longest, and first those that "
      + "were heard only once. A device that was replaced begins anew when it returns.")
  var maxDevices: Int?

  @Flag(name: .shortAndLong, help: "Print the line and the reason of every rejected fix.")
  var verbose = false

  @OptionGroup(title: "Output") var output: LiveOutputArguments
  @OptionGroup(title: "Output") var units: UnitArguments

  func validate() throws {
    try require(maxDevices ?? 1 >= 1, "--max-devices must be at least 1")
  }

  /// Checks that the output and the state are no inputs, and are different files.
  func checkFiles(reading source: String?, state: String?) throws(CommandFailure) {
    try FileUse(writing: [("--output", output.output), ("--state", state)])
      .check(reading: places.source.files + brokers.files + [source, reminders.reminders])
  }

  /// The options of a session, with its output already open.
  ///
  /// - Parameters:
  ///   - address: Where fixes come from.
  ///   - name: The name of the source in messages and events.
  ///   - statePath: The file that keeps the session, if any; its path is part of a sink's client
  ///     id.
  ///   - broker: The broker of the source, if it is one.
  /// - Returns: The options, for ``follow(_:statePath:web:ingest:broker:)``.
  /// - Throws: ``CommandFailure`` with status 66 if the program of a sink is missing.
  func options(
    _ address: LiveAddress, name: String, statePath: String?, broker: MQTTAddress? = nil
  ) throws -> LiveOptions {
    rules.sayWarnings()
    sinks.sayWarnings()
    var options = LiveOptions(address: address, addressName: name)
    options.session = rules.session(of: try phone.rules())
    options.placesName = places.source.wholePath
    if let file = try reminders.file(rules.alerts.clock) {
      options.reminders = try reminders.options(file)
      options.remindersText = reminders.text(file)
    }
    options.fixes = rules.reading
    options.sinks = try sinks.sinks()
    if let sink = try brokers.sink(statePath: statePath, source: broker) {
      options.sinks.append(sink)
    }
    for sink in options.sinks {
      if let missing = sink.missingProgram { throw CommandFailure(.inputMissing, missing) }
    }
    options.sinkCapacity = sinks.sinkQueue
    options.sinkDeadlineMilliseconds = sinks.sinkDeadline.value?.milliseconds
    options.sinkGraceMilliseconds = sinks.sinkGrace.milliseconds
    options.deliveredSelection = sinks.deliver
    options.zone = rules.alerts.timeZone
    if let maxDevices { options.deviceCapacity = maxDevices }
    try output.apply(to: &options)
    return options
  }
}

// MARK: - The session

extension FollowingArguments {
  /// Follows a source until it ends or the user stops the program.
  ///
  /// The map's address is bound before the first fix is read, so that an address in use ends the
  /// program at once. A state that cannot be opened does not: the session goes on without it, and
  /// the exit status is 74.
  ///
  /// - Parameters:
  ///   - options: The rules, the source, the output and the sinks.
  ///   - statePath: The file that keeps the session; nil for none.
  ///   - web: Where to show a map; nil for none.
  ///   - ingest: Accepts fixes posted to the map's server.
  ///   - broker: The messages of a broker, started once it is known whether the session resumes.
  /// - Throws: ``CommandFailure`` if the source is missing or bad, or something is lost.
  func follow(
    _ options: LiveOptions, statePath: String?, web: WebPlace?, ingest: FixIngestHandler? = nil,
    broker: MQTTIntake? = nil
  ) async throws {
    let (store, reader) = try openPlaces()
    let control = LiveControl()
    let registry = PrometheusRegistry(describe: LiveMetric.describe)
    var options = options
    options.metrics = LiveMetrics(registry)
    let monitor = monitor(registry, options, control, statePath)
    if let broker { control.watch { broker.fault } }
    // Bind the map's address before anything else happens.
    let map = try web.map { web in
      var page = LiveMapOptions(try web.site(), store: store, session: options.session)
      (page.ingest, page.monitor, page.descriptor) = (ingest, monitor, web.descriptor)
      page.zone = options.zone
      return try LiveMap(page)
    }
    var state: LiveState?
    var stateFailure: StateFileError?
    do throws(StateFileError) {
      state = try statePath.map(LiveState.init)
    } catch {
      StandardError.say("\(error); continuing without it")
      stateFailure = error
    }
    Interruption.setHangUp { [self, output = options.output] in
      // A large file takes a while, during which other signals must be heard.
      startThread {
        // First, because whoever moved the output may be about to compress it.
        if let sentence = output.reopen() { StandardError.say(sentence) }
        control.reload(reloaded())
      }
    }
    // Report a full disk or a limit as an error, not by a signal.
    signal(SIGXFSZ, SIG_IGN)
    let onRejection: ((Rejection, String?) -> Void)? =
      verbose ? { StandardError.say("\($1.map { "\($0): " } ?? "")\($0.words)") } : nil
    if let map, let web {
      // Without it, browsers have to sign in again after a restart.
      let secret = try? map.token.flatMap {
        try state?.browserSecret(for: $0, new: Studio.makeToken())
      }
      map.start(browserSecret: secret)
      let token = web.asksForToken ? "; it asks for the token" : ""
      StandardError.say("the map is at \(map.url)\(token)")
      if ingest != nil {
        StandardError.say("post fixes to \(map.url)fixes, or from OwnTracks to \(map.url)pub")
      }
    }
    let ending = await withTaskCancellationHandler {
      let runner = LiveRunner(
        options: options, control: control, reader: reader, state: state, observer: map?.observer,
        onRejection: onRejection,
        manager: ServiceManager(environment: ProcessInfo.processInfo.environment),
        log: .saying { StandardError.say($0, $1, fields: $2) })
      broker?.start(isResumed: runner.isResumed)
      return runner.run()
    } onCancel: {
      // Whoever shares the socket answers what comes from now on.
      if web?.descriptor != nil { map?.drain(milliseconds: 500) }
      control.stop()
    }
    broker?.stop()
    map?.stop()
    switch ending {
    case .finished, .stopped: break
    case .badInput(let sentence): throw CommandFailure(.inputBad, sentence)
    case .missingInput(let sentence): throw CommandFailure(.inputMissing, sentence)
    case .failed(let sentence): throw CommandFailure(.inputOutput, sentence)
    }
    if stateFailure != nil { throw ExitStatus.inputOutput }
  }

  /// Reads the rules file and the file of stories again; what is wrong is said and left as it was.
  private func reloaded() -> LiveReload {
    var expansion = RulesFile.Expansion(arguments: [])
    do {
      expansion = try RulesFile.expand(FencepostCommand.arguments)
      let command = try FencepostCommand.parseAsRoot(expansion.arguments)
      guard let following = (command as? any FollowsSource)?.following else { return LiveReload() }
      var reload = LiveReload(rules: following.rules.session(of: try following.phone.rules()))
      // The sessions ask a store itself, and standard input is read once.
      let isCopied = try following.phone.rules()?.changesCircles ?? false
      let source = following.places.source
      if source.wholePath != "-", isCopied || source.store == nil {
        reload.places = try following.openStore(lockWaitMilliseconds: 5000)
      }
      return reload
    } catch {
      let sentence =
        FencepostCommand.exitCode(for: error) == .validationFailure
        ? expansion.located(FencepostCommand.message(for: error))
        : CommandFailure(error).sentence ?? "\(error)"
      let end = ".?".contains(sentence.suffix(1)) ? "" : "."
      StandardError.say("\(sentence)\(end) The rules and stories stay the same.", .error)
      return LiveReload()
    }
  }

  /// Opens the places as the phone sees them.
  private func openStore(lockWaitMilliseconds: Int) throws -> PlaceStore {
    let opened = try places.source.open(
      dateOrder: rules.fixes.dateOrder, clock: rules.alerts.clock,
      lockWaitMilliseconds: lockWaitMilliseconds)
    return try phone.rules()?.noticed(opened) ?? opened
  }

  /// What the server tells a monitoring system: metrics as Prometheus reads them, and faults.
  ///
  /// The sizes of files are measured at each request.
  private func monitor(
    _ registry: PrometheusRegistry, _ options: LiveOptions, _ control: LiveControl,
    _ statePath: String?
  ) -> ServiceMonitor {
    let (metrics, storePath) = (options.metrics, places.source.wholePath)
    let intake: FixIntake? = if case .intake(let intake) = options.address { intake } else { nil }
    return ServiceMonitor(
      metrics: {
        metrics.note(
          isReady: control.faults.isEmpty, fixesWaiting: intake?.waitingCount,
          storeBytes: Self.size(of: storePath),
          stateBytes: statePath.flatMap { path in
            Self.size(of: path).map { $0 + (Self.size(of: path + "-wal") ?? 0) }
          })
        return registry.text()
      }, faults: { control.faults })
  }

  /// The size of a file in bytes; nil for one that cannot be found.
  private static func size(of path: String) -> Int? {
    var status = stat()
    // `status` is a local variable of the size that the system expects.
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Int(status.st_size)
  }

  /// Opens the places, waiting while another program writes them.
  private func openPlaces() throws -> (PlaceStore, PlaceReader) {
    var isReported = false
    while true {
      do {
        let store = try openStore(lockWaitMilliseconds: 100)
        return (store, try store.makeReader(lockWaitMilliseconds: 100))
      } catch let error as PlaceStoreError where error.code == .locked && !Task.isCancelled {
        if !isReported { StandardError.say("\(error.description); waiting for the store") }
        isReported = true
      }
    }
  }

}

/// A command with a live session, whose rules SIGHUP reads again.
protocol FollowsSource: ParsableArguments { var following: FollowingArguments { get } }

extension LiveCommand: FollowsSource {}
extension ServeCommand: FollowsSource {}

extension Rejection {
  /// The line, if known, the reason and any detail, for `--verbose`.
  fileprivate var words: String {
    (line.map { "line \($0): " } ?? "") + reason.rawValue + (detail.map { ": \($0)" } ?? "")
  }
}
#endif
