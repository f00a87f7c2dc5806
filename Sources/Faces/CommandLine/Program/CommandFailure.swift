#if Command
import FencepostTracks
import FencepostFiles
import ArgumentParser
import FencepostAnalysis
import Glibc
import FencepostPlaces
import FencepostHTTP
import FencepostReporting
import FencepostStudio

/// Why a command failed: a sentence for the user and a status for the shell.
///
/// Any error can become one, so that all commands end in the same way.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
  var status: ExitStatus
  /// The message, which begins with the file concerned if any; nil prints nothing.
  var sentence: String?

  var description: String { sentence ?? "" }

  init(_ status: ExitStatus, _ sentence: String?) {
    self.status = status
    // The user knows about an interruption.
    self.sentence = status == .interrupted ? nil : sentence
  }

  /// Converts any error to a sentence and a status.
  ///
  /// `source` is the file being read, for errors that know only the line.
  init(_ error: any Error, reading source: String? = nil) {
    if let failure = error as? CommandFailure {
      self = failure
    } else if let status = error as? ExitStatus {
      self.init(status, nil)
    } else if let status = Self.status(of: error) {
      self.init(status, status == .done ? nil : "\(error)")
    } else {
      // Decoders' errors name the line, not the file.
      self.init(
        source == nil ? .software : .inputBad, (source.map { "\($0): " } ?? "") + "\(error)")
    }
  }

  /// The status of an error whose description names its file; nil for other errors.
  private static func status(of error: any Error) -> ExitStatus? {
    switch error {
    // A reader may close its pipe at any time, as `head` does.
    case let error as OutputFailure: return error.isBrokenPipe ? .done : .inputOutput
    case let error as ByteSourceError:
      switch error.kind {
      case .missing, .directory, .system(EACCES), .system(EPERM): return .inputMissing
      case .system: return .inputOutput
      case .damagedGzip: return .inputBad
      case .interrupted: return .interrupted
      }
    case let error as FixSourceError:
      switch error.cause {
      case .source(let cause): return status(of: cause)
      case .contents: return .inputBad
      case .spool: return .inputOutput
      }
    case let error as PlaceStoreError:
      switch error.code {
      case .missing: return .inputMissing
      case .empty, .notSQLite, .notAStore, .newerVersion, .replaced, .computed, .damaged:
        return .inputBad
      default: return .inputOutput
      }
    case PlaceImportError.store(let cause): return status(of: cause)
    case PlaceImportError.source(let cause), TrackFrameError.source(let cause):
      return status(of: cause)
    case let error as TrackFailure:
      switch error.kind {
      case .fixes(let cause): return status(of: cause)
      case .store: return .inputOutput
      case .empty, .outside, .unread: return .inputBad
      }
    case is PlaceImportError, is TrackFrameError, is SavedAnalysis.Failure, is SentPage.Refusal:
      return .inputBad
    case let error as ListeningError: return error.isAddressWrong ? .usage : .inputOutput
    case is CancellationError: return .interrupted
    default: return nil
    }
  }
}

/// A command's exit status, following the BSD convention (`sysexits.h`).
///
/// If a command throws it, the program ends with that status and without a message.
enum ExitStatus: Int32, Error, Comparable {
  /// Done, or a reader closed its pipe.
  case done = 0
  /// A story test failed, or `schedule` lost a reminder that it must not lose.
  case testFailed = 1
  /// The arguments are wrong (`EX_USAGE`).
  case usage = 64
  /// Input is bad; its good part has been reported (`EX_DATAERR`).
  case inputBad = 65
  /// An input does not exist or may not be read (`EX_NOINPUT`).
  case inputMissing = 66
  /// An error that no code foresees (`EX_SOFTWARE`).
  case software = 70
  /// Reading or writing failed (`EX_IOERR`).
  case inputOutput = 74
  /// A signal ended the command; 128 plus the number of SIGINT.
  case interrupted = 130

  /// A greater number is more severe; of several failures, the most severe gives the status.
  static func < (one: ExitStatus, other: ExitStatus) -> Bool { one.rawValue < other.rawValue }
}

/// Reports failures of a command that continues, and keeps the most severe status.
///
/// A command notes what fails for one track or row, goes on with the next, and calls ``conclude()``
/// last.
struct FailureLog {
  private(set) var status = ExitStatus.done

  /// Prints an error and remembers its status if it is the worst so far.
  ///
  /// `source` is the file being read, for an error that knows only the line.
  mutating func note(_ error: any Error, reading source: String? = nil) {
    let failure = CommandFailure(error, reading: source)
    if let sentence = failure.sentence { StandardError.say(sentence) }
    status = max(status, failure.status)
  }

  /// Reports that a track lost more fixes than it kept, which counts as bad input.
  mutating func note(_ loss: FixLoss?) {
    if let loss { note(CommandFailure(.inputBad, loss.sentence)) }
  }

  /// Prints the notices of a track, and whether it lost more fixes than it kept.
  mutating func note(_ account: TrackAccount) {
    for notice in account.notices { StandardError.say("\(account.track): \(notice)") }
    note(account.loss)
  }

  /// Throws the most severe status, unless all went well.
  func conclude() throws(ExitStatus) {
    if status != .done { throw status }
  }
}
#endif
