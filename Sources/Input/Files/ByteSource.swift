import Glibc
import Synchronization

/// Reads bytes in chunks from a file, standard input, an open descriptor or memory.
///
/// ```swift
/// var source = try ByteSource(path: path)
/// var chunk: [UInt8] = []
/// while try source.read(into: &chunk) {
///   try decoder.decode(chunk.span, into: &batch)
/// }
/// ```
///
/// Going out of scope closes a descriptor that the source opened.
package struct ByteSource: ~Copyable {
  /// 128 KiB; measured on files and pipes, throughput is the same from 64 to 256 KiB.
  package static var defaultChunkBytes: Int { 128 * 1024 }

  /// The name for messages: the path, or the name passed in.
  package let name: String
  /// The most bytes one ``read(into:)`` returns.
  private let chunkBytes: Int
  private let descriptor: Int32
  private let closesDescriptor: Bool
  /// Whether a read can block: true except for regular files and memory.
  private let mayWait: Bool
  /// The unread bytes of a source in memory; nil for a descriptor.
  private var rest: ArraySlice<UInt8>?

  private static let interruption = Atomic<Int32>(-1)

  /// Sets the descriptor that interrupts blocking reads, so that a signal can end the program.
  ///
  /// It applies to the whole process. While it is readable, ``read(into:)`` throws `.interrupted`,
  /// except for regular files.
  ///
  /// - Parameter descriptor: Polled but never read; −1 for none.
  package static func setInterruption(descriptor: Int32) {
    interruption.store(descriptor, ordering: .releasing)
  }

  /// Opens a file, named pipe or device for reading; `-` is standard input.
  package init(
    path: String, chunkBytes: Int = ByteSource.defaultChunkBytes
  ) throws(ByteSourceError) {
    let isStandardInput = path == "-"
    let opened = isStandardInput ? STDIN_FILENO : Self.open(path)
    let failure = errno
    self.init(
      fileDescriptor: opened, name: isStandardInput ? "standard input" : path.shownFileName,
      chunkBytes: chunkBytes, closesDescriptor: !isStandardInput)
    guard opened >= 0 else { throw ByteSourceError(errno: failure, name: name) }
    // Opening a directory succeeds; only the first read would fail.
    if Self.kind(of: opened) == S_IFDIR { throw ByteSourceError(kind: .directory, name: name) }
  }

  /// Opens a file; does not wait for a named pipe's writer, since only `read` can be interrupted.
  private static func open(_ path: String) -> Int32 {
    let path = path.fileNameBytes
    var status = stat()
    // `status` is a local variable of the type that the call expects.
    let isPipe = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (isPipe ? O_NONBLOCK : 0)
    // The path outlives the call.
    let descriptor = unsafe Glibc.open(path, flags)
    guard isPipe, descriptor >= 0 else { return descriptor }
    _ = fcntl(descriptor, F_SETFL, O_RDONLY)
    return descriptor
  }

  /// Reads from an open descriptor, blocking or not; `name` is for messages.
  package init(
    fileDescriptor: Int32, name: String, chunkBytes: Int = ByteSource.defaultChunkBytes,
    closesDescriptor: Bool = false
  ) {
    self.descriptor = fileDescriptor
    self.name = name
    self.chunkBytes = max(1, chunkBytes)
    self.closesDescriptor = closesDescriptor
    mayWait = Self.kind(of: fileDescriptor) != S_IFREG
  }

  /// Reads from memory; `name` is for messages.
  package init(bytes: [UInt8], name: String, chunkBytes: Int = ByteSource.defaultChunkBytes) {
    descriptor = -1
    self.name = name
    self.chunkBytes = max(1, chunkBytes)
    closesDescriptor = false
    mayWait = false
    rest = bytes[...]
  }

  deinit {
    if closesDescriptor && descriptor >= 0 { close(descriptor) }
  }

  /// Replaces the buffer's contents with the next bytes; blocks until there is at least one.
  ///
  /// - Returns: False at the end of the source, with an empty buffer.
  /// - Throws: ``ByteSourceError``, with an empty buffer.
  package mutating func read(into buffer: inout [UInt8]) throws(ByteSourceError) -> Bool {
    buffer.removeAll(keepingCapacity: true)
    if let rest {
      buffer.append(contentsOf: rest.prefix(chunkBytes))
      self.rest = rest.dropFirst(chunkBytes)
      return !buffer.isEmpty
    }
    guard !mayWait || waits() else { throw ByteSourceError(kind: .interrupted, name: name) }
    var failure: Int32 = 0
    let descriptor = descriptor
    buffer.append(addingCapacity: chunkBytes) { output in
      // The system writes at most `storage.count` bytes and returns how many it wrote.
      unsafe output.withUnsafeMutableBufferPointer { storage, count in
        var received: Int
        repeat {
          received = unsafe Glibc.read(descriptor, storage.baseAddress, storage.count)
        } while received < 0 && errno == EINTR
        if received < 0 { failure = errno }
        count = max(0, received)
      }
    }
    guard failure == 0 else { throw ByteSourceError(errno: failure, name: name) }
    return !buffer.isEmpty
  }

  /// Waits for bytes or the end of the source; false if interrupted.
  private func waits() -> Bool {
    let interruption = Self.interruption.load(ordering: .acquiring)
    var requests = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
    ]
    // The count matches the array.
    while unsafe poll(&requests, 2, -1) < 0, errno == EINTR {}
    return requests[1].revents == 0
  }

  /// The file type of a descriptor; 0 if it is not open.
  private static func kind(of descriptor: Int32) -> mode_t {
    var status = stat()
    // `status` is a local variable of the type that the call expects.
    guard unsafe fstat(descriptor, &status) == 0 else { return 0 }
    return status.st_mode & S_IFMT
  }
}

/// A failure to read bytes, described for the user.
///
/// The chunks that were read before it are valid.
public struct ByteSourceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure, which determines a command's exit code.
  ///
  /// Only ``interrupted`` is not the fault of the file or the system.
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
