import FencepostFiles
package import FencepostFixes
package import FencepostFormats
import FencepostTime

/// Inflates a source, recognizes its format and passes it as UTF-8 to the format's decoder.
///
/// It does not filter fixes; its caller does, with a ``FixAccount``.
package struct TrackDecoder: FixDecoder, ~Copyable {
  /// The format, once recognized; in an archive, that of its tracks.
  package var format: TrackFormat? { isArchive ? innerFormat : recognized }
  /// Whether the source is a zip archive.
  private(set) var isArchive = false
  /// The format, unless the source is an archive.
  private var recognized: TrackFormat?
  private let options: FixStreamOptions
  /// Whether this decodes an entry of an archive.
  private let isEntry: Bool
  /// Decodes the format; nil until that is recognized.
  private var decoder: (any FixDecoder & ~Copyable)?
  /// Converts UTF-16 to UTF-8; nil for other text.
  private var transcoder: UTF16Transcoder?
  /// Reads a table as Windows-1252 whose header is not UTF-8.
  private var repair: UTF8Repair?
  /// The bytes of the last chunk in UTF-8, kept for their memory.
  private var transcoded: [UInt8] = []
  /// The first bytes, held until the format is known.
  private var lookAhead: [UInt8] = []
  /// The count of `lookAhead` at the last judgment.
  private var judgedCount = 0
  /// The bytes of all judgments of the format.
  package private(set) var work = WorkCount()

  /// Unpacks a compressed source, and passes others on.
  private var gzip: GzipLayer

  /// Creates a decoder for one source.
  package init(options: FixStreamOptions = FixStreamOptions()) {
    self.init(options: options, isEntry: false)
  }

  /// Creates a decoder; `isEntry` means an archive entry, which must not be compressed itself.
  init(options: FixStreamOptions, isEntry: Bool) {
    self.options = options
    self.isEntry = isEntry
    gzip = GzipLayer(isPlain: isEntry || options.format != nil)
    guard let format = options.format else { return }
    recognized = format
    decoder = Self.decoder(format, options)
  }

  /// Whether the source is gzip-compressed or a zip archive; false until known.
  package var isCompressed: Bool { gzip.isCompressed || isArchive }

  /// How many of the next bytes to decode at a time, so that their fixes fit into a batch.
  ///
  /// Deflate expands up to 1032 times, so a compressed chunk could contain millions of fixes.
  ///
  /// - Parameter bytes: Bytes that follow those already decoded.
  /// - Returns: All bytes, or fewer if they may be compressed; at least 1 if there are any.
  package func pieceCount(of bytes: Span<UInt8>) -> Int {
    let count = gzip.pieceCount(of: bytes)
    let first = lookAhead.first ?? (bytes.isEmpty ? 0 : bytes[0])
    let mayBeArchive = isArchive || (recognized == nil && first == UInt8(ascii: "P"))
    return mayBeArchive ? min(count, GzipLayer.pieceBytes) : count
  }

  /// Makes the decoder of a format; `preface` is what came before an XML document.
  private static func decoder(
    _ format: TrackFormat, _ options: FixStreamOptions, after preface: XMLPreface = XMLPreface()
  ) -> any FixDecoder & ~Copyable {
    let startDay = options.startDate.map { Int32(clamping: $0.daysSince1970) }
    switch format {
    case .gpx: return GPXDecoder().reading(after: preface, by: options.clock)
    case .nmea, .gpsd:
      return ReceiverDecoder(
        startDay: startDay, keepsNullIsland: options.keepsNullIsland, isGPSD: format == .gpsd,
        receiver: options.receiver)
    case .ownTracks: return OwnTracksDecoder()
    case .jsonLines: return JSONLinesDecoder(clock: options.clock)
    case .csv:
      return CSVFixDecoder(order: options.dateOrder, startDay: startDay, clock: options.clock)
    case .googleTimeline: return GoogleTimelineDecoder()
    case .googleRecords, .googleMonth: return GoogleTakeoutDecoder()
    case .geoJSON: return GeoJSONTrackDecoder(clock: options.clock)
    case .fit: return FITDecoder(startDay: startDay)
    case .igc: return IGCDecoder(startDay: startDay)
    case .plt: return PLTDecoder()
    case .tcx: return TCXDecoder().reading(after: preface, by: options.clock)
    case .kml: return KMLDecoder().reading(after: preface, by: options.clock)
    case .ownTracksRecorder: return OwnTracksRecorderDecoder()
    case .waypointLines: return WaypointLinesDecoder()
    }
  }

  /// Decodes the fixes that the next bytes complete, once the format is recognized.
  package mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    try inflate(bytes, isLast: false, into: &batch)
  }

  /// Ends the source; throws if it is cut off, damaged, or in no known format.
  package mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    try inflate(Span(), isLast: true, into: &batch)
    try finishText(into: &batch)
  }

  /// Unpacks bytes and decodes them; throws if the compressed data is damaged.
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

  /// Decodes unpacked bytes, or keeps them until the format is recognized.
  private mutating func decodeText(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    if decoder == nil {
      lookAhead.append(contentsOf: bytes)
      // Judges again when a line or tag has ended and there is a sixteenth more to judge, or when the
      // bytes have doubled, so that a source in tiny pieces takes no longer than one in large ones.
      let hasDoubled = lookAhead.count >= min(2 * judgedCount, 2 * FormatDetector.windowBytes)
      let hasGrown = lookAhead.count - judgedCount >= judgedCount / 16
      if hasDoubled
        || hasGrown && [0x0A, 0x0D, 0x3E].contains(where: { bytes.firstIndex(of: $0) != nil })
      {
        try judgeFormat(isWhole: false, into: &batch)
      }
    } else if transcoder == nil, repair == nil {
      try decoder?.decode(bytes, into: &batch)
    } else {
      transcoded.removeAll(keepingCapacity: true)
      transcoder?.transcode(bytes, into: &transcoded)
      if repair != nil { transcoded.append(contentsOf: bytes) }
      repair?.repair(&transcoded, isLast: false)
      let text = transcoded
      try decoder?.decode(text.span, into: &batch)
    }
  }

  /// Ends the unpacked text, recognizing a short one as a whole.
  private mutating func finishText(into batch: inout FixBatch) throws(DecodeError) {
    if decoder == nil { try judgeFormat(isWhole: true, into: &batch) }
    var text: [UInt8] = []
    transcoder?.finish(into: &text)
    repair?.repair(&text, isLast: true)
    if !text.isEmpty { try decoder?.decode(text.span, into: &batch) }
    try decoder?.finish(into: &batch)
  }

  /// Tries to recognize the format; if it does, decodes everything that was kept.
  private mutating func judgeFormat(isWhole: Bool, into batch: inout FixBatch) throws(DecodeError) {
    guard lookAhead.count >= 4 || isWhole else { return }
    judgedCount = lookAhead.count
    work.add(judgedCount)
    let utf16 = UTF16Transcoder.recognize(lookAhead.span.extracting(first: min(4, lookAhead.count)))
    var text: [UInt8] = []
    if var utf16 { utf16.transcode(lookAhead.span, into: &text) } else { text = lookAhead }
    var preface = XMLPreface()
    switch judge(text, isWhole: isWhole, mayRepair: utf16 == nil) {
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
      if format.isXML, utf16 == nil { preface = XMLPreface(text.span) ?? preface }
      decoder = Self.decoder(format, options, after: preface)
    }
    var bytes = lookAhead
    lookAhead = []
    bytes.removeFirst(preface.byteCount)
    try decodeText(bytes.span, into: &batch)
  }

  /// Judges text, and once more as Windows-1252 if it could be a table in it.
  private mutating func judge(
    _ text: [UInt8], isWhole: Bool, mayRepair: Bool
  ) -> FormatDetector.Verdict {
    let verdict = FormatDetector.judge(text.span, isWhole: isWhole)
    switch verdict {
    case .format, .archive: return verdict
    case .open, .foreign: break
    }
    guard mayRepair, !isValid(text.prefix(FormatDetector.windowBytes)) else { return verdict }
    var repaired = text
    var repair = UTF8Repair()
    repair.repair(&repaired, isLast: isWhole)
    let second = FormatDetector.judge(repaired.span, isWhole: isWhole)
    guard repair.replacedBytes > 0, second == .format(.csv) else { return verdict }
    self.repair = UTF8Repair()
    return second
  }

  /// Whether bytes are UTF-8, whole at both ends.
  private func isValid(_ text: ArraySlice<UInt8>) -> Bool {
    (try? UTF8Span(validating: Array(text).span)) != nil
  }

  // MARK: What the decoder knows

  /// The format of an archive's tracks; nil for other sources.
  package var innerFormat: TrackFormat? { known(nil) { $0.innerFormat } }
  /// The name that the source gives its journey.
  package var title: String? { known(nil) { $0.title } }
  /// The decoder's warnings, and one if the text had to be repaired.
  package var notices: [String] {
    let isRepaired = repair.map { $0.replacedBytes > 0 } ?? false
    return known([]) { $0.notices }
      + (isRepaired ? ["it is not in UTF-8, so Fencepost read it as Windows-1252"] : [])
  }
  /// Whether the current epoch's fix was appended early.
  package var isEpochHandedOn: Bool { known(false) { $0.isEpochHandedOn } }
  /// Why fixes wait for a date; nil if none do.
  package var undatedReason: String? { known(nil) { $0.undatedReason } }
  /// Whether a position waits for the rest of its epoch, or for a date.
  package var holdsPosition: Bool { known(false) { $0.holdsPosition } }
  /// The receiver that is followed, where there are several.
  package var receiver: String? { known(nil) { $0.receiver } }
  /// Which of several receivers is followed; nil for a single one.
  package var receiverSentence: String? { known(nil) { $0.receiverSentence } }

  /// What the decoder knows, or `unknown` before the format is recognized.
  private func known<Value>(
    _ unknown: Value, _ ask: (borrowing any FixDecoder & ~Copyable) -> Value
  ) -> Value {
    switch decoder {
    case .some(let decoder): ask(decoder)
    case .none: unknown
    }
  }

  /// Passes on to the decoder that a live source pauses.
  package mutating func flush(isForced: Bool, into batch: inout FixBatch) {
    decoder?.flush(isForced: isForced, into: &batch)
  }

  /// Passes on the time by which fixes without a date may be dated.
  package mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    decoder?.assumeDate(nowMilliseconds: nowMilliseconds, into: &batch)
  }
}

