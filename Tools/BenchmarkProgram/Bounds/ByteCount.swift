import FencepostFiles
import FencepostFormats
import Glibc

/// Counts a byte in a file with `memchr`: the bound of every reader of that file.
enum ByteCount {
  /// How often a byte occurs in a file, which is read as the readers read it.
  static func occurrences(of byte: UInt8, inFile path: String) throws -> Int {
    var source = try ByteSource(path: path)
    var chunk: [UInt8] = []
    var count = 0
    while try source.read(into: &chunk) {
      count += unsafe chunk.withUnsafeBytes { bytes in
        unsafe occurrences(of: byte, in: bytes)
      }
    }
    return count
  }

  private static func occurrences(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int {
    guard var next = bytes.baseAddress else { return 0 }
    // One past the last byte of the buffer, never read.
    let end = unsafe next + bytes.count
    var count = 0
    while let found = unsafe memchr(next, Int32(byte), end - next) {
      count += 1
      unsafe next = UnsafeRawPointer(found) + 1
    }
    return count
  }
}
