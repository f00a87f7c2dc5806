/// A saved value that a newer version of Fencepost has written, which may mean more than this one
/// understands.
///
/// Values that an app keeps are saved with the number of their form. A value without a number has the
/// first form, 1. A number grows only when older versions would misread the value.
public struct NewerVersionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the value is, such as `engine snapshot`.
  public let subject: String
  /// The number of its form.
  public let version: Int

  /// Makes an error of its parts.
  public init(subject: String, version: Int) {
    self.subject = subject
    self.version = version
  }

  /// The error as one sentence without a full stop.
  public var description: String {
    "the \(subject) was written by a newer version of Fencepost, in form \(version)"
  }
}
