import FencepostFormats

/// Inflates the bytes of a source that is compressed with gzip, and hands on those of any other as they are.
struct GzipLayer: ~Copyable {
  /// How many bytes are inflated at once.
  private static var inflatedBytes: Int { 128 * 1024 }
  /// How many compressed bytes are taken at a time.
  private static var pieceBytes: Int { 1024 }

  /// Whether the bytes are compressed; false until that is known.
  private(set) var isCompressed = false
  private var isKnown: Bool
  /// The first bytes, until it is known.
  private var head: [UInt8] = []
  private var gunzip: Gunzip?
  private var inflated: [UInt8] = []

  /// - Parameter isPlain: Whether the bytes are known not to be compressed.
  init(isPlain: Bool) { isKnown = isPlain }

  /// How many of the next bytes to take at once, so that what comes of them stays small: deflate expands up
  /// to 1032 times.
  ///
  /// - Parameter bytes: What follows the bytes taken so far.
  /// - Returns: All of them, or fewer where they are compressed or may be; at least 1 of any.
  func pieceCount(of bytes: Span<UInt8>) -> Int {
    let mayBeCompressed =
      isCompressed || (!isKnown && (!head.isEmpty || (!bytes.isEmpty && bytes[0] == 0x1F)))
    return mayBeCompressed ? min(bytes.count, Self.pieceBytes) : bytes.count
  }

  /// Takes the next bytes of the source.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - body: Takes the bytes behind the compression.
  /// - Returns: What is wrong with the compression, after all that was good; nil where nothing is.
  /// - Throws: What `body` throws.
  mutating func take(
    _ bytes: Span<UInt8>, _ body: (Span<UInt8>) throws(DecodeError) -> Void
  ) throws(DecodeError) -> DecodeError? {
    if !isKnown {
      head.append(contentsOf: bytes)
      guard head.count >= 2 || (head.count == 1 && head[0] != 0x1F) else { return nil }
      return try takeHead(body)
    }
    if isCompressed { return try inflate(bytes, body) }
    try body(bytes)
    return nil
  }

  /// The source has ended: hands on what was still held back.
  ///
  /// - Returns: As ``take(_:_:)``, or that the compressed data ends too early.
  /// - Throws: What `body` throws.
  mutating func finish(
    _ body: (Span<UInt8>) throws(DecodeError) -> Void
  ) throws(DecodeError) -> DecodeError? {
    if !isKnown, let damage = try takeHead(body) { return damage }
    do throws(GunzipError) {
      try gunzip?.finish()
    } catch {
      return Self.decodeError(error)
    }
    return nil
  }

  private mutating func takeHead(
    _ body: (Span<UInt8>) throws(DecodeError) -> Void
  ) throws(DecodeError) -> DecodeError? {
    isKnown = true
    let bytes = head
    head = []
    isCompressed = Gunzip.isGzip(bytes.span)
    if isCompressed { gunzip = Gunzip() }
    return try take(bytes.span, body)
  }

  private mutating func inflate(
    _ bytes: Span<UInt8>, _ body: (Span<UInt8>) throws(DecodeError) -> Void
  ) throws(DecodeError) -> DecodeError? {
    var consumed = 0
    repeat {
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
      if let damage { return Self.decodeError(damage) }
    } while consumed < bytes.count || gunzip?.holdsOutput == true
    return nil
  }

  /// The place is left out: where zlib notices damage depends on the cuts.
  private static func decodeError(_ error: GunzipError) -> DecodeError {
    let sentence =
      switch error.reason {
      case .truncated: "the gzip data ends too early"
      case .expandsTooFar: "the gzip data expands beyond all measure"
      case .outOfMemory: "no memory is left to inflate the gzip data"
      case .corrupt, .notGzip: "the gzip data is damaged"
      }
    let detail = error.reason == .corrupt ? error.detail : ""
    return DecodeError(detail.isEmpty ? sentence : "\(sentence) (\(detail))")
  }
}
