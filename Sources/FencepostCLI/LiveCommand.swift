import ArgumentParser
import Fencepost
import Fixes
import Glibc
import Places
import Reporting
import StateFile

/// Follows a live source.
struct LiveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Report alerts as a receiver moves.",
    discussion: """
      The source is ‘-’ (standard input, as in gpspipe -w | fencepost live -), a serial device such as \
      /dev/ttyUSB0, gpsd://HOST[:2947][/DEVICE], tcp://HOST:PORT or udp://[HOST]:PORT. What comes is \
      recognised by its content: NMEA 0183, gpsd JSON, OwnTracks JSON, CSV, GPX; a serial device \
      speaks NMEA 0183. A source that is lost is waited for.

      Each event is a line, written at once. The same bytes give the same events as replay. SIGHUP has \
      the store asked anew; an edit is otherwise seen at the next refresh.

      With --state the session survives whatever ends it, and goes on with the next byte of its \
      input: no alert is lost, and none comes again because of the restart, except one that was on \
      its way out at the very moment.

      Example:
        fencepost live gpsd://localhost --store stories.sqlite --state walk.state
      """)

  @Argument(help: ArgumentHelp("Where the fixes come from.", valueName: "source"))
  var source: String

  @OptionGroup(title: "Source")
  var connection: LiveArguments

  @OptionGroup(title: "Places")
  var places: PlaceArguments

  @OptionGroup(title: "Sinks")
  var sinks: SinkArguments

  @OptionGroup
  var rules: SessionArguments

  @Flag(name: .shortAndLong, help: "Says of every rejected fix where it stands and why.")
  var verbose = false

  @OptionGroup(title: "Report")
  var output: LiveOutputArguments

  func validate() throws {
    guard LiveAddress(source) != nil else {
      throw ValidationError(
        "‘\(source)’ is no source; it is -, a device, gpsd://HOST, tcp://HOST:PORT or udp://:PORT")
    }
  }

  func run() async throws {
    let reader = try openPlaces()
    let (state, stateFailure) = openState()
    let options = try options()
    let runner = LiveRunner(options: options) { StandardError.say($0) }
    Interruption.setHangUp { runner.renewPlaces() }
    // A full disk or a limit is told as an error, not by a signal.
    signal(SIGXFSZ, SIG_IGN)
    let isVerbose = verbose
    let ending = await withTaskCancellationHandler {
      runner.run(reader: reader, state: state) { rejection, device in
        guard isVerbose else { return }
        StandardError.say("\(device.map { "\($0): " } ?? "")\(rejection.words)")
      }
    } onCancel: {
      runner.stop()
    }
    try Self.conclude(ending, stateFailure: stateFailure)
  }

  /// Opens the places; waits where another program is writing them.
  private func openPlaces() throws -> PlaceReader {
    var wasTold = false
    while true {
      do {
        let store = try places.open { StandardError.say($0) }
        return try store.makeReader(lockWaitMilliseconds: 100)
      } catch let error as PlaceStoreError where error.code == .locked && !Task.isCancelled {
        if !wasTold { StandardError.say("\(error.description); waiting for it") }
        wasTold = true
      }
    }
  }

  /// Opens the state, or says why it cannot be used; alerts come nevertheless.
  private func openState() -> (LiveState?, hasFailed: Bool) {
    guard let path = connection.state else { return (nil, false) }
    do throws(StateFileError) {
      return (try LiveState(path: path), false)
    } catch {
      StandardError.say("\(error); going on without it")
      return (nil, true)
    }
  }

  private static func conclude(_ ending: LiveRunner.Ending, stateFailure: Bool) throws {
    let failure: CommandFailure? =
      switch ending {
      case .finished, .stopped: nil
      case .badInput(let sentence): CommandFailure(.inputBad, sentence)
      case .missingInput(let sentence): CommandFailure(.inputMissing, sentence)
      case .failed(let sentence): CommandFailure(.inputOutput, sentence)
      }
    if let failure { throw failure }
    if stateFailure { throw ExitStatus.inputOutput }
  }

  private func options() throws -> LiveOptions {
    guard let address = LiveAddress(source) else { throw ExitStatus.usage }
    var options = LiveOptions(address: address, addressName: source)
    if let track = connection.track { options.track = track }
    options.session = rules.session
    options.fixes = rules.fixes.options
    // Noise at the wrong speed must not be taken for a format.
    if case .device(let path) = address, Self.isTerminal(path) { options.fixes.format = .nmea }
    options.deviceField = connection.deviceField
    options.baud = connection.baud
    options.idleTimeoutMilliseconds = connection.idleTimeoutMilliseconds(for: address)
    options.sinks = try sinks.sinks()
    options.sinkCapacity = sinks.sinkQueue
    options.deliveredSelection = sinks.deliver
    try output.apply(to: &options)
    return options
  }

  /// Whether a device is, or will be, a serial line: one that is not there yet is taken for one.
  private static func isTerminal(_ path: String) -> Bool {
    var status = stat()
    // `status` is ours and of the size the system expects.
    guard unsafe stat(path, &status) == 0 else { return true }
    return status.st_mode & S_IFMT == S_IFCHR
  }
}

extension Rejection {
  /// What was rejected, where and why.
  fileprivate var words: String {
    var words = line.map { "line \($0): " } ?? ""
    words += reason.rawValue
    if let detail { words += ": \(detail)" }
    return words
  }
}
