import Fixes
import Glibc
import HTTP
import Live
import Places
import StateFile
import Studio

/// A live session as a command runs it: with its places, its state and its map, to its end.
struct LiveRun {
  /// Where the places are.
  var places: OptionalPlaceArguments
  /// The file that the session is kept in, nil for none.
  var statePath: String?
  /// How the session runs.
  var options: LiveOptions
  /// Whether each rejection is told.
  var isVerbose: Bool
  /// Where the map is, nil for none.
  var web: WebPlace?
  /// Where fixes go that are posted to the map's address, nil where none are.
  var intake: LiveMap.Intake?

  /// Follows the source until it ends or the user ends the program.
  ///
  /// - Throws: ``CommandFailure`` or ``ExitStatus``.
  func run() async throws {
    let (store, reader) = try openPlaces()
    let map = try openMap(store)
    let (state, stateFailure) = openState()
    let runner = LiveRunner(options: options) { StandardError.say($0) }
    Interruption.setHangUp { runner.renewPlaces() }
    // A full disk or a limit is told as an error, not by a signal.
    signal(SIGXFSZ, SIG_IGN)
    let onRejection: ((Rejection, String?) -> Void)? =
      isVerbose
      ? { StandardError.say("\($1.map { "\($0): " } ?? "")\($0.words)") } : nil
    if let map { announce(map) }
    let ending = await withTaskCancellationHandler {
      runner.run(
        reader: reader, state: state, observer: map?.observer, onRejection: onRejection)
    } onCancel: {
      runner.stop()
    }
    map?.stop()
    try Self.conclude(ending, stateFailure: stateFailure)
  }

  /// Opens the places; waits where another program is writing them.
  private func openPlaces() throws -> (PlaceStore, PlaceReader) {
    var wasTold = false
    while true {
      do {
        let store = try places.open(lockWaitMilliseconds: 100)
        return (store, try store.makeReader(lockWaitMilliseconds: 100))
      } catch let error as PlaceStoreError where error.code == .locked && !Task.isCancelled {
        if !wasTold { StandardError.say("\(error.description); waiting for it") }
        wasTold = true
      }
    }
  }

  /// Opens the state, or says why it cannot be used; alerts come nevertheless.
  private func openState() -> (LiveState?, hasFailed: Bool) {
    guard let path = statePath else { return (nil, false) }
    do throws(StateFileError) {
      return (try LiveState(path: path), false)
    } catch {
      StandardError.say("\(error); going on without it")
      return (nil, true)
    }
  }

  // MARK: Map

  /// Takes the map's address before anything else happens.
  private func openMap(_ store: PlaceStore) throws -> LiveMap? {
    guard let web else { return nil }
    var options = LiveMap.Options(
      address: web.address, store: store, library: try LeafletFiles.read(),
      session: options.session)
    options.token = web.token
    options.hostNames = web.hosts
    options.intake = intake
    options.say = { StandardError.say($0) }
    do throws(ListeningError) {
      return try LiveMap(options)
    } catch {
      throw CommandFailure(error.isAddressWrong ? .usage : .inputOutput, error.description)
    }
  }

  private func announce(_ map: LiveMap) {
    map.start()
    let asks = web?.token == nil ? "" : "; it asks for the token"
    StandardError.say("the map is at \(map.url)\(asks)")
    guard intake != nil else { return }
    StandardError.say("fixes are taken at \(map.url)fixes, and from OwnTracks at \(map.url)pub")
  }

  // MARK: The end

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
