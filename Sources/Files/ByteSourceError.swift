import Glibc

/// A failure to read bytes, described for the user.
public struct ByteSourceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure, which determines a command's exit code.
  public enum Kind: Equatable, Sendable {
    /// No file exists at the path.
    case missing
    /// The path is a directory.
    case directory
    /// The operating system reported an error, such as missing permission.
    case system(errno: Int32)
    /// The gzip data is damaged.
    case damagedGzip(GunzipError)
    /// The program is ending; see ``ByteSource/setInterruption(descriptor:)``.
    case interrupted
  }

  /// The kind of failure.
  public var kind: Kind
  /// The source's name.
  public var name: String

  /// Creates an error.
  package init(kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  init(errno code: Int32, name: String) {
    switch code {
    case ENOENT, ENOTDIR: self.init(kind: .missing, name: name)
    case EISDIR: self.init(kind: .directory, name: name)
    default: self.init(kind: .system(errno: code), name: name)
    }
  }

  /// The message, with the source's name and without a final period.
  public var description: String {
    switch kind {
    case .missing: "\(name): no such file"
    case .directory: "\(name): is a directory"
    case .system(let code): "\(name): \(Self.sentence(errno: code))"
    case .damagedGzip(let error): "\(name): \(error)"
    case .interrupted: "\(name): interrupted"
    }
  }

  /// The C library's message, such as `Permission denied`.
  static func sentence(errno code: Int32) -> String {
    // The C library owns the string, which stays valid until this thread's next call.
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
