import ArgumentParser
import FencepostFixes
import Glibc
import FencepostHTTP
import FencepostLive
import FencepostPlaces
import FencepostStateDatabase
import FencepostStateFile
import FencepostStudio

struct FollowingArguments: ParsableArguments {
  @OptionGroup(title: "Stories")
  var places: PlaceArguments

  @OptionGroup(title: "Sending alerts")
  var sinks: SinkArguments

  @OptionGroup(title: "What the phone does")
  var phone: ProfileArguments

  @OptionGroup(title: "Message brokers")
  var brokers: MQTTArguments

  @OptionGroup var rules: SessionArguments

  @OptionGroup(title: "Reminders")
  var reminders: ReminderArguments

  @Flag(name: .shortAndLong, help: "Print the line and the reason of every rejected fix.")
  var verbose = false

  @OptionGroup(title: "Output")
  var output: LiveOutputArguments

  @OptionGroup(title: "Output")
  var units: UnitArguments

  /// Ensures that no input would be overwritten.
  func checkFiles(reading source: String?, state: String?) throws(CommandFailure) {
    try FileUse(writing: [("--output", output.output), ("--state", state)])
      .check(reading: places.source.files + brokers.files + [source, reminders.reminders])
  }

  /// The options of a session that follows a source, possibly through a broker.
  func options(
    _ address: LiveAddress, name: String, statePath: String?, broker: MQTTAddress? = nil
  ) throws -> LiveOptions {
    rules.sayWarnings()
    sinks.sayWarnings()
    var options = LiveOptions(address: address, addressName: name)
    options.session = rules.session(of: try phone.rules())
    options.placesName = places.source.wholePath
    if let file = try reminders.file() {
      options.reminders = try reminders.options(file)
      options.remindersText = reminders.text(file)
    }
    options.fixes = rules.fixes.options
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
    try output.apply(to: &options)
    return options
  }
}

// MARK: - The session

extension FollowingArguments {
  /// Follows a source until it ends or the user stops the program.
  ///
  /// `ingest` accepts fixes posted to the map's server.
  func follow(
    _ options: LiveOptions, statePath: String?, web: WebPlace?, ingest: FixIngestHandler? = nil,
    broker: MQTTIntake? = nil
  ) async throws {
    let (store, reader) = try openPlaces()
    // Bind the map's address before anything else happens.
    let map = try web.map { try openMap($0, store, options, ingest) }
    let (state, stateFailure) = Self.openState(statePath)
    let control = LiveControl()
    Interruption.setHangUp { control.renewPlaces() }
    // Report a full disk or a limit as an error, not by a signal.
    signal(SIGXFSZ, SIG_IGN)
    let onRejection: ((Rejection, String?) -> Void)? =
      verbose ? { StandardError.say("\($1.map { "\($0): " } ?? "")\($0.words)") } : nil
    if let map, let web {
      Self.announce(map, asksForToken: web.asksForToken, takesFixes: ingest != nil)
    }
    let ending = await withTaskCancellationHandler {
      let runner = LiveRunner(
        options: options, control: control, reader: reader, state: state, observer: map?.observer,
        onRejection: onRejection, say: { StandardError.say($0) })
      broker?.start(isResumed: runner.isResumed)
      return runner.run()
    } onCancel: {
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
    if stateFailure { throw ExitStatus.inputOutput }
  }

  /// Opens the places, waiting while another program writes them.
  private func openPlaces() throws -> (PlaceStore, PlaceReader) {
    var isReported = false
    while true {
      do {
        let opened = try places.source.open(
          dateOrder: rules.fixes.dateOrder, lockWaitMilliseconds: 100)
        let store = try phone.rules()?.noticed(opened) ?? opened
        return (store, try store.makeReader(lockWaitMilliseconds: 100))
      } catch let error as PlaceStoreError where error.code == .locked && !Task.isCancelled {
        if !isReported { StandardError.say("\(error.description); waiting for the store") }
        isReported = true
      }
    }
  }

  /// Opens the state; if that fails, reports it and continues without it.
  private static func openState(_ path: String?) -> (LiveState?, hasFailed: Bool) {
    guard let path else { return (nil, false) }
    do throws(StateFileError) {
      return (try LiveState(path: path), false)
    } catch {
      StandardError.say("\(error); continuing without it")
      return (nil, true)
    }
  }

  private func openMap(
    _ web: WebPlace, _ store: PlaceStore, _ live: LiveOptions, _ ingest: FixIngestHandler?
  ) throws -> LiveMap {
    var options = LiveMap.Options(try web.site(), store: store, session: live.session)
    options.ingest = ingest
    do throws(ListeningError) {
      return try LiveMap(options)
    } catch {
      throw CommandFailure(error.isAddressWrong ? .usage : .inputOutput, error.description)
    }
  }

  private static func announce(_ map: LiveMap, asksForToken: Bool, takesFixes: Bool) {
    map.start()
    StandardError.say("the map is at \(map.url)\(asksForToken ? "; it asks for the token" : "")")
    guard takesFixes else { return }
    StandardError.say("post fixes to \(map.url)fixes, or from OwnTracks to \(map.url)pub")
  }
}

extension Rejection {
  /// The rejection's line, reason and detail.
  fileprivate var words: String {
    var words = line.map { "line \($0): " } ?? ""
    words += reason.rawValue
    if let detail { words += ": \(detail)" }
    return words
  }
}
