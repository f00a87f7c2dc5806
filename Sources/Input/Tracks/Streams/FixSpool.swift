import FencepostFixes
import FencepostFiles
import FencepostFormats
import FencepostGeodesy
import Glibc

/// A double-ended queue of fixes in an unlinked temporary file, which vanishes with the process.
///
/// ``FixOrder`` needs it for sources that run backward. Fixes are written as they are in memory,
/// since only this process reads them.
final class FixSpool {
  private let descriptor: Int32
  private let name: String
  /// The indices of the first fix in the queue and of the one after the last.
  private var start = 0
  private var end = 0

  /// Creates the file in `TMPDIR` or `/tmp`; `name` is the source's name for messages.
  init(name: String) throws(ByteSourceError) {
    // The environment owns the string, which is copied at once.
    let value = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    let folder = value.isEmpty ? "/tmp" : value
    self.name = "\(name): temporary file in \(folder), needed to read from the end"
    var path = Array("\(folder)/fencepost-XXXXXX\0".utf8CString)
    // `mkstemp` replaces the six X in place; the array lives until both calls return.
    descriptor = unsafe mkstemp(&path)
    guard descriptor >= 0 else { throw Self.failure(self.name) }
    _ = unsafe unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  var count: Int { end - start }

  /// Adds fixes at the back; throws if they cannot be written.
  func append(_ fixes: [Fix]) throws(ByteSourceError) {
    var written = 0
    let size = fixes.count * Self.stride
    while written < size {
      // A fix is plain numbers, and the array lives until the call returns.
      let count = unsafe fixes.withUnsafeBytes { bytes in
        unsafe pwrite(
          descriptor, bytes.baseAddress.map { unsafe $0 + written }, size - written,
          off_t(end * Self.stride + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(name) }
      written += count
    }
    end += fixes.count
  }

  /// Removes up to `count` fixes from the front, in order.
  func takeFirst(_ count: Int) throws(ByteSourceError) -> [Fix] {
    let range = start..<min(end, start + count)
    let fixes = try read(range)
    start = range.upperBound
    return fixes
  }

  /// Removes up to `count` fixes from the back, in order.
  func takeLast(_ count: Int) throws(ByteSourceError) -> [Fix] {
    let range = max(start, end - count)..<end
    let fixes = try read(range)
    end = range.lowerBound
    return fixes
  }

  private func read(_ range: Range<Int>) throws(ByteSourceError) -> [Fix] {
    let empty = Fix(coordinate: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0))
    var fixes = [Fix](repeating: empty, count: range.count)
    var received = 0
    let size = range.count * Self.stride
    while received < size {
      // A fix is plain numbers, and the array has room for exactly the bytes requested.
      let count = unsafe fixes.withUnsafeMutableBytes { bytes in
        unsafe pread(
          descriptor, bytes.baseAddress.map { unsafe $0 + received }, size - received,
          off_t(range.lowerBound * Self.stride + received))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(name) }
      received += count
    }
    return fixes
  }

  private static var stride: Int { MemoryLayout<Fix>.stride }

  /// The system's last error, about the temporary file.
  private static func failure(_ name: String) -> ByteSourceError {
    ByteSourceError(kind: .system(errno: errno), name: name)
  }
}
