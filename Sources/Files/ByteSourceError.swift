import Glibc

/// A failure to read bytes, with a sentence that the user can act on.
public struct ByteSourceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure, which decides a command's exit code.
  public enum Kind: Equatable, Sendable {
    /// Nothing has that path.
    case missing
    /// The path names a directory.
    case directory
    /// The operating system refused or failed, for instance for lack of permission.
    case system(errno: Int32)
    /// The bytes are gzip-compressed, and damaged.
    case damagedGzip(GunzipError)
    /// The program is ending; see ``ByteSource/setInterruption(descriptor:)``.
    case interrupted
  }

  /// The kind of failure.
  public var kind: Kind
  /// The source's name.
  public var name: String

  /// Makes an error of its parts.
  public init(kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// Makes the error for an error number of the operating system.
  init(errno code: Int32, name: String) {
    switch code {
    case ENOENT, ENOTDIR: self.init(kind: .missing, name: name)
    case EISDIR: self.init(kind: .directory, name: name)
    default: self.init(kind: .system(errno: code), name: name)
    }
  }

  /// One sentence without a full stop that begins with the source's name.
  public var description: String {
    switch kind {
    case .missing: "\(name): no such file"
    case .directory: "\(name): is a directory"
    case .system(let code): "\(name): \(Self.sentence(errno: code))"
    case .damagedGzip(let error): "\(name): \(error)"
    case .interrupted: "\(name): interrupted"
    }
  }

  /// The C library's sentence for an error number, such as `Permission denied`.
  static func sentence(errno code: Int32) -> String {
    // The string belongs to the C library and stays valid until this thread's next call.
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
