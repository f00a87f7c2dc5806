import FencepostFormats

/// The incomplete end of a chunk, kept until the next chunk completes it.
struct CarriedBytes: Sendable {
  private var bytes: [UInt8] = []

  /// Passes the carried bytes together with the next chunk to a reader.
  ///
  /// - Parameters:
  ///   - chunk: The next bytes.
  ///   - lookAhead: The most bytes of the chunk that the reader needs to complete what was begun.
  ///   - read: Reads bytes at least up to a goal and returns how many it read; it stops early only at an
  ///     incomplete item.
  /// - Throws: What `read` throws.
  mutating func feed(
    _ chunk: Span<UInt8>, lookAhead: Int,
    _ read: (_ bytes: Span<UInt8>, _ goal: Int) throws(DecodeError) -> Int
  ) throws(DecodeError) {
    var start = 0
    if !bytes.isEmpty {
      let old = bytes.count
      let added = min(chunk.count, lookAhead)
      bytes.append(contentsOf: chunk.extracting(first: added))
      let end = try read(bytes.span, old)
      guard end >= old else {
        bytes.removeFirst(end)
        return bytes.append(contentsOf: chunk.extracting(added..<chunk.count))
      }
      bytes.removeAll(keepingCapacity: true)
      start = end - old
    }
    let rest = chunk.extracting(start..<chunk.count)
    let end = try read(rest, rest.count)
    bytes.append(contentsOf: rest.extracting(end..<rest.count))
  }

  /// Takes what is still incomplete.
  mutating func removeAll() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