/// Decodes the tracks in a zip archive, such as KMZ or a Google Takeout archive.
///
/// Each entry is recognized by its content and begins a track. The first one that is a track
/// determines the format. Entries in other formats often repeat the same journeys, so they are
/// skipped and named in a notice. As in KMZ, only the first KML entry counts. Other files are
/// ignored.
struct ArchiveDecoder: FixDecoder, ~Copyable {
  private let options: FixStreamOptions
  private var zip = ZipReader()
  private var contents: [UInt8] = []
  private var entry = ""
  /// Decodes the open entry; nil if it is not a track.
  private var decoder: TrackDecoder?
  /// Whether to skip the rest of the entry.
  private var isIgnored = false
  private(set) var innerFormat: TrackFormat?
  /// The tracks and segments in all entries so far, and in those before the open one.
  private var counts: (tracks: Int32, segments: Int32) = (0, 0)
  private var bases: (tracks: Int32, segments: Int32) = (0, 0)
  /// How many files the archive has so far, and how many of them were tracks.
  private var entryCount = 0
  private var readCount = 0
  /// The names of entries that were skipped because they are tracks in another format.
  private var otherTracks: [String] = []
  /// The first bytes of the open entry.
  private var head: [UInt8] = []
  /// Entries that are compressed or archives themselves.
  private var packed: [String] = []
  private var entryNotices: [String] = []
  /// The error that ended an entry; the others are still read.
  private var failure: DecodeError?

