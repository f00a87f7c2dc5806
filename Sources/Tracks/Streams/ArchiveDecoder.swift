import FencepostFiles
import FencepostFixes
import FencepostFormats

/// Decodes the tracks in a zip archive, such as KMZ or a Google Takeout archive.
///
/// Each entry is recognized by its content and begins a track. The first one that is a track
/// determines the format. Entries in other formats often repeat the same journeys, so they are
/// skipped and named in a notice. As in KMZ, only the first KML entry counts. Other files are
/// ignored.
struct ArchiveDecoder: FixDecoder, ~Copyable {
  private let options: FixStream.Options
  private var zip = ZipReader()
  private var contents: [UInt8] = []
  private var entry = ""
  private var decoder: TrackDecoder?
  /// Whether to skip the rest of the entry.
  private var isIgnored = false
  private(set) var innerFormat: TrackFormat?
  /// The tracks and segments in all entries so far, and in those before the open one.
  private var counts: (tracks: Int32, segments: Int32) = (0, 0)
  private var bases: (tracks: Int32, segments: Int32) = (0, 0)
  private var entryCount = 0
  private var readCount = 0
  private var otherTracks: [String] = []
  private var entryNotices: [String] = []
  /// The error that ended an entry; the others are still read.
  private var failure: DecodeError?

  init(options: FixStream.Options) { self.options = options }

  var notices: [String] {
    guard let first = otherTracks.first, let innerFormat else { return entryNotices }
    let others = otherTracks.count == 1 ? first : "\(first) and \(otherTracks.count - 1) more"
    return entryNotices + [
      "the archive's tracks are \(innerFormat.name); skipped \(others), which may repeat them"
    ]
  }

  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    zip.push(bytes)
    try drain(into: &batch)
  }

  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    zip.finish()
    try drain(into: &batch)
    if let failure { throw failure }
    guard readCount > 0 else {
      let files = entryCount == 1 ? "1 file" : "\(entryCount) files"
      throw DecodeError("the zip archive has \(files), but no track that Fencepost can read")
    }
  }

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
      bases = counts
      entryCount += name.hasSuffix("/") ? 0 : 1
      isIgnored = name.hasSuffix("/")
      decoder = isIgnored ? nil : TrackDecoder(options: options, isEntry: true)
    case .contents:
      let bytes = contents
      decodeEntry(into: &batch) { (decoder, batch) throws(DecodeError) in
        try decoder.decode(bytes.span, into: &batch)
      }
    case .end: endEntry(into: &batch)
    case .skipped(let name):
      entryCount += 1
      entryNotices.append("skipped \(name): its compression method is not supported")
    }
  }

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
