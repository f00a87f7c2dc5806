public import FencepostFixes
public import FencepostTime
import FencepostFormats
import FencepostGeodesy

/// Turns the bytes of a source into accepted fixes as they arrive.
///
/// A `TrackDecoder` inflates and decodes the bytes; a `FixFilter` accepts or rejects each fix. The
/// stream does no I/O: a live source or ``FixReader`` feeds it.
///
/// ```swift
/// var stream = FixStream()
/// var batch = FixBatch()
/// try stream.feed(bytes, into: &batch)
/// use(batch)
/// batch.removeAll()
/// ```
///
/// Results do not depend on where the bytes are cut, except for the order of rejections. If an
/// error is thrown, the batch holds everything before it. Do not feed the stream after an error or
/// after ``finish(into:keepsHeld:)``.
public struct FixStream: ~Copyable {
  /// Options for a stream.
  public struct Options: Sendable {
    /// Whether to accept fixes at latitude and longitude 0.
    public var keepsNullIsland: Bool
    /// The UTC date of the first fix, for live sources, and for NMEA and tables that state none.
    ///
    /// A date in the source takes precedence.
    public var startDate: CivilDate?
    /// Whether dates such as 3/4/2026 begin with the day or the month; nil to detect it.
    public var dateOrder: DateOrder?
    /// The travel speed to assume for a track without times, in m/s, above 0; nil for none.
    ///
    /// The journey begins on ``startDate``, or in 1970.
    public var travelSpeedMetersPerSecond: Double?
    /// The format; nil to detect it.
    ///
    /// Detection can fail on a serial line that begins with noise.
    public var format: TrackFormat?
    /// How late a fix may come and still be sorted in, in milliseconds; nil keeps arrival order.
    public var reorderMilliseconds: Int64?

    /// Creates options.
    public init(
      keepsNullIsland: Bool = false, startDate: CivilDate? = nil, dateOrder: DateOrder? = nil,
      travelSpeedMetersPerSecond: Double? = nil, format: TrackFormat? = nil,
      reorderMilliseconds: Int64? = nil
    ) {
      self.keepsNullIsland = keepsNullIsland
      self.startDate = startDate
      self.dateOrder = dateOrder
      self.travelSpeedMetersPerSecond = travelSpeedMetersPerSecond
      self.format = format
      self.reorderMilliseconds = reorderMilliseconds
    }

    /// A filter with these options.
    public var filter: FixFilter {
      FixFilter(keepsNullIsland: keepsNullIsland, reorderMilliseconds: reorderMilliseconds)
    }
  }

  /// The format, once recognized.
  public var format: TrackFormat? { decoder.format }
  /// Whether the source is gzip-compressed or a zip archive; false until known.
  package var isCompressed: Bool { decoder.isCompressed }
  /// The number of accepted fixes so far.
  public var acceptedCount: Int { account.acceptedCount }
  /// The number of rejected fixes, sentences, rows or objects so far, by reason.
  public var rejectionCounts: RejectionCounts { account.rejectionCounts }

  /// Whether a `FixFilter` judges the fixes.
  ///
  /// If false, every decoded fix is returned and ``acceptedCount`` stays 0.
  package var isJudging = true
  private var decoder: TrackDecoder
  private var account: Hygiene

  /// Creates a stream for one source.
  public init(options: Options = Options()) {
    decoder = TrackDecoder(options: options)
    account = Hygiene(options)
  }

  /// Decodes the next bytes, and appends accepted fixes and rejections.
  ///
  /// - Throws: `DecodeError` if the rest cannot be decoded: the format is unknown, the XML is
  ///   malformed, or the compressed data is damaged.
  public mutating func feed(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    try judge(&batch) { (decoder, batch) throws(DecodeError) in
      try decoder.decode(bytes, into: &batch)
    }
  }

  /// How many of the next bytes to feed at a time, so that their fixes fit into a batch.
  ///
  /// Deflate expands up to 1032 times, so a compressed chunk could contain millions of fixes.
  ///
  /// - Parameter bytes: Bytes that follow those already fed.
  /// - Returns: All bytes, or fewer if they may be compressed; at least 1 if there are any.
  package func pieceCount(of bytes: Span<UInt8>) -> Int { decoder.pieceCount(of: bytes) }

  /// Ends the source and appends held fixes.
  ///
  /// With `keepsHeld`, the `FixFilter` keeps the fixes it holds, for a source that may continue;
  /// otherwise it rejects them as late.
  ///
  /// - Throws: `DecodeError`, as ``feed(_:into:)`` does, and if the source ends too early.
  public mutating func finish(
    into batch: inout FixBatch, keepsHeld: Bool = false
  ) throws(DecodeError) {
    try judge(&batch, isLast: !keepsHeld) { (decoder, batch) throws(DecodeError) in
      try decoder.finish(into: &batch)
    }
  }

  /// Appends the current epoch's fix early, for live sources that pause between epochs.
  ///
  /// With `isForced`, appends it even if data is missing that recent epochs had.
  public mutating func flush(isForced: Bool = false, into batch: inout FixBatch) {
    judge(&batch) { $0.flush(isForced: isForced, into: &$1) }
  }

  /// Warnings such as that a table has no times; complete after ``finish(into:keepsHeld:)``.
  public var notices: [String] { decoder.notices }

  /// Whether ``flush(isForced:into:)`` already appended the current epoch's fix.
  package var isEpochHandedOn: Bool { decoder.isEpochHandedOn }