  /// Creates a decoder; the options apply to each entry.
  init(options: FixStreamOptions) { self.options = options }

  /// The warnings of entries, and which ones were skipped.
  var notices: [String] {
    var notices = entryNotices
    if !packed.isEmpty {
      notices.append(
        "skipped \(Self.names(packed)), compressed within the archive; unpack it first")
    }
    if !otherTracks.isEmpty, let innerFormat {
      notices.append(
        "the archive's tracks are \(innerFormat.name); skipped \(Self.names(otherTracks)), "
          + "which may repeat them")
    }
    return notices
  }

  /// The first name of a list, and how many more there are.
  private static func names(_ entries: [String]) -> String {
    let first = entries.first ?? ""
    return entries.count <= 1 ? first : "\(first) and \(entries.count - 1) more"
  }

  /// Decodes the entries that the next bytes complete.
  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    zip.push(bytes)
    try drain(into: &batch)
  }

  /// Ends the archive; throws what was wrong with an entry, or that none is a track.
  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    zip.finish()
    try drain(into: &batch)
    if let failure { throw failure }
    guard readCount > 0 else {
      let files = entryCount == 1 ? "1 file" : "\(entryCount) files"
      throw DecodeError("the zip archive has \(files), but no track that Fencepost can read")
    }
  }

  /// Takes all that can be unpacked; damage ends the archive after the fixes before it.
  private mutating func drain(into batch: inout FixBatch) throws(DecodeError) {
    do throws(ZipError) {
      while let event = try zip.next(into: &contents) { take(event, into: &batch) }
    } catch {
      // A truncated entry is only a consequence of the damage, which is reported instead.
      let former = failure
      endEntry(into: &batch)
      throw former ?? DecodeError(error.sentence)
    }
  }

  private mutating func take(_ event: ZipReader.Event, into batch: inout FixBatch) {
    switch event {
    case .entry(let name):
      entry = name
      head = []
      bases = counts
      entryCount += name.hasSuffix("/") ? 0 : 1
      isIgnored = name.hasSuffix("/")
      decoder = isIgnored ? nil : TrackDecoder(options: options, isEntry: true)
    case .contents:
      let bytes = contents
      if head.count < BinaryProbe.windowBytes { head += bytes.prefix(BinaryProbe.windowBytes) }
      decodeEntry(into: &batch) { (decoder, batch) throws(DecodeError) in
        try decoder.decode(bytes.span, into: &batch)
      }
    case .end: endEntry(into: &batch)
    case .skipped(let name):
      entryCount += 1
      entryNotices.append("skipped \(name): its compression method is not supported")
    }
  }

  /// Ends the open entry, and keeps its warnings if it is a track.
  private mutating func endEntry(into batch: inout FixBatch) {
    decodeEntry(into: &batch) { (decoder, batch) throws(DecodeError) in
      try decoder.finish(into: &batch)
    }
    if let decoder = self.decoder.take(), !isIgnored {
      entryNotices += decoder.notices
      readCount += 1
    }
    isIgnored = true
  }

  /// Runs a step of the entry's decoder, and numbers its tracks after those of earlier entries.
  private mutating func decodeEntry(
    into batch: inout FixBatch,
    _ body: (inout TrackDecoder, inout FixBatch) throws(DecodeError) -> Void
  ) {
    guard !isIgnored, var decoder = self.decoder.take() else { return }
    var part = FixBatch()
    do throws(DecodeError) {
      try body(&decoder, &part)
      ignoreOthers(decoder.format)
    } catch {
      ignoreOthers(decoder.format)
      // An unrecognized entry is not a track.
      if !isIgnored, decoder.format != nil {
        var error = error
        error.sentence = "\(entry) in the archive: \(error.sentence)"
        failure = failure ?? error
        readCount += 1
        append(part, to: &batch)
      } else if !isIgnored, BinaryProbe.isPacked(head.span) {
        packed.append(entry)
      }
      isIgnored = true
      return
    }
    self.decoder = consume decoder
    if !isIgnored { append(part, to: &batch) }
  }

  /// Skips the entry if its format is not that of the first track.
  private mutating func ignoreOthers(_ format: TrackFormat?) {
    guard let format else { return }
    if innerFormat == nil { innerFormat = format }
    let repeats = format == .kml && readCount > 0
    guard format != innerFormat || repeats else { return }
    isIgnored = true
    otherTracks.append(entry)
  }

  /// Appends the fixes of an entry, numbered after those of the entries before.
  private mutating func append(_ part: FixBatch, to batch: inout FixBatch) {
    batch.rejections += part.rejections
    for fix in part.fixes {
      var fix = fix
      fix.trackIndex += bases.tracks
      fix.segmentIndex += bases.segments
      counts.tracks = max(counts.tracks, fix.trackIndex + 1)
      counts.segments = max(counts.segments, fix.segmentIndex + 1)
      batch.append(fix)
    }
  }
}
