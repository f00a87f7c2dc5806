import FencepostFiles
import FencepostFormats

/// Inflates the bytes of a gzip-compressed source and passes all others on unchanged.
struct GzipLayer: ~Copyable {
  /// The most bytes inflated at once.
  private static var inflatedBytes: Int { 128 * 1024 }
  /// The most compressed bytes taken at once.
  static var pieceBytes: Int { 1024 }

  /// Whether the bytes are compressed; false until that is known.
  private(set) var isCompressed = false
  private var isKnown: Bool
  /// The first bytes, until it is known whether they are compressed.
  private var head: [UInt8] = []
  private var gunzip: Gunzip?
  private var inflated: [UInt8] = []

  /// - Parameter isPlain: Whether the bytes are certainly not compressed.
  init(isPlain: Bool) { isKnown = isPlain }

  /// As ``FixStream/pieceCount(of:)``.
  func pieceCount(of bytes: Span<UInt8>) -> Int {
    let mayBeCompressed =
      isCompressed || (!isKnown && (!head.isEmpty || (!bytes.isEmpty && bytes[0] == 0x1F)))
    return mayBeCompressed ? min(bytes.count, Self.pieceBytes) : bytes.count
  }

  /// Takes the next bytes of the source.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - body: Takes the bytes after decompression.
  /// - Returns: The damage in the compressed data, after `body` has taken everything before it; nil if there
  ///   is none.
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

  /// Ends the source and passes on what was still held back.
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

  /// Leaves the place out: where zlib notices damage depends on the cuts.
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
