import FencepostFiles
public import FencepostTime
import FencepostFormats

/// Turns the bytes of one source into the fixes that count, as the bytes come.
///
/// The bytes are inflated where they are gzip-compressed, their format is recognised, they are decoded,
/// and what a ``FixFilter`` does not let pass is rejected. Push-driven, without input of its own:
/// a live source feeds it, and ``FixReader`` does for files.
///
/// ```swift
/// var stream = FixStream()
/// var batch = FixBatch()
/// try stream.feed(bytes, into: &batch)
/// use(batch)
/// batch.removeAll()
/// ```
///
/// Fixes, rejections and error do not depend on how the bytes are cut; the order of the rejections
/// may. What was good before an error
/// is in the batch when it is thrown; after one, or after ``finish(into:keepsHeld:)``, the stream takes
/// nothing more.
public struct FixStream: ~Copyable {
  /// What can be chosen.
  public struct Options: Sendable {
    /// Whether latitude and longitude 0 are a place like any other.
    public var keepsNullIsland: Bool
    /// The day of the first fix in UTC, for NMEA sources and tables that tell none.
    ///
    /// Also for those that are followed live and must not wait until they do. A date the source
    /// tells goes before it.
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
  public private(set) var format: TrackFormat?
  /// Whether the bytes are gzip-compressed; false until that is known.
  public private(set) var isCompressed = false
  /// How many fixes have counted so far.
  public private(set) var acceptedCount = 0
  /// How many fixes, sentences, rows or objects have not.
  public private(set) var rejectionCounts = RejectionCounts()

  /// Whether a ``FixFilter`` judges the fixes.
  ///
  /// False where the caller judges them: then every decoded fix comes, and ``acceptedCount`` stays 0.
  public var isJudging = true
  private let options: Options
  private var filter: FixFilter
  private var decoder: TrackDecoder?
  private var transcoder: UTF16Transcoder?
  private var transcoded: [UInt8] = []
  private var gunzip: Gunzip?
  private var inflated: [UInt8] = []
  /// The first bytes, until it is known whether they are compressed.
  private var head: [UInt8] = []
  private var isHeadKnown = false
  /// The first inflated bytes, until the format is known.
  private var lookAhead: [UInt8] = []
  /// Their number when they were last judged.
  private var judgedCount = 0

  /// How many bytes are inflated at once.
  private static var inflatedBytes: Int { 128 * 1024 }
  /// How many bytes are fed at a time where they are compressed.
  private static var compressedPieceBytes: Int { 1024 }

  /// Makes a stream for one source.
  public init(options: Options = Options()) {
    self.options = options
    filter = FixFilter(keepsNullIsland: options.keepsNullIsland)
    guard let format = options.format else { return }
    self.format = format
    isHeadKnown = true
    decoder = Self.decoder(format, options)
  }

  private static func decoder(_ format: TrackFormat, _ options: Options) -> TrackDecoder {
    TrackDecoder(format, startDay: startDay(options), dateOrder: options.dateOrder)
  }

  private static func startDay(_ options: Options) -> Int32? {
    options.startDate.map { Int32(clamping: $0.daysSince1970) }
  }

  /// Takes the next bytes and appends the fixes that count, and what was rejected, to `batch`.
  ///
  /// - Throws: `DecodeError` where nothing sensible can follow: no format that is read, XML that is
  ///   not well-formed, damaged compression.
  public mutating func feed(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    try judged(&batch) { (stream, batch) throws(DecodeError) in
      try stream.takeRaw(bytes, into: &batch)
    }
  }

  /// How many of some bytes to feed next, so that one batch holds what comes of them.
  ///
  /// Deflate expands up to 1032 times, so that a whole chunk could make millions of fixes at once.
  /// - Parameter bytes: What follows what was fed; the first of them say whether they are compressed.
  /// - Returns: All of them, or fewer where they are compressed or may be; at least 1 of any.
  public func pieceCount(of bytes: Span<UInt8>) -> Int {
    let mayBeCompressed =
      isCompressed || (!isHeadKnown && (!head.isEmpty || (!bytes.isEmpty && bytes[0] == 0x1F)))
    return mayBeCompressed ? min(bytes.count, Self.compressedPieceBytes) : bytes.count
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
      try stream.finishRaw(into: &batch)
    }
    if isJudging, !keepsHeld { finishJudging(into: &batch) }
  }

  /// Appends the fix of the epoch at hand although the next has not begun: for live sources, which
  /// pause between epochs.
  ///
  /// - Parameters:
  ///   - isForced: Also where something is missing that recent epochs had.
  ///   - batch: Receives the fix.
  public mutating func flush(isForced: Bool = false, into batch: inout FixBatch) {
    let firstFix = batch.fixes.count
    decoder?.flush(isForced: isForced, into: &batch)
    judge(&batch, from: firstFix)
  }

  /// What the user should know of the source as a whole, as sentences without full stops, such as that
  /// a table has no times; complete after ``finish(into:keepsHeld:)``.
  public var notices: [String] {
    switch decoder {
    case .some(let decoder): decoder.notices
    case .none: []
    }
  }

  /// Whether the epoch at hand was handed on by ``flush(isForced:into:)``.
  public var isEpochHandedOn: Bool {
    switch decoder {
    case .some(let decoder): decoder.isEpochHandedOn
    case .none: false
    }
  }

  /// Whether fixes are held because the source has told no date yet.
  public var holdsUndatedFixes: Bool {
    switch decoder {
    case .some(let decoder): decoder.holdsUndatedFixes
    case .none: false
    }
  }

  /// Dates the fixes held by a clock, in milliseconds since 1970; a date that the source tells later
  /// goes before it.
  public mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    let firstFix = batch.fixes.count
    decoder?.assumeDate(nowMilliseconds: nowMilliseconds, into: &batch)
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

