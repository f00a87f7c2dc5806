import FencepostFiles
import FencepostFormats

/// Reads places of KMZ: a zip archive whose first KML file has the places, whatever its name.
struct KMZPlaces: PlaceDecoder, ~Copyable {
  private enum Stage { case searching, reading, done }

  /// How many bytes of an entry show whether it is KML.
  private static var headBytes: Int { 4096 }

  private let file: String
  private var zip = ZipReader()
  private var contents: [UInt8] = []
  private var entry = ""
  /// The beginning of an entry that may be KML.
  private var head: [UInt8] = []
  private var stage = Stage.done
  private var kml: XMLPlaces?
  private var hasFailed = false

  init(file: String) {
    self.file = file
  }

  mutating func decode(
    _ chunk: [UInt8], into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    guard !hasFailed else { return }
    zip.push(chunk.span)
    try drain(into: &staging)
  }

  mutating func finish(into staging: inout PlaceStaging) throws(PlaceImportError) {
    zip.finish()
    try drain(into: &staging)
    guard kml == nil, !hasFailed else { return }
    throw .format(
      file: file, line: 1,
      sentence: "the zip archive holds no KML; unpack it and import the files in it")
  }

  private mutating func drain(into staging: inout PlaceStaging) throws(PlaceImportError) {
    while !hasFailed {
      let event: ZipReader.Event?
      do throws(ZipError) {
        event = try zip.next(into: &contents)
      } catch {
        hasFailed = true
        return try staging.refuseMalformed(
          error.sentence, file: file, line: 1, isWholeFile: kml == nil)
      }
      switch event {
      case .entry(let name): begin(name)
      case .contents: try take(into: &staging)
      case .end: try endEntry(into: &staging)
      case .skipped: break
      case nil: return
      }
    }
  }

  private mutating func begin(_ name: String) {
    entry = name
    head.removeAll(keepingCapacity: true)
    stage = kml == nil ? .searching : .done
  }

  private mutating func take(into staging: inout PlaceStaging) throws(PlaceImportError) {
    switch stage {
    case .searching:
      head += contents
      if head.count >= Self.headBytes { try judge(into: &staging) }
    case .reading: try kml?.decode(contents, into: &staging)
    case .done: break
    }
  }

  private mutating func endEntry(into staging: inout PlaceStaging) throws(PlaceImportError) {
    if stage == .searching { try judge(into: &staging) }
    if stage == .reading { try kml?.finish(into: &staging) }
    stage = .done
  }

  /// Reads the entry if it begins as KML does.
  private mutating func judge(into staging: inout PlaceStaging) throws(PlaceImportError) {
    stage = .done
    let text = String(decoding: head.prefix(Self.headBytes), as: UTF8.self)
    guard ImportFormat.sniff(head.span) == .xml, text.contains("<kml") || text.contains(":kml ")
    else { return }
    stage = .reading
    kml = XMLPlaces(file: "\(file): \(entry)")
    try kml?.decode(head, into: &staging)
  }
}
