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
    switch error {
    case let failure as CommandFailure: self = failure
    case let status as ExitStatus: self.init(status, nil)
    case let failure as OutputFailure: self.init(failure)
    case let failure as ByteSourceError: self.init(Self.status(of: failure), failure.description)
    case let failure as FixSourceError: self.init(Self.status(of: failure), failure.description)
    case let failure as TrackFrameError: self.init(failure)
    case let failure as PlaceStoreError: self.init(Self.status(of: failure), failure.description)
    case let failure as PlaceImportError: self.init(Self.status(of: failure), failure.description)
    case let failure as TrackFailure:
      switch failure.kind {
      case .fixes(let error): self.init(error)
      case .store: self.init(.inputOutput, failure.description)
      case .empty, .outside, .unread: self.init(.inputBad, failure.description)
      }
    case let failure as SavedAnalysis.Failure: self.init(.inputBad, failure.description)
    case let refusal as SentPage.Refusal: self.init(.inputBad, refusal.description)
    case let failure as ListeningError:
      self.init(failure.isAddressWrong ? .usage : .inputOutput, failure.description)
    case is CancellationError: self.init(.interrupted, nil)
    default:
      // Decoders' errors name the line, not the file.
      self.init(
        source == nil ? .software : .inputBad, (source.map { "\($0): " } ?? "") + "\(error)")
    }
  }

  private init(_ failure: OutputFailure) {
    // A reader may close its pipe at any time, as `head` does.
    let isDone = failure.isBrokenPipe
    self.init(isDone ? .done : .inputOutput, isDone ? nil : failure.description)
  }

  private init(_ failure: TrackFrameError) {
    switch failure {
    case .source(let failure): self.init(Self.status(of: failure), failure.description)
    case .damaged(let sentence): self.init(.inputBad, sentence)
    }
  }

  private static func status(of failure: ByteSourceError) -> ExitStatus {
    switch failure.kind {
    case .missing, .directory: .inputMissing
    case .system(let code): code == EACCES || code == EPERM ? .inputMissing : .inputOutput
    case .damagedGzip: .inputBad
    case .interrupted: .interrupted
    }
  }

  private static func status(of failure: FixSourceError) -> ExitStatus {
    switch failure.cause {
    case .source(let failure): status(of: failure)
    case .contents: .inputBad
    case .spool: .inputOutput
    }
  }

  private static func status(of failure: PlaceStoreError) -> ExitStatus {
    switch failure.code {
    case .missing: .inputMissing
    case .empty, .notSQLite, .notAStore, .newerVersion, .replaced, .damaged: .inputBad
    default: .inputOutput
    }
  }

  private static func status(of failure: PlaceImportError) -> ExitStatus {
    switch failure {
    case .store(let failure): status(of: failure)
    case .source(let failure): status(of: failure)
    case .format, .refused: .inputBad
    }
  }
}

/// A command's exit status, following the BSD convention (`sysexits.h`).
///
/// If a command throws it, the program ends with that status and without a message.
enum ExitStatus: Int32, Error, Comparable {
  /// Done, or a reader closed its pipe.
  case done = 0
  /// A story test failed.
  case testFailed = 1
  /// The command line is wrong.
  case usage = 64
  /// Input is bad; its good part has been reported.
  case inputBad = 65
  /// Input is missing or may not be read.
  case inputMissing = 66
  /// A bug in the program.
  case software = 70
  /// Reading or writing failed.
  case inputOutput = 74
  case interrupted = 130

  /// Greater statuses are more severe.
  static func < (one: ExitStatus, other: ExitStatus) -> Bool { one.rawValue < other.rawValue }
}

/// Reports failures of a command that continues, and keeps the most severe status.
struct FailureLog {
  private(set) var status = ExitStatus.done

  /// Reports a failure and records its status.
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
