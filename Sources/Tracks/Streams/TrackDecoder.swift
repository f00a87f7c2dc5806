import FencepostFiles
import FencepostFixes
import FencepostFormats
import FencepostTime

/// Inflates a source, recognizes its format and passes it as UTF-8 to the format's decoder.
struct TrackDecoder: FixDecoder, ~Copyable {
  /// The format, once recognized; in an archive, that of its tracks.
  var format: TrackFormat? { isArchive ? innerFormat : recognized }
  private(set) var isArchive = false
  private var recognized: TrackFormat?
  private let options: FixStream.Options
  private let isEntry: Bool
  private var decoder: (any FixDecoder & ~Copyable)?
  private var transcoder: UTF16Transcoder?
  private var transcoded: [UInt8] = []
  /// The first bytes, held until the format is known.
  private var lookAhead: [UInt8] = []
  /// The count of `lookAhead` at the last judgment.
  private var judgedCount = 0

  private var gzip: GzipLayer

  /// Creates a decoder; `isEntry` means an archive entry, which must not be compressed itself.
  init(options: FixStream.Options, isEntry: Bool = false) {
    self.options = options
    self.isEntry = isEntry
    gzip = GzipLayer(isPlain: isEntry || options.format != nil)
    guard let format = options.format else { return }
    recognized = format
    decoder = Self.decoder(format, options)
  }

  /// Whether the source is gzip-compressed or a zip archive; false until known.
  var isCompressed: Bool { gzip.isCompressed || isArchive }

  func pieceCount(of bytes: Span<UInt8>) -> Int {
    let count = gzip.pieceCount(of: bytes)
    let first = lookAhead.first ?? (bytes.isEmpty ? 0 : bytes[0])
    let mayBeArchive = isArchive || (recognized == nil && first == UInt8(ascii: "P"))
    return mayBeArchive ? min(count, GzipLayer.pieceBytes) : count
  }

  private static func decoder(
    _ format: TrackFormat, _ options: FixStream.Options
  ) -> any FixDecoder & ~Copyable {
    let startDay = options.startDate.map { Int32(clamping: $0.daysSince1970) }
    switch format {
    case .gpx: return GPXDecoder()
    case .nmea: return NMEADecoder(startDay: startDay)
    case .gpsd: return GpsdDecoder()
    case .ownTracks: return OwnTracksDecoder()
    case .jsonLines: return JSONLinesDecoder()
    case .csv: return CSVFixDecoder(order: options.dateOrder, startDay: startDay)
    case .googleTimeline: return GoogleTimelineDecoder()
    case .googleRecords, .googleMonth: return GoogleTakeoutDecoder()
    case .geoJSON: return GeoJSONTrackDecoder()
    case .fit: return FITDecoder(startDay: startDay)
    case .igc: return IGCDecoder(startDay: startDay)
    case .plt: return PLTDecoder()
    case .tcx: return TCXDecoder()
    case .kml: return KMLDecoder()
    case .ownTracksRecorder: return OwnTracksRecorderDecoder()
    case .waypointLines: return WaypointLinesDecoder()
    }
  }

  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    try inflate(bytes, isLast: false, into: &batch)
  }

  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    try inflate(Span(), isLast: true, into: &batch)
    try finishText(into: &batch)
  }

  private mutating func inflate(
    _ bytes: Span<UInt8>, isLast: Bool, into batch: inout FixBatch
  ) throws(DecodeError) {
    // Moved out of `self`, since the closure changes `self`.
    var layer = GzipLayer()
    swap(&layer, &gzip)
    defer { swap(&layer, &gzip) }
    let damage = try layer.take(bytes, isLast: isLast) { (bytes) throws(DecodeError) in
      try decodeText(bytes, into: &batch)
    }
    guard let damage else { return }
    // Truncated text is only a consequence of the damage, which is reported instead.
    do throws(DecodeError) { try finishText(into: &batch) } catch {}
    // Leaves out the offset: where zlib finds damage depends on how the bytes were cut.
    let detail = damage.reason == .corrupt && !damage.detail.isEmpty ? " (\(damage.detail))" : ""
    throw DecodeError(damage.reason.sentence + detail)
  }

  private mutating func decodeText(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    if decoder == nil {
      lookAhead.append(contentsOf: bytes)
      // Judges again when a line or tag has ended, or the bytes have doubled.
      let hasDoubled = lookAhead.count >= min(2 * judgedCount, 2 * FormatDetector.windowBytes)
      if hasDoubled || [0x0A, 0x0D, 0x3E].contains(where: { bytes.firstIndex(of: $0) != nil }) {
        try judgeFormat(isWhole: false, into: &batch)
      }
    } else if transcoder == nil {
      try decoder?.decode(bytes, into: &batch)
    } else {
      transcoded.removeAll(keepingCapacity: true)
      transcoder?.transcode(bytes, into: &transcoded)
      let text = transcoded
      try decoder?.decode(text.span, into: &batch)
    }
  }

  private mutating func finishText(into batch: inout FixBatch) throws(DecodeError) {
    if decoder == nil { try judgeFormat(isWhole: true, into: &batch) }
    var text: [UInt8] = []
    transcoder?.finish(into: &text)
    if !text.isEmpty { try decoder?.decode(text.span, into: &batch) }
    try decoder?.finish(into: &batch)
  }

  private mutating func judgeFormat(isWhole: Bool, into batch: inout FixBatch) throws(DecodeError) {
    guard lookAhead.count >= 4 || isWhole else { return }
    judgedCount = lookAhead.count
    let utf16 = UTF16Transcoder.recognize(lookAhead.span.extracting(first: min(4, lookAhead.count)))
    var text: [UInt8] = []
    if var utf16 { utf16.transcode(lookAhead.span, into: &text) } else { text = lookAhead }
    switch FormatDetector.judge(text.span, isWhole: isWhole) {
    case .open: return
    case .foreign(let sentence): throw DecodeError(sentence)
    case .archive:
      guard !isEntry else { throw DecodeError("an archive within an archive") }
      isArchive = true
      decoder = ArchiveDecoder(options: options)
    case .format(let format):
      recognized = format
      // XML declares its own encoding, which libxml2 decodes.
      transcoder = format.isXML ? nil : utf16
      decoder = Self.decoder(format, options)
    }
    let bytes = lookAhead
    lookAhead = []
    try decodeText(bytes.span, into: &batch)
  }

  // MARK: What the decoder knows

  var innerFormat: TrackFormat? { known(nil) { $0.innerFormat } }
  var notices: [String] { known([]) { $0.notices } }
  var isEpochHandedOn: Bool { known(false) { $0.isEpochHandedOn } }
  var holdsUndatedFixes: Bool { known(false) { $0.holdsUndatedFixes } }

  /// What the decoder knows, or `unknown` before the format is recognized.
  private func known<Value>(
    _ unknown: Value, _ ask: (borrowing any FixDecoder & ~Copyable) -> Value
  ) -> Value {
    switch decoder {
    case .some(let decoder): ask(decoder)
    case .none: unknown
    }
  }

  mutating func flush(isForced: Bool, into batch: inout FixBatch) {
    decoder?.flush(isForced: isForced, into: &batch)
  }

  mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    decoder?.assumeDate(nowMilliseconds: nowMilliseconds, into: &batch)
  }
}
