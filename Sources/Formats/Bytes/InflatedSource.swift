/// A byte source whose bytes are inflated first where they are gzip-compressed.
///
/// Compression is recognised by the first two bytes, never by the name.
public struct InflatedSource: ~Copyable {
  private var source: ByteSource
  private var gunzip: Gunzip
  private var isSniffed = false
  private var compressed: [UInt8] = []
  private var consumed = 0
  private var pendingError: ByteSourceError?
  private let limits: Gunzip.Limits

  /// Reads through a source, which may be a file, a pipe or standard input.
  public init(_ source: consuming ByteSource, limits: Gunzip.Limits = Gunzip.Limits()) {
    self.source = source
    self.limits = limits
    gunzip = Gunzip(limits: limits)
  }

  /// Opens a file, or standard input for `-`.
  ///
  /// - Throws: ``ByteSourceError`` as ``ByteSource/init(path:chunkBytes:)`` does.
  public init(
    path: String, chunkBytes: Int = ByteSource.defaultChunkBytes
  ) throws(ByteSourceError) {
    self.init(try ByteSource(path: path, chunkBytes: chunkBytes))
  }

  /// The path as given, or the name for messages that the source was made with.
  public var name: String { source.name }

  /// Whether the bytes turned out to be gzip-compressed; false before the first read.
  public private(set) var isCompressed = false

  /// Replaces the contents of a buffer by the next bytes, inflated.
  ///
  /// - Returns: False at the end of the source, and then the buffer is empty.
  /// - Throws: ``ByteSourceError``; every byte before the fault was delivered by earlier calls.
  public mutating func read(into buffer: inout [UInt8]) throws(ByteSourceError) -> Bool {
    if let error = pendingError { throw error }
    if !isSniffed { try sniff() }
    guard isCompressed else {
      guard !compressed.isEmpty else { return try source.read(into: &buffer) }
      // What the sniffing read has not been delivered yet.
      buffer.removeAll(keepingCapacity: true)
      swap(&buffer, &compressed)
      return true
    }
    buffer.removeAll(keepingCapacity: true)
    while buffer.isEmpty {
      if consumed == compressed.count {
        consumed = 0
        if try !source.read(into: &compressed), !gunzip.holdsOutput {
          return try finish()
        }
      }
      try inflate(into: &buffer)
    }
    return true
  }

  /// Starts a regular file again from its first byte.
  ///
  /// - Throws: ``ByteSourceError`` where the source is a pipe, a socket or a terminal.
  public mutating func rewind() throws(ByteSourceError) {
    try source.rewind()
    gunzip = Gunzip(limits: limits)
    isCompressed = false
    isSniffed = false
    compressed.removeAll(keepingCapacity: true)
    consumed = 0
    pendingError = nil
  }

  /// Reads the first two bytes at least, which a slow pipe may deliver one by one.
  private mutating func sniff() throws(ByteSourceError) {
    compressed.removeAll(keepingCapacity: true)
    var more: [UInt8] = []
    while compressed.count < 2, try source.read(into: &more) {
      if compressed.isEmpty { swap(&compressed, &more) } else { compressed += more }
      if compressed.first != 0x1f { break }
    }
    isSniffed = true
    isCompressed = Gunzip.isGzip(compressed.span)
  }

  private mutating func inflate(into buffer: inout [UInt8]) throws(ByteSourceError) {
    // Out of `self` for the while, so that its bytes are lent and the inflater changed.
    var input: [UInt8] = []
    swap(&input, &compressed)
    defer { swap(&input, &compressed) }
    do throws(GunzipError) {
      consumed += try gunzip.inflate(
        input.span.extracting(consumed..<input.count), into: &buffer,
        maximumBytes: source.chunkBytes)
    } catch {
      let failure = ByteSourceError(kind: .damagedGzip(error), name: name)
      pendingError = failure
      if buffer.isEmpty { throw failure }
    }
  }

  private mutating func finish() throws(ByteSourceError) -> Bool {
    do throws(GunzipError) {
      try gunzip.finish()
    } catch {
      let failure = ByteSourceError(kind: .damagedGzip(error), name: name)
      pendingError = failure
      throw failure
    }
    return false
  }
}
