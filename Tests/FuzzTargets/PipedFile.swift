import Glibc

/// Bytes that can be opened by a path, without a file.
///
/// A pipe of packets: each piece is read by a read of its own, as from a slow program.
struct PipedFile: ~Copyable {
  private let readEnd: Int32

  /// As much as the pipe takes before anybody reads.
  static let mostBytes = 128 * 1024
  private static let packetBytes = 4096
  // What the C library tells only to those who ask for what is Linux's own.
  private static let sizeCommand: Int32 = 1031
  #if arch(arm64)
  private static let packetFlag: Int32 = 0o200000
  #else
  private static let packetFlag: Int32 = 0o40000
  #endif

  /// Puts the bytes of the pieces into a pipe; nil where the system has none left.
  init?(_ bytes: [UInt8], in pieces: [Range<Int>]) {
    var ends: [Int32] = [-1, -1]
    // The system writes two descriptors into the two of ours.
    guard unsafe pipe(&ends) == 0 else { return nil }
    defer { close(ends[1]) }
    readEnd = ends[0]
    _ = fcntl(ends[1], F_SETFL, PipedFile.packetFlag)
    _ = fcntl(ends[1], PipedFile.sizeCommand, 1 << 20)
    for piece in pieces {
      var start = piece.lowerBound
      while start < piece.upperBound {
        let end = min(piece.upperBound, start + PipedFile.packetBytes)
        // `bytes` holds the range.
        let written = unsafe bytes.withUnsafeBytes { buffer in
          unsafe write(ends[1], buffer.baseAddress?.advanced(by: start), end - start)
        }
        guard written > 0 else { break }
        start += written
      }
    }
  }

  deinit { close(readEnd) }

  /// The path by which this process can open it.
  var path: String { "/proc/self/fd/\(readEnd)" }
}
