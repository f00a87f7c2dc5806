public import FencepostFormats

/// Turns the bytes of one source into the fixes that count, as the bytes come.
///
/// Bytes pass three stages: a `GzipLayer` inflates them, a `TrackDecoder` recognises their format and makes
/// fixes of them, and a ``FixFilter`` decides which fixes count. The stream does no input of its own: a
/// live source feeds it, and ``FixReader`` feeds it files.
///
/// ```swift
/// var stream = FixStream()
/// var batch = FixBatch()
/// try stream.feed(bytes, into: &batch)
/// use(batch)
/// batch.removeAll()
/// ```
///
/// Fixes, rejections and error do not depend on how the bytes are cut; the order of the rejections may.
/// What was good before an error is in the batch when it is thrown. After an error, or after
/// ``finish(into:keepsHeld:)``, the stream takes nothing more.
public struct FixStream: ~Copyable {
  /// What can be chosen.
  public struct Options: Sendable {
    /// Whether latitude and longitude 0 are a place like any other.
    public var keepsNullIsland: Bool
    /// The day of the first fix in UTC, for NMEA sources and tables that state none.
    ///
    /// Also for those that are followed live and must not wait until they do. A date that
    /// the source states takes precedence.
    public var startDate: CivilDate?
    /// Whether the day or the month comes first in dates of tables such as 3/4/2026; nil leaves that to
    /// the table.
    public var dateOrder: DateOrder?

    /// The format where it is known from elsewhere; nil recognises it.
    ///
    /// A serial line may begin with noise that no format has.
    public var format: TrackFormat?

    /// Makes options; what is left out has its default.
    public init(
      keepsNullIsland: Bool = false, startDate: CivilDate? = nil, dateOrder: DateOrder? = nil,
      format: TrackFormat? = nil
    ) {
      self.keepsNullIsland = keepsNullIsland
      self.startDate = startDate
      self.dateOrder = dateOrder
      self.format = format
    }
  }

  /// The format, once recognised.
  public var format: TrackFormat? { decoder.format }
  /// Whether the bytes are gzip-compressed; false until that is known.
  public var isCompressed: Bool { gzip.isCompressed }
  /// How many fixes have counted so far.
  public private(set) var acceptedCount = 0
  /// How many fixes, sentences, rows or objects have not.
  public private(set) var rejectionCounts = RejectionCounts()

  /// Whether a ``FixFilter`` judges the fixes.
  ///
  /// False where the caller judges them: then every decoded fix comes, and ``acceptedCount`` stays 0.
  public var isJudging = true
  private var gzip: GzipLayer
  private var decoder: TrackDecoder
  private var filter: FixFilter

  /// Makes a stream for one source.
  public init(options: Options = Options()) {
    gzip = GzipLayer(isPlain: options.format != nil)
    decoder = TrackDecoder(options: options)
    filter = FixFilter(keepsNullIsland: options.keepsNullIsland)
  }

  /// Takes the next bytes and appends the fixes that count, and what was rejected, to `batch`.
  ///
  /// - Throws: `DecodeError` where nothing sensible can follow: no format that is read, XML that is
  ///   not well-formed, damaged compression.
  public mutating func feed(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    try judged(&batch) { (stream, batch) throws(DecodeError) in
      try stream.decode(bytes, isLast: false, into: &batch)
    }
  }

  /// How many of some bytes to feed next, so that one batch holds what comes of them.
  ///
  /// Deflate expands up to 1032 times, so that a whole chunk could make millions of fixes at once.
  /// - Parameter bytes: What follows what was fed; the first of them say whether they are compressed.
  /// - Returns: All of them, or fewer where they are compressed or may be; at least 1 of any.
  public func pieceCount(of bytes: Span<UInt8>) -> Int {
    gzip.pieceCount(of: bytes)
  }

  /// The source has ended: appends what was still held back.
  ///
  /// - Parameters:
  ///   - batch: Receives fixes and rejections.
  ///   - keepsHeld: Whether fixes that ``FixFilter`` holds stay held instead of being late, for a source
  ///     that may go on.
  /// - Throws: `DecodeError` as ``feed(_:into:)`` does, and where the source ends too early.
  public mutating func finish(
    into batch: inout FixBatch, keepsHeld: Bool = false
  ) throws(DecodeError) {
    try judged(&batch) { (stream, batch) throws(DecodeError) in
      try stream.decode(Span(), isLast: true, into: &batch)
    }
    if isJudging, !keepsHeld { finishJudging(into: &batch) }
  }

