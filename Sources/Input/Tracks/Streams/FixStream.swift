public import FencepostFixes
import FencepostFormats
public import FencepostTime

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
  /// The format, once recognized.
  public var format: TrackFormat? { decoder.format }
  /// Whether the source is gzip-compressed or a zip archive; false until known.
  package var isCompressed: Bool { decoder.isCompressed }
  /// The number of accepted fixes so far.
  public var acceptedCount: Int { account.acceptedCount }
  /// The number of rejected fixes, sentences, rows or objects so far, by reason.
  public var rejectionCounts: RejectionCounts { account.rejectionCounts }

  private var decoder: TrackDecoder
  private var account: FixAccount

  /// Creates a stream for one source.
  public init(options: FixStreamOptions = FixStreamOptions()) {
    decoder = TrackDecoder(options: options)
    account = FixAccount(options)
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

  /// Filters the fixes that a step of the decoder adds, and counts the results.
  private mutating func judge<Failure: Error>(
    _ batch: inout FixBatch, isLast: Bool = false,
    _ decode: (inout TrackDecoder, inout FixBatch) throws(Failure) -> Void
  ) throws(Failure) {
    let start = batch.counts
    var failure: Failure?
    do throws(Failure) { try decode(&decoder, &batch) } catch { failure = error }
    // After an error, no more fixes can confirm those held.
    account.judge(&batch, from: start, isLast: isLast || failure != nil)
    if let failure { throw failure }
  }
}

/// Options for a stream.
///
/// They concern how bytes become accepted fixes, and not what alerts. The defaults suit any
/// recorded file.
public struct FixStreamOptions: Sendable {
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
  /// The worst stated accuracy of a fix that counts, in meters; nil for any.
  public var maxAccuracyMeters: Double?
  /// The clock of times that state no zone; nil for UTC.
  package var clock: ClockZone?
  /// The name of the receiver that was followed before a restart.
  package var receiver: String?

  /// Creates options.
  public init(
    keepsNullIsland: Bool = false, startDate: CivilDate? = nil, dateOrder: DateOrder? = nil,
    travelSpeedMetersPerSecond: Double? = nil, format: TrackFormat? = nil,
    reorderMilliseconds: Int64? = nil, maxAccuracyMeters: Double? = nil
  ) {
    self.keepsNullIsland = keepsNullIsland
    self.startDate = startDate
    self.dateOrder = dateOrder
    self.travelSpeedMetersPerSecond = travelSpeedMetersPerSecond
    self.format = format
    self.reorderMilliseconds = reorderMilliseconds
    self.maxAccuracyMeters = maxAccuracyMeters
  }

  /// A filter with these options.
  public var filter: FixFilter {
    FixFilter(
      keepsNullIsland: keepsNullIsland, reorderMilliseconds: reorderMilliseconds,
      maxAccuracyMeters: maxAccuracyMeters)
  }
}

extension FixStream {
  /// The former name of ``FixStreamOptions``.
  @available(*, deprecated, renamed: "FixStreamOptions")
  public typealias Options = FixStreamOptions
}
