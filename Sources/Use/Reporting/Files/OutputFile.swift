import FencepostFiles
import FencepostFormats
import Glibc

/// The destination of a command's data: standard output or a file.
///
/// Append bytes to ``buffer``; they are written out from about 64 KiB on, or at ``flush()``. A file
/// has a temporary name in its directory until ``finish()``, so that half a file is never visible.
/// Without ``finish()``, nothing remains.
package struct OutputFile: ~Copyable, Sendable {
  /// When a file appears under its name.
  ///
  /// Half a file is worse than none for other programs, but a person who watches a long task wants
  /// to see its beginning.
  package enum Visibility: Sendable {
    /// On completion, replacing any file of that name.
    case whenComplete
    /// With the first bytes, for a command that runs until stopped.
    case asWritten
  }

  /// The bytes not yet written out.
  package var buffer = OutputBuffer(capacity: bufferBytes + 4096)

  /// The file as the user named it, or `standard output`.
  package let name: String

  private let descriptor: Int32
  private let temporaryFile: TemporaryFile?
  private var isOpen = true
  private var beginning: Beginning

  /// What must still happen to a file that is written in place.
  private enum Beginning {
    /// Nothing, or bytes were already written.
    case done
    /// Truncate it before the first bytes.
    case empties
    /// Remove it if nothing is written, because it was created for this output.
    case created
  }

  /// How full the buffer is before it is worth a system call.
  private static let bufferBytes = 65_536

  /// Writes to standard output, which stays open afterwards.
  package init() {
    self.init(name: "standard output", descriptor: STDOUT_FILENO, temporaryFile: nil)
  }

  /// Writes to a file, or to standard output for `-`.
  ///
  /// Devices and pipes are written directly. Symbolic links are followed, even to files that do not
  /// exist yet. If nothing was written, an existing file stays unchanged.
  ///
  /// - Throws: ``OutputFailure`` if the file cannot be created.
  package init(path: String, visibility: Visibility = .whenComplete) throws(OutputFailure) {
    if path == "-" {
      self.init()
    } else if visibility == .asWritten || TemporaryFile.isSpecial(path) {
      let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY
      let name = path.fileNameBytes
      // The name outlives the calls.
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
    (self.name, self.beginning) = (name, beginning)
    (self.descriptor, self.temporaryFile) = (descriptor, temporaryFile)
  }

  deinit {
    // Abandoned without `finish()` after a failure, which the caller reports.
    guard isOpen, descriptor != STDOUT_FILENO else { return }
    close(descriptor)
    temporaryFile?.remove()
    // The name outlives the call.
    if case .created = beginning { unsafe unlink(name.fileNameBytes) }
  }

  /// Writes out the buffer if it is worth a system call; call this after each event.
  package mutating func flushIfFull() throws(OutputFailure) {
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  /// Writes out the buffer.
  ///
  /// - Throws: ``OutputFailure``. Empties the buffer even then, so that a later attempt does not
  ///   repeat bytes.
  package mutating func flush() throws(OutputFailure) {
    guard !buffer.isEmpty else { return }
    try begin()
    let code = Self.write(buffer, to: descriptor)
    buffer.removeAll()
    if code != 0 { throw OutputFailure(path: name, code: code) }
  }

  /// Truncates a file that is written in place, before its first bytes.
  private mutating func begin() throws(OutputFailure) {
    if case .empties = beginning, ftruncate(descriptor, 0) != 0 {
      throw OutputFailure(path: name, code: errno)
    }
    beginning = .done
  }

  /// Writes out the buffer, syncs the file to disk and gives it its name.
  ///
  /// Nothing may be written afterwards.
  package mutating func finish() throws(OutputFailure) {
    precondition(isOpen, "an output can be finished only once")
    try flush()
    guard descriptor != STDOUT_FILENO else {
      isOpen = false
      return
    }
    try begin()
    // If one of the two fails, `deinit` removes the temporary file.
    if let temporaryFile { try temporaryFile.takeName() }
    isOpen = false
    // Some network file systems report a full disk only now.
    if close(descriptor) != 0 && errno != EINTR { throw OutputFailure(path: name, code: errno) }
  }

  /// Removes the temporary files of all unfinished outputs, for a program that exits at once.
  package static func removeUnfinished() { TemporaryFile.removeAll() }

  /// Writes all bytes, whatever part a call takes; returns an error number, or 0.
  private static func write(_ bytes: borrowing OutputBuffer, to descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    bytes.withBytes { span in
      var written = 0
      while written < span.count && code == 0 {
        let rest = span.extracting(written..<span.count)
        // `write` reads `count` bytes, which the closure keeps valid.
        let result = unsafe rest.withUnsafeBytes {
          unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        if result >= 0 {
          written += result
        } else if errno == EAGAIN {
          // Another process that shares the pipe made it non-blocking. The call reads one request.
          var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&request, 1, -1)
        } else if errno != EINTR {
          code = errno
        }
      }
    }
    return code
  }
}

/// Why data could not be written, and where.
///
/// A command ends with it, since nothing that follows could be written either. A pipe whose reader
/// has gone, as with `head`, ends a command without a message.
package struct OutputFailure: Error, CustomStringConvertible, Equatable {
  /// The file as the user named it, or `standard output`.
  package var path: String
  /// The error number of the system (`errno`).
  package var code: Int32

  /// Creates a failure from the value of `errno` after the call that failed.
  package init(path: String, code: Int32) {
    self.path = path
    self.code = code
  }

  /// Whether the reader closed the pipe, which is not an error.
  package var isBrokenPipe: Bool { code == EPIPE }

  /// The message, without a final period: `out.csv: cannot write: No space left on device`.
  package var description: String { "\(path): cannot write: \(Self.reason(code))" }

  /// The system's words for an error number.
  private static func reason(_ code: Int32) -> String {
    // `strerror` may share its memory between threads.
    var memory = [CChar](repeating: 0, count: 256)
    // The C library writes at most `count` bytes, the last of them a null.
    return unsafe memory.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, unsafe strerror_r(code, start, buffer.count) == 0 else {
        return "error \(code)"
      }
      return unsafe String(cString: start)
    }
  }
}
