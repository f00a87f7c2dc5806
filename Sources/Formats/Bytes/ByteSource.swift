import Glibc
import Synchronization

/// Bytes pulled in chunks from a file, standard input or an open file descriptor.
///
/// ```swift
/// var source = try ByteSource(path: path)
/// var chunk: [UInt8] = []
/// while try source.read(into: &chunk) {
///   try decoder.decode(chunk.span, into: &batch)
/// }
/// ```
///
/// A descriptor that the source opened is closed when the source goes out of scope.
public struct ByteSource: ~Copyable {
  /// How many bytes a chunk holds at most unless told otherwise: 128 KiB.
  ///
  /// Measured on files and
  /// pipes alike, throughput is flat from 64 to 256 KiB.
  public static var defaultChunkBytes: Int { 128 * 1024 }

  /// The path as given, or the name for messages that the source was made with.
  public let name: String
  /// The most bytes one ``read(into:)`` delivers.
  public let chunkBytes: Int
  private let descriptor: Int32
  private let closesDescriptor: Bool
  /// Whether a read may have to wait, and for how long nobody knows.
  private let mayWait: Bool

  private static let interruption = Atomic<Int32>(-1)

  /// Has all sources that wait for bytes wait for a descriptor as well, so that a program that is told
  /// to end is not stuck in a read.
  ///
  /// Of the whole process, as signals are. Once the descriptor is readable, and as long as it is,
  /// ``read(into:)`` of whatever is no regular file fails as `.interrupted`.
  /// - Parameter descriptor: The descriptor, which is polled and never read; −1 for none.
  public static func setInterruption(descriptor: Int32) {
    interruption.store(descriptor, ordering: .releasing)
  }

  /// Opens a file for reading; `-` is standard input.
  ///
  /// - Parameters:
  ///   - path: The file's path; named pipes and devices will do.
  ///   - chunkBytes: The most bytes a chunk holds, at least 1.
  /// - Throws: ``ByteSourceError`` with `.missing`, `.directory` or the system's error number.
  public init(
    path: String, chunkBytes: Int = ByteSource.defaultChunkBytes
  ) throws(ByteSourceError) {
    let isStandardInput = path == "-"
    let opened = isStandardInput ? STDIN_FILENO : Self.open(path)
    let failure = errno
    self.init(
      fileDescriptor: opened, name: isStandardInput ? "standard input" : path.shownFileName,
      chunkBytes: chunkBytes, closesDescriptor: !isStandardInput)
    guard opened >= 0 else { throw ByteSourceError(errno: failure, name: name) }
    // A directory opens without complaint and fails at the first read only.
    if Self.kind(of: opened) == S_IFDIR { throw ByteSourceError(kind: .directory, name: name) }
  }

  /// Opens a file; a named pipe is opened although nobody writes into it yet, and waited for when it
  /// is read, where the wait can be interrupted.
  private static func open(_ path: String) -> Int32 {
    let path = path.fileNameBytes
    var status = stat()
    // `status` is ours and of the size the system expects.
    let isPipe = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (isPipe ? O_NONBLOCK : 0)
    // The path is there until the call returns.
    let descriptor = unsafe Glibc.open(path, flags)
    guard isPipe, descriptor >= 0 else { return descriptor }
    _ = fcntl(descriptor, F_SETFL, O_RDONLY)
    return descriptor
  }

  /// Reads from a descriptor that is already open.
  ///
  /// - Parameters:
  ///   - fileDescriptor: An open descriptor, blocking or not.
  ///   - name: What messages call the source.
  ///   - chunkBytes: The most bytes a chunk holds, at least 1.
  ///   - closesDescriptor: Whether the descriptor is closed when the source goes out of scope.
  public init(
    fileDescriptor: Int32,
    name: String,
    chunkBytes: Int = ByteSource.defaultChunkBytes,
    closesDescriptor: Bool = false
  ) {
    self.descriptor = fileDescriptor
    self.name = name
    self.chunkBytes = max(1, chunkBytes)
    self.closesDescriptor = closesDescriptor
    mayWait = Self.kind(of: fileDescriptor) != S_IFREG
  }

  deinit {
    if closesDescriptor && descriptor >= 0 { close(descriptor) }
  }

  /// Whether the bytes come from a regular file, which ``rewind()`` can start again.
  public var isRegularFile: Bool { Self.kind(of: descriptor) == S_IFREG }

  /// Replaces the contents of a buffer by the next bytes; its storage is used again.
  ///
  /// Blocks until there is at least one byte; a read that a signal interrupts is begun again.
  /// - Returns: False at the end of the source, and then the buffer is empty.
  /// - Throws: ``ByteSourceError`` with the system's error number, or `.interrupted` when the program
  ///   shall end; the buffer is empty then.
  public mutating func read(into buffer: inout [UInt8]) throws(ByteSourceError) -> Bool {
    buffer.removeAll(keepingCapacity: true)
    guard !mayWait || waits() else { throw ByteSourceError(kind: .interrupted, name: name) }
    var failure: Int32 = 0
    let descriptor = descriptor
    buffer.append(addingCapacity: chunkBytes) { output in
      // The system writes at most `storage.count` bytes and says how many it wrote.
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

  /// Waits for bytes or the end of the source; false when the program shall end.
  private func waits() -> Bool {
    let interruption = Self.interruption.load(ordering: .acquiring)
    var requests = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
    ]
    // There are two requests, as the call is told.
    while unsafe poll(&requests, 2, -1) < 0, errno == EINTR {}
    return requests[1].revents == 0
  }

  /// Starts a regular file again from its first byte.
  ///
  /// - Throws: ``ByteSourceError`` where the source is a pipe, a socket or a terminal.
  public mutating func rewind() throws(ByteSourceError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw ByteSourceError(errno: errno, name: name)
    }
  }

  /// What kind of file a descriptor stands for, 0 where it is none.
  private static func kind(of descriptor: Int32) -> mode_t {
    var status = stat()
    // `status` is ours and of the size the system expects.
    guard unsafe fstat(descriptor, &status) == 0 else { return 0 }
    return status.st_mode & S_IFMT
  }
}
