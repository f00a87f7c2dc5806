#if Command
import FencepostFiles
package import FencepostReporting
package import FoundationEssentials
import Glibc
import Synchronization

/// Standard output, or the file that events are appended to, one line at a time.
///
/// The last line of a file may be torn by a full disk or a power cut. It is ended first, so that the
/// next event has a line of its own. An empty file begins with the header, if there is one. A file
/// that was moved away is written to until ``reopen()``, and one that was deleted is made anew.
package final class LiveOutput: Sendable {
  // Every `unsafe` of this type passes local variables with their sizes.

  /// The file as it is open now, and what is known of its contents.
  private struct Opened {
    var descriptor: Int32
    /// The first line of a table, for an empty file.
    var header: [UInt8] = []
    /// Whether the last line is known to be complete.
    var isWhole = false
    /// How much of the file was searched for quotes, and whether it ends within some.
    var searched: (count: Int, isInQuotes: Bool) = (0, false)
  }

  /// The file as the user named it, or `standard output`.
  package let name: String
  /// Whether it is a file that keeps what earlier sessions wrote.
  let isAppended: Bool
  private let path: String?
  private let opened: Mutex<Opened>

  /// Standard output; also a file if a shell appends to one by `>>`.
  package init() {
    (name, path) = ("standard output", nil)
    isAppended = Self.isAppended(STDOUT_FILENO)
    opened = Mutex(Opened(descriptor: STDOUT_FILENO))
  }

  /// Opens a file, or creates it.
  package init(path: String) throws(OutputFailure) {
    let descriptor = try Self.open(path)
    (name, self.path) = (path, path)
    isAppended = Self.isAppended(descriptor)
    opened = Mutex(Opened(descriptor: descriptor))
  }

  /// Whether a person reads the output in a terminal.
  package var isTerminal: Bool { opened.withLock { isatty($0.descriptor) == 1 } }

  /// Sets what an empty file begins with.
  ///
  /// - Returns: Whether the file begins with something else.
  package func setHeader(_ header: [UInt8]) -> Bool {
    opened.withLock { opened in
      opened.header = header
      guard isAppended, !header.isEmpty else { return false }
      let start = Self.bytes(of: opened.descriptor, from: 0, count: header.count)
      return !start.isEmpty && start != header
    }
  }

  /// Opens a file again by its name, for example after it was moved away.
  ///
  /// - Returns: A sentence for the user; nil if it is still the same file.
  package func reopen() -> String? {
    guard isAppended, let path else { return nil }
    do {
      // Without a reader, a pipe that took the file's place would be waited for.
      let descriptor = try Self.open(path, O_NONBLOCK)
      let isOther = opened.withLock { opened in
        guard FileIdentity(descriptor: descriptor) != FileIdentity(descriptor: opened.descriptor)
        else {
          close(descriptor)
          return false
        }
        Self.replace(&opened, by: descriptor)
        return true
      }
      guard isOther else { return nil }
      // A failure shows at the next line, too.
      _ = write(Data()) { true }
      return "\(path): writing to the new file"
    } catch {
      return "\(error); writing to the old file"
    }
  }

  /// Writes a line at once.
  ///
  /// - Parameters:
  ///   - line: The line, with its end. If it is empty, only what must stand before the next line is
  ///     written.
  ///   - mustStop: Whether to give up while the output cannot take more.
  /// - Returns: Whether the line was written, must be tried again, or can never be written.
  package func write(_ line: Data, unless mustStop: () -> Bool) -> DeliveryOutcome {
    opened.withLock { opened in
      guard isAppended else { return write(line[...], to: opened.descriptor, unless: mustStop) }
      var status = Self.status(of: opened.descriptor)
      // If it cannot be made anew, the lines go on to the deleted file.
      if let path, status.st_nlink == 0, let descriptor = try? Self.open(path) {
        Self.replace(&opened, by: descriptor)
        status = Self.status(of: descriptor)
      }
      let end = opened.isWhole ? [] : Self.missingEnd(of: &opened, size: Int(status.st_size))
      let start = status.st_size == 0 ? opened.header : end
      let outcome = write((start + line)[...], to: opened.descriptor, unless: mustStop)
      opened.isWhole = outcome == .delivered
      return outcome
    }
  }

  private func write(
    _ bytes: some RandomAccessCollection<UInt8>, to descriptor: Int32, unless mustStop: () -> Bool
  ) -> DeliveryOutcome {
    let bytes = Array(bytes)
    var rest = bytes[...]
    while !rest.isEmpty {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      // The count matches.
      guard unsafe poll(&request, 1, 50) != 0 else {
        if mustStop() { return .unfinished }
        continue
      }
      // The system reads at most `count` bytes of memory that stays valid in the closure.
      let written = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, min($0.count, Self.pieceBytes))
      }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EPIPE {
        return .closed(nil)
      } else if errno != EINTR && errno != EAGAIN {
        return .closed("\(OutputFailure(path: name, code: errno))")
      }
    }
    return .delivered
  }

  /// A writable pipe accepts this many bytes without blocking.
  private static var pieceBytes: Int { 4096 }

  // MARK: Files

  private static func open(_ path: String, _ more: Int32 = 0) throws(OutputFailure) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | more
    // The name is valid until the call returns.
    let descriptor = unsafe Glibc.open(path.fileNameBytes, flags, 0o666)
    guard descriptor >= 0 else { throw OutputFailure(path: path, code: errno) }
    return descriptor
  }

  private static func replace(_ opened: inout Opened, by descriptor: Int32) {
    close(opened.descriptor)
    (opened.descriptor, opened.isWhole) = (descriptor, false)
    opened.searched = (0, false)
  }

  private static func isAppended(_ descriptor: Int32) -> Bool {
    status(of: descriptor).st_mode & S_IFMT == S_IFREG
      && fcntl(descriptor, F_GETFL) & O_APPEND != 0
  }

  private static func status(of descriptor: Int32) -> stat {
    var status = stat()
    // A descriptor that is closed has no status, and no file's mode.
    _ = unsafe fstat(descriptor, &status)
    return status
  }

  /// What ends a torn last line; a character that was cut is removed.
  private static func missingEnd(of opened: inout Opened, size: Int) -> [UInt8] {
    var tail = bytes(of: opened.descriptor, from: max(0, size - 4), count: 4)
    guard let last = tail.last else { return [] }
    let isQuoted = !opened.header.isEmpty && endsInQuotes(&opened, size: size)
    guard isQuoted || last != UInt8(ascii: "\n") else { return [] }
    // A reader may refuse a whole file because of half a character.
    while !tail.isEmpty, String(validating: tail.drop { $0 & 0xC0 == 0x80 }, as: UTF8.self) == nil {
      tail.removeLast()
    }
    let cut = min(size, 4) - tail.count
    // If it cannot be cut, the line is ended all the same.
    if 1...3 ~= cut, ftruncate(opened.descriptor, size - cut) == 0 {
      opened.searched.count = min(opened.searched.count, size - cut)
    }
    return isQuoted ? Array("\"\n".utf8) : [UInt8(ascii: "\n")]
  }

  /// Whether a row of CSV ends within quotes, which would take in all the rows that follow.
  ///
  /// Only what was added since the last search is read, because a full disk is tried again and again.
  private static func endsInQuotes(_ opened: inout Opened, size: Int) -> Bool {
    // The file was cut meanwhile.
    if size < opened.searched.count { opened.searched = (0, false) }
    while true {
      let piece = bytes(
        of: opened.descriptor, from: opened.searched.count, count: 64 * 1024)
      guard !piece.isEmpty else { return opened.searched.isInQuotes }
      opened.searched.count += piece.count
      for byte in piece where byte == UInt8(ascii: "\"") { opened.searched.isInQuotes.toggle() }
    }
  }

  /// Bytes of a file that is open for writing alone; empty if they may not be read.
  private static func bytes(of descriptor: Int32, from offset: Int, count: Int) -> [UInt8] {
    // Opened by its descriptor, because another file may have its name by now.
    let reading = unsafe Glibc.open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
    guard reading >= 0 else { return [] }
    defer { close(reading) }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      // The system writes at most `count` bytes, for which there is room.
      length = max(0, unsafe pread(reading, buffer.baseAddress, count, off_t(offset)))
    }
  }
}
#endif
