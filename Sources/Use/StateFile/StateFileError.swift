import FencepostMonitoring

/// The reason a state file cannot be used.
///
/// The file is not changed because of it, so nothing is lost by trying again.
public struct StateFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A kind of failure.
  public enum Code: String, CaseIterable, Sendable {
    /// The directory of the file does not exist.
    case missingDirectory
    /// The path is a directory.
    case isDirectory
    /// The file or its directory is not writable.
    case readOnly
    /// The file is damaged. It was left unchanged.
    case damaged
    /// The file belongs to another program. It was left unchanged.
    case notStateFile
    /// The file holds a different kind of state. It was left unchanged.
    case otherUse
    /// The file was written by a newer version. It was left unchanged.
    case newerVersion
    /// The disk is full.
    case diskFull
    /// Another program is using the file.
    case locked
    /// Any other system error.
    case inputOutput
  }

  /// The kind of failure.
  public let code: Code
  /// The path of the file.
  public let subject: String
  /// The message of the system or database; may be empty.
  public let detail: String

  /// Creates an error.
  public init(code: Code, subject: String, detail: String = "") {
    self.code = code
    self.subject = subject
    self.detail = detail
  }

  /// Creates the error for a document that could not be decoded: `.newerVersion` or `.damaged`.
  package init(decoding error: any Error, path: String, detail: String) {
    let newer = (error as? NewerVersionError).map { "version \($0.version)" }
    self.init(
      code: newer == nil ? .damaged : .newerVersion, subject: path, detail: newer ?? detail)
  }

  /// The error as one sentence without a period.
  public var description: String {
    let reason =
      switch code {
      case .missingDirectory: "its directory does not exist; create it first"
      case .isDirectory: "it is a directory; name a file in it"
      case .readOnly: "it cannot be written; check its permissions and those of its directory"
      case .damaged: "it is damaged and was left as it is; move it away to start over"
      case .notStateFile: "it belongs to another program and was left as it is"
      case .otherUse: "it holds the state of something else and was left as it is"
      case .newerVersion: "it was written by a newer version and was left as it is"
      case .diskFull: "there is no space left on its disk; this change was not saved"
      case .locked: "another program is using it"
      case .inputOutput: "it cannot be read or written"
      }
    return "state file \(subject): \(reason)" + (detail.isEmpty ? "" : " (\(detail))")
  }
}
