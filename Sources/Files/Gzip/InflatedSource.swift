import FencepostFormats

/// A byte source that inflates gzip-compressed bytes, which it recognises by the first two bytes, never by
/// the name.
package struct InflatedSource: ~Copyable {
  private var source: ByteSource
  private var layer: GzipLayer
  /// The chunk that is being read, and how many of its bytes have been.
  private var chunk: [UInt8] = []
  private var consumed = 0
  private var isAtEnd = false
  /// What was inflated at once, and how much of it has been delivered.
  private var inflated: [UInt8] = []
  private var deliveredCount = 0
  private var failure: ByteSourceError?

  /// Reads through a source, which may be a file, a pipe or standard input.
  package init(_ source: consuming ByteSource, limits: Gunzip.Limits = Gunzip.Limits()) {
    self.source = source
    layer = GzipLayer(limits: limits)
  }

  /// Opens a file, or standard input for `-`.
  ///
  /// - Throws: ``ByteSourceError`` as ``ByteSource/init(path:chunkBytes:)`` does.
  package init(
    path: String, chunkBytes: Int = ByteSource.defaultChunkBytes
  ) throws(ByteSourceError) {
    self.init(try ByteSource(path: path, chunkBytes: chunkBytes))
  }

  /// What messages call the source: the path as given, or the name it was made with.
  package var name: String { source.name }

  /// Whether the bytes are gzip-compressed; false before the first read.
  package var isCompressed: Bool { layer.isCompressed }

  /// Replaces the contents of a buffer by the next bytes, inflated.
  ///
  /// - Returns: False at the end of the source; the buffer is then empty.
  /// - Throws: ``ByteSourceError``; every byte before the fault was delivered by earlier calls.
  package mutating func read(into buffer: inout [UInt8]) throws(ByteSourceError) -> Bool {
    buffer.removeAll(keepingCapacity: true)
    while deliveredCount == inflated.count {
      if let failure { throw failure }
      if isAtEnd { return false }
      if consumed == chunk.count {
        consumed = 0
        isAtEnd = try !source.read(into: &chunk)
      }
      inflate()
    }
    let end = min(inflated.count, deliveredCount + source.chunkBytes)
    buffer.append(contentsOf: inflated[deliveredCount..<end])
    deliveredCount = end
    return true
  }

  private mutating func inflate() {
    deliveredCount = 0
    // Moved out of `self`, since the layer changes while these bytes are lent.
    var (input, output): ([UInt8], [UInt8]) = ([], [])
    swap(&input, &chunk)
    swap(&output, &inflated)
    defer {
      swap(&input, &chunk)
      swap(&output, &inflated)
    }
    output.removeAll(keepingCapacity: true)
    let rest = input.span.extracting(consumed..<input.count)
    let count = layer.pieceCount(of: rest)
    let damage = layer.take(rest.extracting(first: count), isLast: isAtEnd) {
      output.append(contentsOf: $0)
    }
    failure = damage.map { ByteSourceError(kind: .damagedGzip($0), name: name) }
    consumed += count
  }
}
