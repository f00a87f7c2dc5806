public import Formats

/// Reads the fixes of a file, or of standard input for `-`, batch by batch.
///
/// ```swift
/// var reader = try FixReader(path: path)
/// var batch = FixBatch()
/// while try reader.read(into: &batch) { use(batch.fixes) }
/// ```
///
/// Memory is bounded: by a chunk of bytes and what comes of it, and, while an NMEA source has told no
/// date, by what ``NMEADecoder`` holds.
public struct FixReader: ~Copyable {
  /// How many fixes a batch has at least, except the last.
  public static var batchCount: Int { 1024 }

  private var source: ByteSource
  private var stream: FixStream
  private var chunk: [UInt8] = []
  /// How much of the chunk has been fed to the stream.
  private var fedCount = 0
  private var isAtEnd = false
  private var failure: FixSourceError?

  /// Opens a file; its name says nothing about the format.
  ///
  /// - Throws: `FixSourceError` when there is none or it cannot be opened.
  public init(
    path: String, options: FixStream.Options = FixStream.Options()
  ) throws(FixSourceError) {
    do throws(ByteSourceError) {
      self.init(try ByteSource(path: path), options: options)
    } catch {
      throw FixSourceError(name: error.name, cause: .source(error))
    }
  }

  /// Reads from a source.
  public init(
    _ source: consuming ByteSource, options: FixStream.Options = FixStream.Options()
  ) {
    self.source = source
    stream = FixStream(options: options)
  }

  /// The path as given, or what messages call the source.
  public var name: String { source.name }
  /// The format, once recognised.
  public var format: TrackFormat? { stream.format }
  /// Whether the file is gzip-compressed.
  public var isCompressed: Bool { stream.isCompressed }
  /// How many fixes have counted so far.
  public var acceptedCount: Int { stream.acceptedCount }
  /// How many fixes, sentences, rows or objects have not.
  public var rejectionCounts: RejectionCounts { stream.rejectionCounts }

  /// Empties `batch` and fills it with the next fixes that count and what was rejected.
  ///
  /// - Returns: False at the end, and then the batch is empty.
  /// - Throws: `FixSourceError`; all that was good before it came with earlier calls, and the same
  ///   error comes again from then on.
  public mutating func read(into batch: inout FixBatch) throws(FixSourceError) -> Bool {
    batch.removeAll()
    while !isAtEnd, failure == nil,
      batch.fixes.count < Self.batchCount, batch.rejections.count < Self.batchCount
    {
      do throws(FixSourceError) {
        try readChunk(into: &batch)
      } catch {
        failure = error
      }
    }
    if !batch.isEmpty { return true }
    if let failure { throw failure }
    return false
  }

  private mutating func readChunk(into batch: inout FixBatch) throws(FixSourceError) {
    // Out of `self` for the while, so that it is lent and the stream changed.
    var chunk: [UInt8] = []
    swap(&chunk, &self.chunk)
    defer { swap(&chunk, &self.chunk) }
    if fedCount == chunk.count {
      fedCount = 0
      do throws(ByteSourceError) {
        isAtEnd = try !source.read(into: &chunk)
      } catch {
        throw FixSourceError(name: source.name, cause: .source(error))
      }
    }
    do throws(DecodeError) {
      if isAtEnd {
        try stream.finish(into: &batch)
      } else {
        let rest = chunk.span.extracting(fedCount..<chunk.count)
        let count = stream.pieceCount(of: rest)
        fedCount += count
        try stream.feed(rest.extracting(first: count), into: &batch)
      }
    } catch {
      throw FixSourceError(name: source.name, cause: .contents(error))
    }
  }
}
