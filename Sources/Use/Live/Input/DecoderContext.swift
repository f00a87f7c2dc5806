#if Command
import FencepostFixes
import FencepostFormats
import FencepostTime
import FencepostTracks

/// The input that restores a decoder's state after a restart.
///
/// A decoder's state (half a sentence, an incomplete epoch, a table's header) follows from the
/// bytes before. For line-based formats the last 32 to 64 KiB are kept. For others (GPX, compressed
/// input) everything is kept, up to a limit.
struct DecoderContext {
  /// The offset of ``bytes`` in the input.
  private(set) var start: Int
  /// A table's header, to be fed before ``bytes``.
  private(set) var header: [UInt8] = []
  /// The input from ``start`` on.
  private(set) var bytes: [UInt8] = []
  /// The approximate day of the first fix, since 1970; nil if ``bytes`` contain the date.
  var startDay: Int?
  /// Whether bytes were dropped, so the format must be saved.
  private(set) var isShortened = false

  private static var leastBytes: Int { 32 * 1024 }
  static var mostBytes: Int { 64 * 1024 }
  /// The limit for formats that cannot be shortened.
  static var greatestBytes: Int { 16 << 20 }
  private static var millisecondsPerDay: Int64 { 86_400_000 }

  init(start: Int) { self.start = start }

  init(_ checkpoint: LiveState.Checkpoint?, start: Int, bytes: [UInt8]) {
    self.start = start
    self.bytes = bytes
    header = checkpoint.map { Array($0.header) } ?? []
    startDay = checkpoint?.startDay
    isShortened = checkpoint?.format != nil
  }

  var end: Int { start + bytes.count }

  mutating func append(_ more: Span<UInt8>) { bytes.append(contentsOf: more) }

  /// Creates a decoder that has been fed the context; throws if the bytes are damaged.
  ///
  /// The last processed fix corrects ``startDay``, because midnight may lie between the fix it was
  /// taken from and the first one in the bytes.
  mutating func makeDecoder(
    _ base: FixStreamOptions, isEpochHandedOn: Bool, lastFix: Fix?
  ) throws(DecodeError) -> TrackDecoder {
    var batch = FixBatch()
    let decoder = try makeDecoder(base, isEpochHandedOn: isEpochHandedOn, into: &batch)
    guard let day = startDay, let lastFix, let time = lastFix.timeMilliseconds,
      let again = batch.fixes.last(where: { $0.coordinate == lastFix.coordinate }),
      let timeAgain = again.timeMilliseconds, time != timeAgain,
      (time - timeAgain) % Self.millisecondsPerDay == 0
    else { return decoder }
    startDay = day + Int((time - timeAgain) / Self.millisecondsPerDay)
    batch.removeAll()
    return try makeDecoder(base, isEpochHandedOn: isEpochHandedOn, into: &batch)
  }

  private func makeDecoder(
    _ base: FixStreamOptions, isEpochHandedOn: Bool, into batch: inout FixBatch
  ) throws(DecodeError) -> TrackDecoder {
    var options = base
    if let startDay { options.startDate = CivilDate(daysSince1970: startDay) }
    var decoder = TrackDecoder(options: options)
    if !header.isEmpty { try decoder.decode(header.span, into: &batch) }
    var fedCount = 0
    while fedCount < bytes.count {
      // The fixes of compressed input are not needed, and there may be many.
      if decoder.isCompressed { batch.removeAll() }
      let rest = bytes.span.extracting(fedCount..<bytes.count)
      let count = decoder.pieceCount(of: rest)
      try decoder.decode(rest.extracting(first: count), into: &batch)
      fedCount += count
    }
    if isEpochHandedOn { decoder.flush(isForced: true, into: &batch) }
    return decoder
  }

  // MARK: Shortening

  /// Drops old bytes if there are many; false if a decoder needs them all.
  ///
  /// `lastMilliseconds` is the time of the last processed fix.
  @discardableResult
  mutating func shorten(_ format: TrackFormat?, lastMilliseconds: Int64?) -> Bool {
    guard bytes.count > Self.mostBytes else { return true }
    // Neither UTF-16 nor compressed bytes can be cut.
    let isPlain = !bytes.prefix(4).contains(0) && bytes[0] != 0xFF && bytes[0] != 0xFE
    guard let format, !format.isDocument, isPlain, bytes[0] != 0x1F,
      !bytes.starts(with: [0x50, 0x4B, 3, 4]),
      let cut = lineEnd(from: bytes.count - Self.leastBytes, isTable: format == .csv)
    else { return false }
    if format == .csv { header = tableHeader }
    // Sentences may follow gpsd's reports.
    if format.isReceivers {
      startDay = lastMilliseconds.map { Int($0 / Self.millisecondsPerDay) } ?? startDay
    }
    bytes.removeFirst(cut)
    start += cut
    isShortened = true
    return true
  }

  private var tableHeader: [UInt8] {
    guard header.isEmpty else { return header }
    // Comments and a `sep=` line may precede the header.
    let start = CSVFixDecoder.headerOffset(in: bytes.span) ?? 0
    return Array(bytes[..<(lineEnd(from: start, isTable: true) ?? bytes.count)])
  }

  /// The index after the first line end at or after `first`.
  ///
  /// A quoted field of a table may contain line ends. Quotes inside it are doubled, so an even
  /// number of quotes precedes every real line end.
  private func lineEnd(from first: Int, isTable: Bool) -> Int? {
    var isQuoted = false
    for index in bytes.indices[(isTable ? 0 : first)...] {
      if isTable, bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if bytes[index] == UInt8(ascii: "\n"), !isQuoted, index >= first { return index + 1 }
    }
    return nil
  }
}
#endif
