import Glibc

/// A file without a name, gone with the last that has it open, however the program ends.
final class SpoolFile {
  private let path: String
  private let descriptor: Int32

  /// Makes an empty file, or nil where none can be made.
  ///
  /// - Parameter path: A name that nothing has; the file has it for a moment.
  init?(path: String) {
    self.path = path
    // The name is there until the calls return.
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    unsafe _ = unlink(path)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Writes bytes at an offset.
  func write(_ bytes: Span<UInt8>, at offset: Int) throws(PlaceStoreError) {
    var start = 0
    while start < bytes.count {
      // The span holds the bytes until the call returns.
      let count = unsafe bytes.extracting(start...).withUnsafeBufferPointer {
        unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + start))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw PlaceStoreError(systemCode: errno, path: path) }
      start += count
    }
  }

  /// Replaces the contents of a buffer by a range of the file's bytes.
  func read(_ range: Range<Int>, into bytes: inout [UInt8]) throws(PlaceStoreError) {
    bytes.removeAll(keepingCapacity: true)
    while bytes.count < range.count {
      let offset = range.lowerBound + bytes.count
      var received = 0
      bytes.append(addingCapacity: range.count - bytes.count) { output in
        // The system writes at most as many bytes as there is room for, and says how many.
        unsafe output.withUnsafeMutableBufferPointer { storage, count in
          received = unsafe pread(
            descriptor, storage.baseAddress, min(storage.count, range.upperBound - offset),
            off_t(offset))
          count = max(0, received)
        }
      }
      if received < 0, errno == EINTR { continue }
      guard received > 0 else {
        throw PlaceStoreError(systemCode: received < 0 ? errno : EIO, path: path)
      }
    }
  }
}
