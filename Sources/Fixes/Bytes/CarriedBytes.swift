import FencepostFormats

/// What a chunk began and did not end, kept until the bytes that follow it come.
struct CarriedBytes: Sendable {
  private var bytes: [UInt8] = []

  /// Has a reader read the bytes carried so far together with the next ones.
  ///
  /// - Parameters:
  ///   - chunk: The next bytes.
  ///   - lookAhead: How many of them the reader needs at most to end what was begun.
  ///   - read: Reads from the beginning of some bytes up to a goal or further, and returns how many it
  ///     read; it stops early only where something has no end yet.
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

  /// Takes what was begun and has no end.
  mutating func removeAll() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
