import Formats
import Glibc

/// Where a command's data goes: standard output, or a file that appears when it is complete.
///
/// Bytes are put into ``buffer`` and go out when some 64 KiB have come together, or at
/// ``flush()``. A file is written under a temporary name in its own directory and takes its name
/// at ``finish()``, so that nobody ever sees half of it; without ``finish()`` nothing remains.
public struct OutputFile: ~Copyable, Sendable {
  /// When a file gets its name.
  public enum Visibility: Sendable {
    /// When it is complete, in place of what had the name before.
    case whenComplete
    /// With the first bytes and growing, for what runs until it is stopped.
    case asWritten
  }

  /// The bytes that have not gone out yet.
  public var buffer = ByteBuffer(capacity: bufferBytes + 4096)

  /// The name for messages.
  public let name: String

  private let descriptor: Int32
  private let temporaryFile: TemporaryFile?
  private var isOpen = true
  /// What becomes of a file that grows in place when its first bytes are written.
  private var beginning: Beginning

  /// How a file is treated that bytes go to directly.
  private enum Beginning {
    /// It needs nothing, or something has been written.
    case done
    /// What was in it goes when something is written.
    case empties
    /// It was made for this output, and goes if nothing is written.
    case created
  }

  private static let bufferBytes = 65_536

  /// Writes to standard output, which stays open afterwards.
  public init() {
    self.init(name: "standard output", descriptor: STDOUT_FILENO, temporaryFile: nil)
  }

  /// Writes to a file; `-` is standard output.
  ///
  /// What is no regular file (a device, a pipe) is written to directly, and a symbolic link is
  /// followed, also to a file that is not there yet. An output that is given up before anything was
  /// written leaves what had the name.
  ///
  /// - Throws: ``OutputFailure`` when the file cannot be created.
  public init(path: String, visibility: Visibility = .whenComplete) throws(OutputFailure) {
    if path == "-" {
      self.init()
    } else if visibility == .asWritten || TemporaryFile.isSpecial(path) {
      let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY
      let name = path.fileNameBytes
      // The name is there until the calls return.
      var descriptor = unsafe open(name, flags | O_EXCL, 0o666)
      let isNew = descriptor >= 0
      if !isNew { descriptor = unsafe open(name, flags, 0o666) }
      guard descriptor >= 0 else { throw OutputFailure(path: path, code: errno) }
      let isFile = FileIdentity(descriptor: descriptor) != nil
      self.init(
        name: path, descriptor: descriptor, temporaryFile: nil,
        beginning: isNew ? .created : isFile ? .empties : .done)
    } else {
      let file = try TemporaryFile(for: path)
      self.init(name: path, descriptor: file.descriptor, temporaryFile: file)
    }
  }

  private init(
    name: String, descriptor: Int32, temporaryFile: TemporaryFile?, beginning: Beginning = .done
  ) {
    self.name = name
    self.beginning = beginning
    self.descriptor = descriptor
    self.temporaryFile = temporaryFile
  }

  deinit {
    // Left without `finish()`: something failed, and the sentence that says so is on its way.
    guard isOpen, descriptor != STDOUT_FILENO else { return }
    close(descriptor)
    temporaryFile?.remove()
    // The name is there until the call returns.
    if case .created = beginning { unsafe unlink(name.fileNameBytes) }
  }

  /// Writes out what is buffered if it is worth a system call; to be called after each event.
  public mutating func flushIfFull() throws(OutputFailure) {
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  /// Writes out what is buffered.
  ///
  /// - Throws: ``OutputFailure``; what was buffered is then gone, so that a second attempt at the
  ///   end does not repeat what was written in part.
  public mutating func flush() throws(OutputFailure) {
    guard !buffer.isEmpty else { return }
    try begin()
    let code = Self.write(buffer, to: descriptor)
    buffer.removeAll()
    if code != 0 { throw OutputFailure(path: name, code: code) }
  }

  /// Empties a file that grows in place, before its first bytes.
  private mutating func begin() throws(OutputFailure) {
    if case .empties = beginning, ftruncate(descriptor, 0) != 0 {
      throw OutputFailure(path: name, code: errno)
    }
    beginning = .done
  }

  /// Writes out what is buffered, makes it durable and gives the file its name.
  ///
  /// Nothing may be written afterwards.
  public mutating func finish() throws(OutputFailure) {
    precondition(isOpen, "an output is finished once")
    try flush()
    guard descriptor != STDOUT_FILENO else {
      isOpen = false
      return
    }
    try begin()
    // The temporary file is removed by `deinit` when one of the two fails.
    if let temporaryFile { try temporaryFile.takeName() }
    isOpen = false
    // Some network file systems report a full disk only now.
    if close(descriptor) != 0 && errno != EINTR { throw OutputFailure(path: name, code: errno) }
  }

  /// Removes what every unfinished output has written under a temporary name.
  ///
  /// For a program that ends at once, without giving its outputs up one by one.
  public static func removeUnfinished() {
    TemporaryFile.removeAll()
  }

  /// Writes all of the bytes; returns 0, or the error number.
  private static func write(_ bytes: borrowing ByteBuffer, to descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    bytes.withBytes { span in
      var written = 0
      while written < span.count && code == 0 {
        let rest = span.extracting(written..<span.count)
        // `write` reads `count` bytes of the memory that the closure keeps valid.
        let result = unsafe rest.withUnsafeBytes {
          unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        if result >= 0 {
          written += result
        } else if errno == EAGAIN {
          waitUntilWritable(descriptor)
        } else if errno != EINTR {
          code = errno
        }
      }
    }
    return code
  }

  /// Waits where whoever shares the pipe has made it non-blocking.
  private static func waitUntilWritable(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // There is one request, as the call is told.
    _ = unsafe poll(&request, 1, -1)
  }
}
