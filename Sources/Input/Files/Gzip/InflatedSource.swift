import FencepostFormats

/// A byte source that inflates gzip data, recognized by its first two bytes and not by name.
///
/// Bytes that are not compressed pass unchanged, so every file can be opened this way.
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
  package init(
    path: String, chunkBytes: Int = ByteSource.defaultChunkBytes
  ) throws(ByteSourceError) {
    self.init(try ByteSource(path: path, chunkBytes: chunkBytes))
  }

  /// The name for messages.
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

/// Inflates a gzip-compressed stream as it arrives, and passes any other through unchanged.
///
/// It recognizes gzip by the first two bytes, not by a name.
package struct GzipLayer: ~Copyable {
  /// The most bytes inflated at a time.
  private static var inflatedBytes: Int { 128 * 1024 }
  /// The most compressed bytes to take at a time; deflate can expand them 1032 times.
  package static var pieceBytes: Int { 1024 }

  /// Whether the stream is compressed; false until known.
  package private(set) var isCompressed = false
  private var isKnown: Bool
  /// Bytes held until it is known whether the stream is compressed.
  private var head: [UInt8] = []
  private var gunzip: Gunzip?
  private var inflated: [UInt8] = []

  /// Creates a layer; `isPlain` means that the stream is known not to be compressed.
  package init(isPlain: Bool = false) { isKnown = isPlain }

  /// How many bytes to take at a time: ``pieceBytes`` if they may be compressed, otherwise all.
  package func pieceCount(of bytes: Span<UInt8>) -> Int {
    let mayBeCompressed =
      isCompressed || (!isKnown && (!head.isEmpty || (!bytes.isEmpty && bytes[0] == 0x1F)))
    return mayBeCompressed ? min(bytes.count, Self.pieceBytes) : bytes.count
  }

  /// Takes the next or the last bytes of the stream; `body` receives the inflated bytes in pieces.
  ///
  /// - Returns: The error in the compressed data, once `body` has received the valid part.
  package mutating func take<Failure: Error>(
    _ bytes: Span<UInt8>, isLast: Bool, _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> GunzipError? {
    guard isKnown else {
      head.append(contentsOf: bytes)
      guard isLast || head.count >= 2 || (head.count == 1 && head[0] != 0x1F) else { return nil }
      let beginning = head
      head = []
      isKnown = true
      isCompressed = Gunzip.isGzip(beginning.span)
      if isCompressed { gunzip = Gunzip() }
      return try take(beginning.span, isLast: isLast, body)
    }
    guard isCompressed else {
      try body(bytes)
      return nil
    }
    var consumed = 0
    while consumed < bytes.count || gunzip?.holdsOutput == true {
      inflated.removeAll(keepingCapacity: true)
      var damage: GunzipError?
      do throws(GunzipError) {
        consumed +=
          try gunzip?.inflate(
            bytes.extracting(consumed..<bytes.count), into: &inflated,
            maximumBytes: Self.inflatedBytes) ?? 0
      } catch {
        damage = error
      }
      try body(inflated.span)
      if let damage { return damage }
    }
    guard isLast else { return nil }
    do throws(GunzipError) { try gunzip?.finish() } catch { return error }
    return nil
  }
}
