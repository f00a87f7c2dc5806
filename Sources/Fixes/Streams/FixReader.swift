public import FencepostFormats

/// Reads the fixes of a file, or of standard input for `-`, batch by batch.
///
/// ```swift
/// var reader = try FixReader(path: path)
/// var batch = FixBatch()
/// while try reader.read(into: &batch) { use(batch.fixes) }
/// ```
///
/// Chunks of bytes go through a ``FixStream``, whose fixes are then put into time's order: a source whose
/// times run backwards throughout is read from its end; <doc:Times> has the rule.
///
/// Memory is bounded by a chunk of bytes and the fixes in it, and by what ``NMEADecoder`` holds until an
/// NMEA source states a date. The fixes of a source that seems to run backwards wait in a temporary
/// file, in `TMPDIR` or `/tmp`.
public struct FixReader: ~Copyable {
  /// How many fixes a batch has at least, except the last.
  public static var batchCount: Int { 1024 }

  private var source: ByteSource
  private var stream: FixStream
  private var order: FixOrder
  private var chunk: [UInt8] = []
  /// How much of the chunk has been fed to the stream.
  private var fedCount = 0
  private var isAtEnd = false
  /// Whether all fixes have been given.
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
  public init(
    _ source: consuming ByteSource, options: FixStream.Options = FixStream.Options()
  ) {
    order = FixOrder(name: source.name)
    self.source = source
    stream = FixStream(options: options)
    stream.isJudging = false
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

  /// Whether the source's times run backwards, so that it is read from its end; known when the first fix
  /// has come.
  public var isNewestFirst: Bool { isAtEndOfBytes && order.isNewestFirst }
  /// Whether no more bytes will be read.
  private var isAtEndOfBytes: Bool { isAtEnd || failure != nil }

  /// What the user should know of the source as a whole, as sentences without full stops, such as that
  /// a table has no times; complete at the end.
  public var notices: [String] {
    let order = "its times run backwards, newest first; it is read from its end"
    return stream.notices + (isNewestFirst ? [order] : [])
  }

  /// Empties `batch` and fills it with the next fixes that count and what was rejected.
  ///
  /// - Returns: False at the end, and then the batch is empty. Before it the batch may be empty too,
  ///   while it is not known yet in which order the fixes come.
  /// - Throws: `FixSourceError`; all that was good before it came with earlier calls, and the same
  ///   error comes again from then on.
  public mutating func read(into batch: inout FixBatch) throws(FixSourceError) -> Bool {
    batch.removeAll()
    while !isDone, batch.fixes.count < Self.batchCount, batch.rejections.count < Self.batchCount {
      guard !isAtEndOfBytes else {
        giveHeld(&batch)
        continue
      }
      do throws(FixSourceError) {
        try readChunk(into: &batch)
      } catch {
        failure = error
      }
      guard !order.isPassing else { continue }
      hold(&batch)
      // The caller may want to stop.
      if order.isSpooling { return true }
    }
    if !isDone || !batch.isEmpty { return true }
    if let failure { throw failure }
    return false
  }

  /// Holds what has been decoded while the order of the fixes is not known.
  private mutating func hold(_ batch: inout FixBatch) {
    do throws(ByteSourceError) {
      try order.hold(&batch.fixes)
    } catch {
      failure = FixSourceError(name: name, cause: .spool(error))
    }
    guard order.isPassing else { return }
    stream.isJudging = true
    stream.judge(&batch, from: 0)
  }

  /// Gives some of the held fixes after the last byte.
  private mutating func giveHeld(_ batch: inout FixBatch) {
    guard !order.isPassing else { return isDone = true }
    var held: [Fix] = []
    do throws(ByteSourceError) {
      held = try order.takeHeld()
    } catch {
      failure = FixSourceError(name: name, cause: .spool(error))
    }
    if held.isEmpty {
      stream.finishJudging(into: &batch)
      return isDone = true
    }
    let first = batch.fixes.count
    batch.fixes += held
    stream.judge(&batch, from: first)
  }

  private mutating func readChunk(into batch: inout FixBatch) throws(FixSourceError) {
    // Taken out of `self`, so that it can be lent while the stream changes.
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
