import FencepostTracks
import FencepostTime
import FencepostFixes
import FencepostFormats

/// The input that restores a decoder's state after a restart.
///
/// A decoder's state between two bytes (half a sentence, an incomplete epoch, the date, the header of a
/// table) follows from the bytes before. Feeding them again and ignoring their fixes restores it for
/// every format. For formats of independent lines the last 32 to 64 KiB are kept, and more only if
/// shortening cannot be verified; for others (GPX, compressed input) everything, up to a limit.
struct DecoderContext {
  /// The offset of ``bytes`` in the input.
  private(set) var start: Int
  /// A table's header, to be fed before ``bytes``.
  private(set) var header: [UInt8]
  /// The input from ``start`` on.
  private(set) var bytes: [UInt8]
  /// The day of the first fix in ``bytes``, in days since 1970; nil if the bytes contain the date.
  var startDay: Int?
  /// Whether bytes were dropped, so that the format must be saved.
  var isShortened = false
  /// The number of bytes from which shortening is tried again.
  private var retryCount = Self.mostBytes

  static var leastBytes: Int { 32 * 1024 }
  static var mostBytes: Int { 64 * 1024 }
  /// The limit for formats that cannot be shortened.
  static var greatestBytes: Int { 16 << 20 }

  /// Makes the context of a decoder whose next byte is at `start` plus `bytes.count`.
  init(start: Int, header: [UInt8] = [], bytes: [UInt8] = [], startDay: Int? = nil) {
    self.start = start
    self.header = header
    self.bytes = bytes
    self.startDay = startDay
  }

  /// The offset behind the last byte.
  var end: Int { start + bytes.count }

  /// Whether it holds more than the limit.
  var isTooLong: Bool { bytes.count > Self.greatestBytes }

  /// Appends bytes that the decoder was fed.
  mutating func append(_ more: Span<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// Makes a stream that has been fed the context.
  ///
  /// - Parameters:
  ///   - base: The options of the stream; ``startDay`` overrides the date.
  ///   - isEpochHandedOn: Whether the last epoch's fix had been emitted early.
  ///   - batch: Receives the fixes of the bytes, which have been processed before.
  /// - Returns: The stream.
  /// - Throws: `DecodeError` if the bytes are damaged.
  func makeStream(
    _ base: FixStream.Options, isEpochHandedOn: Bool = false, into batch: inout FixBatch
  ) throws(DecodeError) -> FixStream {
    var options = base
    if let startDay { options.startDate = CivilDate(daysSince1970: startDay) }
    var stream = FixStream(options: options)
    if !header.isEmpty { try stream.feed(header.span, into: &batch) }
    var fedCount = 0
    while fedCount < bytes.count {
      // The fixes of compressed input are never compared.
      if stream.isCompressed { batch.removeAll() }
      let rest = bytes.span.extracting(fedCount..<bytes.count)
      let count = stream.pieceCount(of: rest)
      try stream.feed(rest.extracting(first: count), into: &batch)
      fedCount += count
    }
    if isEpochHandedOn { stream.flush(isForced: true, into: &batch) }
    return stream
  }
}

// MARK: Shortening

extension DecoderContext {
  /// Drops old bytes that no longer matter, if there are many.
  ///
  /// The shorter context replaces the longer one only if it yields the same last fix.
  mutating func shorten(format: TrackFormat?, _ base: FixStream.Options) {
    guard bytes.count > retryCount, let format, !format.isDocument else { return }
    retryCount = 2 * bytes.count
    guard let cut = cut(format) else { return }
    var shorter = shortened(cut, format)
    var options = base
    options.format = format
    do throws(DecodeError) {
      var before = FixBatch()
      var after = FixBatch()
      var stream = try DecoderContext(
        start: start, header: header, bytes: Array(bytes[..<cut]), startDay: startDay
      ).makeStream(options, into: &before)
      try stream.feed(bytes.span.extracting(cut..<bytes.count), into: &after)
      guard let first = after.fixes.first, let last = after.fixes.last else { return }
      if format == .nmea {
        shorter.startDay = first.timeMilliseconds.map { Int($0 / Self.millisecondsPerDay) }
      }
      var tried = FixBatch()
      _ = try shorter.makeStream(options, into: &tried)
      guard let other = tried.fixes.last, other.coordinate == last.coordinate,
        other.timeMilliseconds == last.timeMilliseconds
      else { return }
    } catch {
      return
    }
    self = shorter
  }

  private static var millisecondsPerDay: Int64 { 86_400_000 }

  /// Drops old bytes unverified, as when no fix has come for hours; the decoder may then lack the date.
  ///
  /// - Parameters:
  ///   - format: The format of the bytes, nil if unrecognised.
  ///   - lastMilliseconds: The time of the last fix.
  /// - Returns: False if a decoder needs all bytes.
  mutating func abridge(format: TrackFormat?, lastMilliseconds: Int64?) -> Bool {
    guard let format, !format.isDocument, let cut = cut(format) else { return false }
    var shorter = shortened(cut, format)
    if format == .nmea {
      shorter.startDay = lastMilliseconds.map { Int($0 / Self.millisecondsPerDay) } ?? startDay
    }
    self = shorter
    return true
  }

  private func shortened(_ cut: Int, _ format: TrackFormat) -> DecoderContext {
    var shorter = DecoderContext(
      start: start + cut, header: format == .csv ? tableHeader : [], bytes: Array(bytes[cut...]))
    shorter.isShortened = true
    return shorter
  }

  /// The index of the first byte to keep, at the start of a line; nil if lines cannot be found.
  private func cut(_ format: TrackFormat) -> Int? {
    let isWide = bytes.prefix(4).contains(0) || bytes.first == 0xFF || bytes.first == 0xFE
    guard !isWide, bytes.first != 0x1F, !bytes.starts(with: [0x50, 0x4B, 3, 4]) else { return nil }
    return lineEnd(from: bytes.count - Self.leastBytes, isTable: format == .csv)
  }

  private var tableHeader: [UInt8] {
    guard header.isEmpty else { return header }
    // Comments and a `sep=` line may precede the header.
    let start = CSVFixDecoder.headerOffset(in: bytes.span) ?? 0
    return Array(bytes[..<(lineEnd(from: start, isTable: true) ?? bytes.count)])
  }

  /// The index behind the first line end at or after `first`.
  ///
  /// A quoted field of a table may contain line ends. Quotes within it are doubled, so an even number of
  /// quotes precedes every real line end.
  private func lineEnd(from first: Int, isTable: Bool) -> Int? {
    var isQuoted = false
    for (index, byte) in bytes[(isTable ? 0 : first)...].enumerated() where byte <= 0x22 {
      if isTable, byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      let index = isTable ? index : first + index
      if byte == UInt8(ascii: "\n"), !isQuoted, index >= first { return index + 1 }
    }
    return nil
  }
}
