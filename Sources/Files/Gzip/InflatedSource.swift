import FencepostFormats

/// A byte source that inflates gzip data, recognized by its first two bytes and not by name.
package struct InflatedSource: ~Copyable {
  private var source: ByteSource
  private var layer = GzipLayer()
  /// The chunk being read; `consumed` counts the bytes already used.
  private var chunk: [UInt8] = []
  private var consumed = 0
  private var isAtEnd = false
  private var failure: ByteSourceError?

  package init(_ source: consuming ByteSource) { self.source = source }

  /// Opens a file, or standard input for `-`.
  ///
  /// - Throws: ``ByteSourceError`` if the file cannot be opened.
  package init(
    path: String, chunkBytes: Int = ByteSource.defaultChunkBytes
  ) throws(ByteSourceError) {
    self.init(try ByteSource(path: path, chunkBytes: chunkBytes))
  }

  /// The name for messages: the path, or the name passed in.
  package var name: String { source.name }

  /// Whether the bytes are gzip-compressed; false before the first read.
  package var isCompressed: Bool { layer.isCompressed }

  /// Replaces the buffer's contents with the next inflated bytes.
  ///
  /// - Returns: False at the end of the source, with an empty buffer.
  /// - Throws: ``ByteSourceError``, after earlier calls returned every byte before the error.
  package mutating func read(into buffer: inout [UInt8]) throws(ByteSourceError) -> Bool {
    buffer.removeAll(keepingCapacity: true)
    while buffer.isEmpty {
      if let failure { throw failure }
      if isAtEnd { return false }
      if consumed == chunk.count {
        consumed = 0
        isAtEnd = try !source.read(into: &chunk)
      }
      inflate(into: &buffer)
    }
    return true
  }

  private mutating func inflate(into buffer: inout [UInt8]) {
    // Moved out of `self`, because `layer` changes while the bytes are borrowed.
    var input: [UInt8] = []
    swap(&input, &chunk)
    defer { swap(&input, &chunk) }
    let rest = input.span.extracting(consumed..<input.count)
    let count = layer.pieceCount(of: rest)
    let damage = layer.take(rest.extracting(first: count), isLast: isAtEnd) {
      buffer.append(contentsOf: $0)
    }
    failure = damage.map { ByteSourceError(kind: .damagedGzip($0), name: name) }
    consumed += count
  }
}
