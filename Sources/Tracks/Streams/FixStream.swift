public import FencepostFixes
public import FencepostTime
import FencepostFormats

/// Turns the bytes of one source into accepted fixes as they arrive.
///
/// Bytes pass two stages: a `TrackDecoder` inflates them, recognises their format and decodes fixes, and a
/// `FixFilter` accepts or rejects each fix. The stream reads no input itself: a live source or
/// ``FixReader`` feeds it.
///
/// ```swift
/// var stream = FixStream()
/// var batch = FixBatch()
/// try stream.feed(bytes, into: &batch)
/// use(batch)
/// batch.removeAll()
/// ```
///
/// Fixes, rejections and errors do not depend on how the bytes are cut; only the order of the rejections may.
/// Everything before an error is in the batch when it is thrown. After an error or
/// ``finish(into:keepsHeld:)``, the stream takes no more bytes.
public struct FixStream: ~Copyable {
  /// Options of a stream.
  public struct Options: Sendable {
    /// Whether to accept fixes whose latitude and longitude are both 0.
    public var keepsNullIsland: Bool
    /// The day of the first fix in UTC, for NMEA sources and tables that state none, or that are followed
    /// live and cannot wait for one.
    ///
    /// A date in the source takes precedence.
    public var startDate: CivilDate?
    /// Whether dates in tables such as 3/4/2026 begin with the day or the month; nil to decide by the table.
    public var dateOrder: DateOrder?
    /// The speed in metres a second at which a track without times was travelled, above 0; nil leaves it without.
    ///
    /// It begins with ``startDate``, or with 1970.
    public var travelSpeedMetersPerSecond: Double?
    /// The format; nil to recognise it.
    ///
    /// A serial line may begin with noise, which prevents that.
    public var format: TrackFormat?
    /// How much later than a newer one a fix may come and still be put in order, in milliseconds; nil takes
    /// fixes in the order in which they come.
    public var reorderMilliseconds: Int64?

    /// Makes options.
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

    /// A filter of fixes with these options.
    public var filter: FixFilter {
      FixFilter(keepsNullIsland: keepsNullIsland, reorderMilliseconds: reorderMilliseconds)
    }
  }

  /// The format, once recognised.
  public var format: TrackFormat? { decoder.format }
  /// Whether the bytes are gzip-compressed or a zip archive; false until that is known.
  public var isCompressed: Bool { decoder.isCompressed }
  /// How many fixes have been accepted so far.
  public var acceptedCount: Int { account.acceptedCount }
  /// How many fixes, sentences, rows or objects have been rejected.
  public var rejectionCounts: RejectionCounts { account.rejectionCounts }

  /// Whether a `FixFilter` judges the fixes.
  ///
  /// If false, every decoded fix is returned and ``acceptedCount`` stays 0.
  public var isJudging = true
  private var decoder: TrackDecoder
  private var account: Hygiene

  /// Makes a stream for one source.
  public init(options: Options = Options()) {
    decoder = TrackDecoder(options: options)
    account = Hygiene(options)
  }

  /// Takes the next bytes and appends accepted fixes and rejections to `batch`.
  ///
  /// - Throws: `DecodeError` if the rest cannot be decoded: the format is unknown, the XML is not
  ///   well-formed, or the compressed data is damaged.
  public mutating func feed(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    let start = batch.counts
    do throws(DecodeError) {
      try decoder.decode(bytes, into: &batch)
    } catch {
      // No more fixes follow that could save those held.
      judge(&batch, from: start, isLast: true)
      throw error
    }
    judge(&batch, from: start)
  }

  /// How many of the next bytes to feed at once, so that their fixes fit into one batch.
  ///
  /// Deflate expands up to 1032 times: a compressed chunk could contain millions of fixes.
  ///
  /// - Parameter bytes: The bytes that follow those already fed.
  /// - Returns: All of them, or fewer if they are or may be compressed; at least 1 if there are any.
  public func pieceCount(of bytes: Span<UInt8>) -> Int { decoder.pieceCount(of: bytes) }

  /// Ends the source and appends what was still held back.
  ///
  /// - Parameters:
  ///   - batch: Receives fixes and rejections.
  ///   - keepsHeld: Whether the fixes held by the `FixFilter` stay there, for a source that may continue,
  ///     instead of being rejected as late.
  /// - Throws: `DecodeError` as ``feed(_:into:)``, and if the source ends too early.
  public mutating func finish(
    into batch: inout FixBatch, keepsHeld: Bool = false
  ) throws(DecodeError) {
    let start = batch.counts
    do throws(DecodeError) {
      try decoder.finish(into: &batch)
    } catch {
      judge(&batch, from: start, isLast: true)
      throw error
    }
    judge(&batch, from: start, isLast: !keepsHeld)
  }