  /// Whether fixes are held because the source has not stated a date yet.
  package var holdsUndatedFixes: Bool { decoder.holdsUndatedFixes }

  /// Dates the held fixes by a clock, in milliseconds since 1970.
  ///
  /// A later date in the source takes precedence.
  package mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    judge(&batch) { $0.assumeDate(nowMilliseconds: nowMilliseconds, into: &$1) }
  }

  /// The number of fixes held until it is known whether they are late.
  package var heldCount: Int { account.filter.heldCount }

  /// The number of fixes waiting to be sorted, and of all that have arrived so far.
  package var waiting: (count: Int, arrivedCount: Int) { account.filter.waiting }

  /// How many fixes were rejected as late, and how late they were.
  package var lateness: Lateness { account.filter.lateness }

  /// The current run of fixes rejected because an earlier fix is trusted; nil outside a run.
  package var refusedRun: RefusedRun? { account.filter.refusedRun }

  /// Appends the fixes waiting to be sorted, because the source has ended or is idle.
  package mutating func release(into batch: inout FixBatch) {
    let start = batch.counts
    account.filter.release(into: &batch)
    account.count(batch, from: start)
  }

  /// Filters the fixes that a step of the decoder adds, unless `isJudging` is false, and counts the
  /// results.
  private mutating func judge<Failure: Error>(
    _ batch: inout FixBatch, isLast: Bool = false,
    _ decode: (inout TrackDecoder, inout FixBatch) throws(Failure) -> Void
  ) throws(Failure) {
    let start = batch.counts
    var failure: Failure?
    do throws(Failure) { try decode(&decoder, &batch) } catch { failure = error }
    if isJudging {
      // After an error, no more fixes can confirm those held.
      account.judge(&batch, from: start, isLast: isLast || failure != nil)
    } else {
      account.count(batch, from: (batch.fixes.count, start.rejections))
    }
    if let failure { throw failure }
  }

  package var hygiene: Hygiene {
    get { account }
    set {
      let clock = newValue.clock ?? account.clock
      account = newValue
      account.clock = clock
    }
  }

  /// The state of the filter and its counts; can be saved to continue a source later.
  package struct Hygiene: Codable, Sendable {
    fileprivate(set) var filter: FixFilter
    /// Adds times to a track without any; nil if not requested.
    fileprivate var clock: TravelClock?
    private(set) var acceptedCount = 0
    /// The number of rejected fixes, sentences, rows or objects, by reason.
    package private(set) var rejectionCounts = RejectionCounts()

    // In a file, fixes that may be late can wait until its end.
    init(_ options: Options, isWhole: Bool = false) {
      filter = options.filter
      filter.isWhole = isWhole
      clock = options.travelSpeedMetersPerSecond.map {
        TravelClock(
          metersPerSecond: $0,
          startMilliseconds: Int64(options.startDate?.daysSince1970 ?? 0) * 86_400_000)
      }
    }

    /// The rejections that would follow if the source ended now: the held fixes are late.
    package var heldRejections: [Rejection] { filter.heldRejections }

    /// How many fixes would be late, and how late, if the source ended now.
    package var finalLateness: Lateness { filter.finalLateness }

    /// Filters new fixes and counts the results; `isLast` also ends the filter.
    mutating func judge(_ batch: inout FixBatch, from start: FixBatch.Counts, isLast: Bool) {
      filter.filter(&batch, from: start.fixes)
      clock?.date(&batch.fixes, from: start.fixes)
      if isLast { filter.finish(into: &batch) }
      count(batch, from: start)
    }

    mutating func count(_ batch: borrowing FixBatch, from start: FixBatch.Counts) {
      acceptedCount += batch.fixes.count - start.fixes
      for index in start.rejections..<batch.rejections.count {
        rejectionCounts.add(batch.rejections[index].reason)
      }
    }

    /// Continues with another option and without line numbers, which start over after a restart.
    package mutating func resume(reorderMilliseconds: Int64?) {
      filter.reorder(withinMilliseconds: reorderMilliseconds)
      filter.forgetLines()
    }

    package mutating func countAnew() {
      filter.countAnew()
      acceptedCount = 0
      rejectionCounts = RejectionCounts()
    }
  }
}

extension FixBatch {
  typealias Counts = (fixes: Int, rejections: Int)

  var counts: Counts { (fixes.count, rejections.count) }
}

/// Adds times to a track without any, as if traveled at constant speed without stops.
///
/// The first fix with its own time stops the clock for good.
struct TravelClock: Codable, Sendable {
  private let metersPerSecond: Double
  private let startMilliseconds: Int64
  private var last: Coordinate?
  private var traveledMeters = 0.0
  private var hasStopped = false

  /// Creates a clock; speed above 0, start in milliseconds since 1970-01-01T00:00:00Z.
  init(metersPerSecond: Double, startMilliseconds: Int64) {
    self.metersPerSecond = metersPerSecond
    self.startMilliseconds = startMilliseconds
  }

  mutating func date(_ fixes: inout [Fix], from first: Int) {
    for index in first..<fixes.count where !hasStopped {
      guard fixes[index].timeMilliseconds == nil else { return hasStopped = true }
      let here = fixes[index].coordinate
      if let last { traveledMeters += Geodesic.distanceMeters(last, here) }
      last = here
      // Computed from the total length, so that rounding errors do not add up.
      fixes[index].timeMilliseconds =
        startMilliseconds + Int64((traveledMeters / metersPerSecond * 1000).rounded())
    }
  }
}
