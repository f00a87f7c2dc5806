import ArgumentParser
import Fixes
import Formats
import Glibc
import Places
import Reporting

/// Why a command failed: a sentence for the user and a status for the shell.
struct CommandFailure: Error, Equatable {
  /// What the shell is told.
  var status: ExitStatus
  /// What the user is told, beginning with the file that it is about where there is one, without
  /// a full stop; nil where there is nothing to say.
  var sentence: String?

  /// Makes a failure of its parts.
  init(_ status: ExitStatus, _ sentence: String?) {
    self.status = status
    // Whoever interrupts a program need not be told so.
    self.sentence = status == .interrupted ? nil : sentence
  }

  /// Turns whatever was thrown into a sentence and a status; the only place that does.
  ///
  /// - Parameters:
  ///   - error: what was thrown.
  ///   - source: the name of the file that was being read, for errors that know only the line.
  init(_ error: any Error, reading source: String? = nil) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let status as ExitStatus: self.init(status, nil)
    case let failure as OutputFailure: self.init(failure)
    case let failure as ByteSourceError:
      self.init(Self.status(of: failure), failure.description)
    case let failure as FixSourceError:
      self.init(Self.status(of: failure), failure.description)
    case let failure as PlaceStoreError:
      self.init(Self.status(of: failure), failure.description)
    case let failure as PlaceImportError:
      self.init(Self.status(of: failure), failure.description)
    case is CancellationError: self.init(.interrupted, nil)
    default:
      if let source {
        // Errors of the decoders know the line and not the file.
        self.init(.inputBad, "\(source): \(error)")
      } else {
        self.init(.software, "\(error)")
      }
    }
  }

  private init(_ failure: OutputFailure) {
    // Whoever reads the other end of a pipe may stop at any time, as `head` does.
    if failure.isBrokenPipe {
      self.init(.done, nil)
    } else {
      self.init(.inputOutput, failure.description)
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
    case .empty, .notSQLite, .notAStore, .newerVersion, .replaced, .damaged:
      .inputBad
    case .alreadyExists, .readOnly, .diskFull, .locked, .spatiaLiteMissing, .inputOutput,
      .statement:
      .inputOutput
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