  /// Appends the fix of the current epoch before the next begins, for live sources that pause between
  /// epochs.
  ///
  /// - Parameters:
  ///   - isForced: Whether to append it even if something is missing that recent epochs had.
  ///   - batch: Receives the fix.
  public mutating func flush(isForced: Bool = false, into batch: inout FixBatch) {
    let start = batch.counts
    decoder.flush(isForced: isForced, into: &batch)
    judge(&batch, from: start)
  }

  /// What the user should know about the whole source, as sentences without full stops, such as that a table
  /// has no times; complete after ``finish(into:keepsHeld:)``.
  public var notices: [String] { decoder.notices }

  /// Whether the current epoch's fix was appended by ``flush(isForced:into:)``.
  public var isEpochHandedOn: Bool { decoder.isEpochHandedOn }

  /// Whether fixes are held back because the source has stated no date yet.
  public var holdsUndatedFixes: Bool { decoder.holdsUndatedFixes }

  /// Dates the fixes held back by a clock, in milliseconds since 1970; a later date in the source takes
  /// precedence.
  public mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    let start = batch.counts
    decoder.assumeDate(nowMilliseconds: nowMilliseconds, into: &batch)
    judge(&batch, from: start)
  }

  /// How many fixes are held until it is known whether they are late.
  public var heldCount: Int { account.filter.heldCount }

  /// How many fixes wait to be put in order, and how many have done so far.
  public var waiting: (count: Int, arrivedCount: Int) { account.filter.waiting }

  /// How many fixes were rejected as late, and how late they were.
  public var lateness: Lateness { account.filter.lateness }

  /// The fixes refused in a row because an older time is believed; nil if the last fix was not refused so.
  package var refusedRun: RefusedRun? { account.filter.refusedRun }

  /// Appends the fixes that wait to be put in order, because the source is over or idle.
  public mutating func release(into batch: inout FixBatch) {
    let start = batch.counts
    account.filter.release(into: &batch)
    account.count(batch, from: start)
  }

  /// Filters the fixes of a batch from an index on, unless they are not judged, and counts the results.
  private mutating func judge(
    _ batch: inout FixBatch, from start: FixBatch.Counts, isLast: Bool = false
  ) {
    if isJudging {
      account.judge(&batch, from: start, isLast: isLast)
    } else {
      account.count(batch, from: (batch.fixes.count, start.rejections))
    }
  }

  /// The filter's state so far.
  public var hygiene: Hygiene {
    get { account }
    set {
      let clock = newValue.clock ?? account.clock
      account = newValue
      account.clock = clock
    }
  }

  /// What accepts the fixes of a source, and what it has counted; it can be saved and given to a stream that continues
  /// the source.
  public struct Hygiene: Codable, Sendable {
    fileprivate(set) var filter: FixFilter
    /// Gives times to a track without any; nil if it stays without.
    fileprivate var clock: TravelClock?
    private(set) var acceptedCount = 0
    /// How many fixes, sentences, rows or objects were rejected.
    public private(set) var rejectionCounts = RejectionCounts()

    // A file has an end, for which fixes that may be late can wait.
    init(_ options: Options, isWhole: Bool = false) {
      filter = options.filter
      filter.isWhole = isWhole
      clock = options.travelSpeedMetersPerSecond.map {
        TravelClock(
          metersPerSecond: $0,
          startMilliseconds: Int64(options.startDate?.daysSince1970 ?? 0) * 86_400_000)
      }
    }

    /// The rejections that would follow if the source ended here: the fixes held are late.
    public var heldRejections: [Rejection] { filter.heldRejections }

    /// How many fixes would be late, and how late, if the source ended here.
    public var finalLateness: Lateness { filter.finalLateness }

    /// Filters the fixes of a batch, all that are left if they are the last, and counts the results.
    mutating func judge(_ batch: inout FixBatch, from start: FixBatch.Counts, isLast: Bool) {
      filter.filter(&batch, from: start.fixes)
      clock?.date(&batch.fixes, from: start.fixes)
      if isLast { filter.finish(into: &batch) }
      count(batch, from: start)
    }

    /// Counts the fixes and rejections of a batch.
    mutating func count(_ batch: borrowing FixBatch, from start: FixBatch.Counts) {
      acceptedCount += batch.fixes.count - start.fixes
      for index in start.rejections..<batch.rejections.count {
        rejectionCounts.add(batch.rejections[index].reason)
      }
    }

    /// Continues under another option, and without lines, which are counted anew after a restart.
    public mutating func resume(reorderMilliseconds: Int64?) {
      filter.reorder(withinMilliseconds: reorderMilliseconds)
      filter.forgetLines()
    }

    /// Forgets what was counted, as for a summary that begins here.
    public mutating func countAnew() {
      filter.countAnew()
      acceptedCount = 0
      rejectionCounts = RejectionCounts()
    }
  }
}

extension FixBatch {
  /// How many fixes and rejections a batch had at some moment.
  typealias Counts = (fixes: Int, rejections: Int)

  var counts: Counts { (fixes.count, rejections.count) }
}