  /// Appends the fix of the current epoch although the next has not begun: for live sources, which
  /// pause between epochs.
  ///
  /// - Parameters:
  ///   - isForced: Also where something is missing that recent epochs had.
  ///   - batch: Receives the fix.
  public mutating func flush(isForced: Bool = false, into batch: inout FixBatch) {
    let firstFix = batch.fixes.count
    decoder.flush(isForced: isForced, into: &batch)
    judge(&batch, from: firstFix)
  }

  /// What the user should know of the source as a whole, as sentences without full stops, such as that
  /// a table has no times; complete after ``finish(into:keepsHeld:)``.
  public var notices: [String] {
    decoder.notices
  }

  /// Whether the current epoch was handed on by ``flush(isForced:into:)``.
  public var isEpochHandedOn: Bool { decoder.isEpochHandedOn }

  /// Whether fixes are held because the source has stated no date yet.
  public var holdsUndatedFixes: Bool { decoder.holdsUndatedFixes }

  /// Dates the fixes held by a clock, in milliseconds since 1970; a date that the source states later
  /// takes precedence.
  public mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    let firstFix = batch.fixes.count
    decoder.assumeDate(nowMilliseconds: nowMilliseconds, into: &batch)
    judge(&batch, from: firstFix)
  }

  /// How many fixes are held, of which it is not known yet whether they are late.
  public var heldCount: Int { filter.heldCount }

  /// Judges the fixes of a batch from the given one on.
  mutating func judge(_ batch: inout FixBatch, from firstFix: Int) {
    let firstRejection = batch.rejections.count
    filter.filter(&batch, from: firstFix)
    acceptedCount += batch.fixes.count - firstFix
    count(batch.rejections, from: firstRejection)
  }

  /// Adds what is held to a batch, as late.
  mutating func finishJudging(into batch: inout FixBatch) {
    let firstRejection = batch.rejections.count
    filter.finish(into: &batch)
    count(batch.rejections, from: firstRejection)
  }

  private mutating func count(_ rejections: [Rejection], from first: Int) {
    for index in first..<rejections.count { rejectionCounts.add(rejections[index].reason) }
  }

  /// What hygiene knows of the source: can be saved, and given to a stream that goes on.
  public struct Hygiene: Codable, Sendable {
    var filter: FixFilter
    var acceptedCount: Int
    /// How many fixes, sentences, rows or objects were rejected.
    public internal(set) var rejectionCounts: RejectionCounts

    /// What is rejected besides where the source ends here, as late: the fixes that are held.
    public var heldRejections: [Rejection] { filter.heldRejections }
  }

  /// What hygiene knows of the source so far.
  public var hygiene: Hygiene {
    get {
      Hygiene(
        filter: filter, acceptedCount: acceptedCount, rejectionCounts: rejectionCounts)
    }
    set {
      filter = newValue.filter
      acceptedCount = newValue.acceptedCount
      rejectionCounts = newValue.rejectionCounts
    }
  }

  /// Decodes the next bytes, or the end of the source.
  private mutating func decode(
    _ bytes: Span<UInt8>, isLast: Bool, into batch: inout FixBatch
  ) throws(DecodeError) {
    let damage =
      isLast
      ? try gzip.finish { bytes throws(DecodeError) in try decoder.decode(bytes, into: &batch) }
      : try gzip.take(bytes) { bytes throws(DecodeError) in
        try decoder.decode(bytes, into: &batch)
      }
    if let damage {
      // That the text ends too early follows from the damage, which is reported instead.
      do throws(DecodeError) { try decoder.finish(into: &batch) } catch {}
      throw damage
    }
    if isLast { try decoder.finish(into: &batch) }
  }

  /// Lets `body` decode, and filters and counts what came of it, also when it throws.
  private mutating func judged(
    _ batch: inout FixBatch,
    _ body: (inout FixStream, inout FixBatch) throws(DecodeError) -> Void
  ) throws(DecodeError) {
    let firstFix = batch.fixes.count
    let firstRejection = batch.rejections.count
    var failure: DecodeError?
    do throws(DecodeError) {
      try body(&self, &batch)
    } catch {
      failure = error
    }
    if isJudging {
      filter.filter(&batch, from: firstFix)
      acceptedCount += batch.fixes.count - firstFix
      // Nothing follows that could decide what is held.
      if failure != nil { filter.finish(into: &batch) }
    }
    count(batch.rejections, from: firstRejection)
    if let failure { throw failure }
  }
}
