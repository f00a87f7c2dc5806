import Fixes
import Formats

/// The bytes that bring a new decoder to where the present one is.
///
/// A decoder's knowledge between two bytes (half a sentence, an epoch that is not complete, the date,
/// the header of a table) all stems from the bytes before. Feeding these again, and leaving out what
/// comes of them, restores it for every format alike. Where lines stand for themselves only the last
/// 32 to 64 KiB are kept, minutes of a receiver's talk, and more only where it cannot be seen that they
/// do; of other formats (GPX, compressed bytes) all that came so far, which is bounded.
struct DecoderContext {
  /// The offset of ``bytes`` in the input.
  private(set) var start: Int
  /// What must be fed before ``bytes``: the header of a table.
  private(set) var header: [UInt8]
  /// The input from ``start`` on.
  private(set) var bytes: [UInt8]
  /// The day of the first fix in ``bytes``, in days since 1970; nil where they tell it themselves.
  var startDay: Int?
  /// Whether bytes were given up, so that the format must be told.
  var isShortened = false
  /// Whether shortening was tried and is pointless until there is much more.
  private var retryCount = Self.mostBytes

  static var leastBytes: Int { 32 * 1024 }
  static var mostBytes: Int { 64 * 1024 }
  /// How many bytes are kept in any case.
  static var greatestBytes: Int { 16 << 20 }

  /// Makes the context of a decoder that is to be fed next what stands at `start`.
  init(start: Int, header: [UInt8] = [], bytes: [UInt8] = [], startDay: Int? = nil) {
    self.start = start
    self.header = header
    self.bytes = bytes
    self.startDay = startDay
  }

  /// The offset behind the last byte.
  var end: Int { start + bytes.count }

  /// Whether it holds more than may be kept.
  var isTooLong: Bool { bytes.count > Self.greatestBytes }

  /// Takes note of bytes that the decoder was fed.
  mutating func append(_ more: Span<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// Makes a stream that has been fed the context.
  ///
  /// - Parameters:
  ///   - base: The options of the stream; the context knows the date better.
  ///   - isEpochHandedOn: Whether the fix of the last epoch had been handed on early.
  ///   - batch: Receives what came of the bytes, which the decoder before has told already.
  /// - Returns: The stream.
  /// - Throws: `DecodeError` where the bytes are damaged.
  func makeStream(
    _ base: FixStream.Options, isEpochHandedOn: Bool = false, into batch: inout FixBatch
  ) throws(DecodeError) -> FixStream {
    var options = base
    if let startDay { options.startDate = CivilDate(daysSince1970: startDay) }
    var stream = FixStream(options: options)
    if !header.isEmpty { try stream.feed(header.span, into: &batch) }
    var fedCount = 0
    while fedCount < bytes.count {
      // Of compressed bytes nobody asks what came.
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
  /// Gives up bytes that tell nothing about what follows, where there are many.
  ///
  /// The shorter context is tried before it takes the longer one's place: the last fix that comes of
  /// it must be the same.
  mutating func shorten(format: TrackFormat?, _ base: FixStream.Options) {
    guard bytes.count > retryCount, let format, format != .gpx else { return }
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

  /// Gives up bytes although it is not sure that the rest tells the same, as where no fix has come for
  /// hours; a decoder that is fed the rest may lack the date.
  ///
  /// - Parameters:
  ///   - format: The format of the bytes, nil where none was recognised.
  ///   - lastMilliseconds: The time of the last fix.
  /// - Returns: False where a decoder needs all bytes.
  mutating func abridge(format: TrackFormat?, lastMilliseconds: Int64?) -> Bool {
    guard let format, format != .gpx, let cut = cut(format) else { return false }
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

  /// The index of the first byte to keep: where a line begins; nil where that is not plain.
  private func cut(_ format: TrackFormat) -> Int? {
    let isWide = bytes.prefix(4).contains(0) || bytes.first == 0xFF || bytes.first == 0xFE
    guard !isWide, bytes.first != 0x1F else { return nil }
    return lineEnd(from: bytes.count - Self.leastBytes, isTable: format == .csv)
  }

  private var tableHeader: [UInt8] {
    guard header.isEmpty else { return header }
    // Comments and the separator's name may stand in front of the header.
    let start = CSVFixDecoder.headerOffset(in: bytes.span) ?? 0
    return Array(bytes[..<(lineEnd(from: start, isTable: true) ?? bytes.count)])
  }

  /// The index behind the first end of a line that does not come before `first`.
  ///
  /// In a table a line goes on within quotes. A quote within quotes is written twice, so that an even
  /// number of them stands before each end.
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
