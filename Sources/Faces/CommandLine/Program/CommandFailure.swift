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
  case testFailed = 1
  case usage = 64
  /// Input is bad; its good part has been reported.
  case inputBad = 65
  case inputMissing = 66
  case software = 70
  case inputOutput = 74
  case interrupted = 130

  static func < (one: ExitStatus, other: ExitStatus) -> Bool { one.rawValue < other.rawValue }
}

/// Reports failures of a command that continues, and keeps the most severe status.
struct FailureLog {
  private(set) var status = ExitStatus.done

  mutating func note(_ error: any Error, reading source: String? = nil) {
    let failure = CommandFailure(error, reading: source)
    if let sentence = failure.sentence { StandardError.say(sentence) }
    status = max(status, failure.status)
  }

  /// Reports that a track lost more fixes than it kept, which counts as bad input.
  mutating func note(_ loss: FixLoss?) {
    if let loss { note(CommandFailure(.inputBad, loss.sentence)) }
  }

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
