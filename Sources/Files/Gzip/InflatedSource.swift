/// A byte source that inflates gzip-compressed bytes, which it recognises by the first two bytes, never by
/// the name.
public struct InflatedSource: ~Copyable {
  private var source: ByteSource
  private var gunzip: Gunzip
  private var isSniffed = false
  /// What was read and not delivered yet: the sniffed bytes, or the chunk that is being inflated.
  private var chunk: [UInt8] = []
  private var consumed = 0
  private var pendingError: ByteSourceError?

  /// Reads through a source, which may be a file, a pipe or standard input.
  public init(_ source: consuming ByteSource, limits: Gunzip.Limits = Gunzip.Limits()) {
    self.source = source
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

  /// What messages call the source: the path as given, or the name it was made with.
  public var name: String { source.name }

  /// Whether the bytes are gzip-compressed; false before the first read.
  public private(set) var isCompressed = false

  /// Replaces the contents of a buffer by the next bytes, inflated.
  ///
  /// - Returns: False at the end of the source; the buffer is then empty.
  /// - Throws: ``ByteSourceError``; every byte before the fault was delivered by earlier calls.
  public mutating func read(into buffer: inout [UInt8]) throws(ByteSourceError) -> Bool {
    if let pendingError { throw pendingError }
    if !isSniffed { try sniff() }
    guard isCompressed else {
      guard !chunk.isEmpty else { return try source.read(into: &buffer) }
      buffer.removeAll(keepingCapacity: true)
      swap(&buffer, &chunk)
      return true
    }
    buffer.removeAll(keepingCapacity: true)
    while buffer.isEmpty {
      if consumed == chunk.count {
        consumed = 0
        if try !source.read(into: &chunk), !gunzip.holdsOutput {
          do throws(GunzipError) { try gunzip.finish() } catch { throw keep(error) }
          return false
        }
      }
      try inflate(into: &buffer)
    }
    return true
  }

  /// Reads two bytes at least, which a slow pipe may deliver one by one.
  private mutating func sniff() throws(ByteSourceError) {
    var more: [UInt8] = []
    while chunk.count < 2, try source.read(into: &more) {
      if chunk.isEmpty { swap(&chunk, &more) } else { chunk += more }
      if chunk.first != 0x1f { break }
    }
    isSniffed = true
    isCompressed = Gunzip.isGzip(chunk.span)
  }

  private mutating func inflate(into buffer: inout [UInt8]) throws(ByteSourceError) {
    // Taken out of `self`, since the inflater changes while these bytes are lent.
    var input: [UInt8] = []
    swap(&input, &chunk)
    defer { swap(&input, &chunk) }
    do throws(GunzipError) {
      consumed += try gunzip.inflate(
        input.span.extracting(consumed..<input.count), into: &buffer,
        maximumBytes: source.chunkBytes)
    } catch {
      let failure = keep(error)
      if buffer.isEmpty { throw failure }
    }
  }

  private mutating func keep(_ error: GunzipError) -> ByteSourceError {
    let failure = ByteSourceError(kind: .damagedGzip(error), name: name)
    pendingError = failure
    return failure
  }
}
