import FencepostFixes
import FencepostFiles
import FencepostFormats
import FencepostGeodesy
import Glibc

/// A queue of fixes in an unlinked temporary file, which disappears with the process.
///
/// Fixes can be taken from either end.
final class FixSpool {
  private let descriptor: Int32
  private let name: String
  private var start = 0
  private var end = 0

  /// Makes an empty queue in `TMPDIR` or `/tmp`.
  ///
  /// - Parameter name: The name of the fixes' source in messages.
  /// - Throws: `ByteSourceError` if the file cannot be created.
  init(name: String) throws(ByteSourceError) {
    // The text belongs to the environment and is copied at once.
    let value = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    let folder = value.isEmpty ? "/tmp" : value
    self.name = "\(name): the temporary file in \(folder) that it takes to read from the end"
    var path = Array("\(folder)/fencepost-XXXXXX\0".utf8CString)
    // `mkstemp` replaces the six X by a free name; the array lives until the calls return.
    descriptor = unsafe mkstemp(&path)
    guard descriptor >= 0 else { throw Self.failure(self.name) }
    _ = unsafe unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// How many fixes there are.
  var count: Int { end - start }

  /// Adds fixes at the end.
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

  /// Takes at most so many fixes from the front, in order.
  func takeFirst(_ count: Int) throws(ByteSourceError) -> [Fix] {
    let range = start..<min(end, start + count)
    let fixes = try read(range)
    start = range.upperBound
    return fixes
  }

  /// Takes at most so many fixes from the back, in order.
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
      // A fix is plain numbers, and the array has room for exactly the bytes that are read.
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

  private static func failure(_ name: String) -> ByteSourceError {
    ByteSourceError(kind: .system(errno: errno), name: name)
  }
}
