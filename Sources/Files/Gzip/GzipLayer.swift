import FencepostFormats

/// Inflates the bytes of a gzip-compressed source, as they are pushed, and passes all others on unchanged.
///
/// Gzip is recognised by the first two bytes, never by a name.
package struct GzipLayer: ~Copyable {
  /// The most bytes inflated at once.
  private static var inflatedBytes: Int { 128 * 1024 }
  /// The most compressed bytes to take at once: deflate expands up to 1032 times.
  package static var pieceBytes: Int { 1024 }

  /// Whether the bytes are compressed; false until that is known.
  package private(set) var isCompressed = false
  private var isKnown: Bool
  /// The first bytes, until it is known whether they are compressed.
  private var head: [UInt8] = []
  private let limits: Gunzip.Limits
  /// Nil unless the bytes are compressed.
  private var gunzip: Gunzip?
  private var inflated: [UInt8] = []

  /// Makes a layer before the first byte.
  ///
  /// - Parameters:
  ///   - isPlain: Whether the bytes are certainly not compressed.
  ///   - limits: How far compressed data may expand.
  package init(isPlain: Bool = false, limits: Gunzip.Limits = Gunzip.Limits()) {
    isKnown = isPlain
    self.limits = limits
  }

  /// How many of the next bytes to take at once: all, or ``pieceBytes`` at most if they are or may be compressed.
  package func pieceCount(of bytes: Span<UInt8>) -> Int {
    let mayBeCompressed =
      isCompressed || (!isKnown && (!head.isEmpty || (!bytes.isEmpty && bytes[0] == 0x1F)))
    return mayBeCompressed ? min(bytes.count, Self.pieceBytes) : bytes.count
  }

  /// Takes the next bytes of the source.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - isLast: Whether the source ends with them.
  ///   - body: Takes the bytes after decompression, in pieces.
  /// - Returns: The damage in the compressed data, after `body` has taken everything before it; nil if there is none.
  /// - Throws: What `body` throws.
  package mutating func take<Failure: Error>(
    _ bytes: Span<UInt8>, isLast: Bool, _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> GunzipError? {
    if isKnown { return try pass(bytes, isLast: isLast, body) }
    head.append(contentsOf: bytes)
    guard isLast || head.count >= 2 || (head.count == 1 && head[0] != 0x1F) else { return nil }
    let beginning = head
    head = []
    isKnown = true
    isCompressed = Gunzip.isGzip(beginning.span)
    if isCompressed { gunzip = Gunzip(limits: limits) }
    return try pass(beginning.span, isLast: isLast, body)
  }

  private mutating func pass<Failure: Error>(
    _ bytes: Span<UInt8>, isLast: Bool, _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> GunzipError? {
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
