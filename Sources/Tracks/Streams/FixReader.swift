public import FencepostFixes
package import FencepostFiles
import FencepostFormats

/// Reads the fixes of a file, or of standard input for `-`, batch by batch.
///
/// ```swift
/// var reader = try FixReader(path: path)
/// var batch = FixBatch()
/// while try reader.read(into: &batch) { use(batch.fixes) }
/// ```
///
/// Chunks of bytes are decoded, and the fixes put in chronological order before a `FixFilter` accepts or rejects each: a
/// source whose times run backwards throughout is read from its end.
///
/// Memory is bounded by a chunk of bytes, the fixes in it, and what a decoder holds back. The fixes of a
/// source that seems to run backwards wait in a temporary file, in `TMPDIR` or `/tmp`.
public struct FixReader: ~Copyable {
  /// The least fixes in a batch, except the last.
  public static var batchCount: Int { 1024 }

  private var source: ByteSource
  private var decoder: TrackDecoder
  private var order: FixOrder
  private var hygiene: FixStream.Hygiene
  private var chunk: [UInt8] = []
  /// How many bytes of the chunk the decoder has taken.
  private var fedCount = 0
  private var isAtEnd = false
  /// Whether all fixes have been returned.
  private var isDone = false
  private var failure: FixSourceError?

  /// Opens a file; its name says nothing about the format.
  ///
  /// - Throws: `FixSourceError` if it does not exist or cannot be opened.
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
  package init(
    _ source: consuming ByteSource, options: FixStream.Options = FixStream.Options()
  ) {
    order = FixOrder(name: source.name)
    self.source = source
    decoder = TrackDecoder(options: options)
    hygiene = FixStream.Hygiene(options, isWhole: true)
  }

  /// The path as given, or the name of the source in messages.
  public var name: String { source.name }
  /// The format, once recognised.
  public var format: TrackFormat? { decoder.format }
  /// Whether the file is gzip-compressed or a zip archive.
  public var isCompressed: Bool { decoder.isCompressed }
  /// How many fixes have been accepted so far.
  public var acceptedCount: Int { hygiene.acceptedCount }
  /// How many fixes, sentences, rows or objects have been rejected.
  public var rejectionCounts: RejectionCounts { hygiene.rejectionCounts }

  /// How many fixes were rejected as late, and how late they were.
  public var lateness: Lateness { hygiene.filter.lateness }

  /// Whether the source's times run backwards, so that it is read from its end; known with the first fix.
  public var isNewestFirst: Bool { isAtEndOfBytes && order.isNewestFirst }
  /// Whether no more bytes will be read.
  private var isAtEndOfBytes: Bool { isAtEnd || failure != nil }

  /// What the user should know about the whole source, as sentences without full stops; complete at the end.
  public var notices: [String] {
    let order = "its times run backwards, newest first; it is read from its end"
    return decoder.notices + (isNewestFirst ? [order] : [])
  }

  /// Replaces the contents of `batch` by the next accepted fixes and rejections.
  ///
  /// - Returns: False, with an empty batch, at the end. The batch may be empty before the end too, while the
  ///   order of the fixes is unknown.
  /// - Throws: `FixSourceError`, after earlier calls have returned everything before the error; later calls
  ///   throw it again.
  public mutating func read(into batch: inout FixBatch) throws(FixSourceError) -> Bool {
    batch.removeAll()
    while !isDone, batch.fixes.count < Self.batchCount, batch.rejections.count < Self.batchCount {
      guard !isAtEndOfBytes else {
        giveHeld(&batch)
        continue
      }
      let start = batch.counts
      do throws(FixSourceError) {
        try readChunk(into: &batch)
      } catch {
        failure = error
      }
      if !order.isPassing { hold(&batch.fixes) }
      if order.isPassing {
        hygiene.judge(&batch, from: start, isLast: false)
      } else {
        hygiene.count(batch, from: start)
        // The caller may want to stop.
        if order.isSpooling { return true }
      }
    }
    if !isDone || !batch.isEmpty { return true }
    if let failure { throw failure }
    return false
  }

  /// Holds decoded fixes back while their order is unknown.
  private mutating func hold(_ fixes: inout [Fix]) {
    do throws(ByteSourceError) {
      try order.hold(&fixes)
    } catch {
      failure = FixSourceError(name: name, cause: .spool(error))
    }
  }

  /// Appends some of the fixes held back, after the last byte; the last time, what the filter still holds.
  private mutating func giveHeld(_ batch: inout FixBatch) {
    let start = batch.counts
    if !order.isPassing {
      do throws(ByteSourceError) {
        batch.fixes += try order.takeHeld()
      } catch {
        failure = FixSourceError(name: name, cause: .spool(error))
      }
    }
    isDone = batch.fixes.count == start.fixes
    hygiene.judge(&batch, from: start, isLast: isDone)
  }

  private mutating func readChunk(into batch: inout FixBatch) throws(FixSourceError) {
    // Moved out of `self`, so that it can be borrowed while the decoder changes.
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
        try decoder.finish(into: &batch)
      } else {
        let rest = chunk.span.extracting(fedCount..<chunk.count)
        let count = decoder.pieceCount(of: rest)
        fedCount += count
        try decoder.decode(rest.extracting(first: count), into: &batch)
      }
    } catch {
      throw FixSourceError(name: source.name, cause: .contents(error))
    }
  }
}