  /// Lets `body` decode, and filters and counts what came of it, also when it throws.
  @inline(__always)
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

// MARK: Compression

extension FixStream {
  private mutating func takeRaw(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    if isHeadKnown {
      return try isCompressed ? inflate(bytes, into: &batch) : takePlain(bytes, into: &batch)
    }
    head.append(contentsOf: bytes)
    guard head.count >= 2 || (head.count == 1 && head[0] != 0x1F) else { return }
    try takeHead(into: &batch)
  }

  private mutating func takeHead(into batch: inout FixBatch) throws(DecodeError) {
    isHeadKnown = true
    var bytes: [UInt8] = []
    swap(&bytes, &head)
    isCompressed = Gunzip.isGzip(bytes.span)
    guard isCompressed else { return try takePlain(bytes.span, into: &batch) }
    gunzip = Gunzip()
    try inflate(bytes.span, into: &batch)
  }

  private mutating func inflate(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    var consumed = 0
    var output: [UInt8] = []
    swap(&output, &inflated)
    defer { swap(&output, &inflated) }
    repeat {
      output.removeAll(keepingCapacity: true)
      var damage: GunzipError?
      do throws(GunzipError) {
        consumed +=
          try gunzip?.inflate(
            bytes.extracting(consumed..<bytes.count), into: &output,
            maximumBytes: Self.inflatedBytes) ?? 0
      } catch {
        damage = error
      }
      try takePlain(output.span, into: &batch)
      if let damage { throw end(damage, into: &batch) }
    } while consumed < bytes.count || gunzip?.holdsOutput == true
  }

  /// Hands on what is good before damage.
  private mutating func end(
    _ damage: GunzipError, into batch: inout FixBatch
  ) -> DecodeError {
    do throws(DecodeError) {
      try finishPlain(into: &batch)
    } catch {
      // That the source ends too early is due to the damage, which is told instead.
    }
    // Where zlib noticed depends on the cuts, so that it is not told.
    let sentence =
      switch damage.reason {
      case .truncated: "the gzip data ends too early"
      case .expandsTooFar: "the gzip data expands beyond all measure"
      case .outOfMemory: "no memory is left to inflate the gzip data"
      case .corrupt, .notGzip: "the gzip data is damaged"
      }
    let detail = damage.reason == .corrupt ? damage.detail : ""
    return DecodeError(detail.isEmpty ? sentence : "\(sentence) (\(detail))")
  }

  private mutating func finishRaw(into batch: inout FixBatch) throws(DecodeError) {
    if !isHeadKnown { try takeHead(into: &batch) }
    do throws(GunzipError) {
      try gunzip?.finish()
    } catch {
      throw end(error, into: &batch)
    }
    try finishPlain(into: &batch)
  }
}

// MARK: Format

extension FixStream {
  @inline(__always)
  private mutating func takePlain(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    if format == nil {
      lookAhead.append(contentsOf: bytes)
      if isWorthJudging(bytes) { try judgeFormat(isWhole: false, into: &batch) }
    } else {
      try decode(bytes, into: &batch)
    }
  }

  /// Whether a verdict may have become possible: a line or tag has ended, or there is twice as much.
  private func isWorthJudging(_ bytes: Span<UInt8>) -> Bool {
    if lookAhead.count >= min(2 * judgedCount, 2 * FormatDetector.windowBytes) { return true }
    return [0x0A, 0x0D, 0x3E].contains { bytes.firstIndex(of: $0) != nil }
  }

  private mutating func judgeFormat(
    isWhole: Bool, into batch: inout FixBatch
  ) throws(DecodeError) {
    guard lookAhead.count >= 4 || isWhole else { return }
    judgedCount = lookAhead.count
    var utf16 = UTF16Transcoder.recognise(
      lookAhead.span.extracting(first: min(4, lookAhead.count)))
    let transcoder = utf16
    var text: [UInt8] = []
    utf16?.transcode(lookAhead.span, into: &text)
    let verdict =
      utf16 == nil
      ? FormatDetector.judge(lookAhead.span, isWhole: isWhole)
      : FormatDetector.judge(text.span, isWhole: isWhole)
    switch verdict {
    case .open: return
    case .foreign(let sentence): throw DecodeError(sentence)
    case .format(let format): try begin(format, transcoder, into: &batch)
    }
  }

  private mutating func begin(
    _ format: TrackFormat, _ transcoder: UTF16Transcoder?, into batch: inout FixBatch
  ) throws(DecodeError) {
    self.format = format
    // XML says itself how it is encoded, and its parser knows all of that.
    self.transcoder = format == .gpx ? nil : transcoder
    decoder = Self.decoder(format, options)
    var bytes: [UInt8] = []
    swap(&bytes, &lookAhead)
    try decode(bytes.span, into: &batch)
  }

  @inline(__always)
  private mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    guard transcoder != nil else {
      try decoder?.decode(bytes, into: &batch)
      return
    }
    // Out of `self` for the while, so that it is lent and the decoder changed.
    var text: [UInt8] = []
    swap(&text, &transcoded)
    defer { swap(&text, &transcoded) }
    text.removeAll(keepingCapacity: true)
    transcoder?.transcode(bytes, into: &text)
    try decoder?.decode(text.span, into: &batch)
  }

  private mutating func finishPlain(into batch: inout FixBatch) throws(DecodeError) {
    if format == nil { try judgeFormat(isWhole: true, into: &batch) }
    var text: [UInt8] = []
    transcoder?.finish(into: &text)
    if !text.isEmpty { try decoder?.decode(text.span, into: &batch) }
    try decoder?.finish(into: &batch)
  }
}
