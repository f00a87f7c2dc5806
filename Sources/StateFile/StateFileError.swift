import FencepostMonitoring

/// Why a state file cannot be used.
public struct StateFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  public enum Code: String, CaseIterable, Sendable {
    /// The file's directory does not exist.
    case missingDirectory
    /// The path is a directory.
    case isDirectory
    /// The file or its directory may not be written.
    case readOnly
    /// The file is not whole. It was left as it is.
    case damaged
    /// The file belongs to another program. It was left as it is.
    case notStateFile
    /// The file holds the state of something else. It was left as it is.
    case otherUse
    /// The file was written by a newer version. It was left as it is.
    case newerVersion
    /// There is no space left.
    case diskFull
    /// Another program holds the file.
    case locked
    /// Anything else the system reports.
    case inputOutput
  }

  /// What is wrong.
  public let code: Code
  /// The path of the file.
  public let subject: String
  /// The words of the system or the database, or empty.
  public let detail: String

  /// Makes an error of its parts.
  public init(code: Code, subject: String, detail: String = "") {
    self.code = code
    self.subject = subject
    self.detail = detail
  }

  /// Makes the error of a file whose document cannot be decoded.
  ///
  /// - Parameters:
  ///   - error: What decoding threw; a `NewerVersionError` becomes `.newerVersion`, anything else `.damaged`.
  ///   - path: The path of the file.
  ///   - detail: What is wrong with a damaged one.
  package init(decoding error: any Error, path: String, detail: String) {
    let newer = (error as? NewerVersionError).map { "version \($0.version)" }
    self.init(
      code: newer == nil ? .damaged : .newerVersion, subject: path, detail: newer ?? detail)
  }

  /// The error as one sentence without a full stop.
  public var description: String {
    let reason =
      switch code {
      case .missingDirectory: "its directory does not exist; create it first"
      case .isDirectory: "it is a directory; name a file in it"
      case .readOnly: "it cannot be written; check its permissions and those of its directory"
      case .damaged: "it is damaged and was left as it is; move it away to start afresh"
      case .notStateFile: "it belongs to another program and was left as it is"
      case .otherUse: "it holds the state of something else and was left as it is"
      case .newerVersion: "it was written by a newer version and was left as it is"
      case .diskFull: "there is no space left on its disk; nothing of this change was kept"
      case .locked: "another program is using it"
      case .inputOutput: "it cannot be read or written"
      }
    return "state file \(subject): \(reason)" + (detail.isEmpty ? "" : " (\(detail))")
  }
}
