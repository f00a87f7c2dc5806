import FencepostFiles
import FencepostFormats
import FencepostPlaceList

/// Reads places from a zip archive: its first KML file, all GPX files or its only table.
///
/// KMZ is such an archive with a KML file. If an archive has several tables, the user must choose.
struct ZipPlaces: PlaceDecoder, ~Copyable {
  /// What happens with the bytes of an entry: kept until it is recognized, read, or skipped.
  private enum Stage { case searching, reading, done }

  /// How much of an entry decides what it is.
  private static var headBytes: Int { 4096 }

  let staging: PlaceStaging
  private let file: String
  private var zip = ZipReader()
  private var contents: [UInt8] = []
  private var entry = ""
  private var head: [UInt8] = []
  private var stage = Stage.done
  /// The KML file, or the current or last GPX file.
  private var document: XMLPlaces?
  /// Whether GPX files were read, and whether any had waypoints.
  private var hasGPX = false
  private var hasWaypoints = false
  private var table: CSVPlaces?
  /// The first entry that was read, for messages.
  private var firstName = ""
  private var text = TextLayer(head: Span())
  /// Whether the archive is damaged, so that the rest is ignored.
  private var hasFailed = false

  /// Begins an archive, whose name is that of the staging's file.
  init(_ staging: PlaceStaging) { (self.staging, file) = (staging, staging.file) }

  /// Reads the entries that the next bytes complete.
  mutating func decode(_ chunk: Span<UInt8>) throws(PlaceListError) {
    guard !hasFailed else { return }
    zip.push(chunk)
    try drain()
  }

  /// Ends the archive; throws if nothing in it could be read.
  mutating func finish() throws(PlaceListError) {
    zip.finish()
    try drain()
    guard !hasFailed else { return }
    if hasGPX, !hasWaypoints { throw staging.track("GPX without waypoints", line: 1) }
    guard document == nil, table == nil else { return }
    throw staging.fault(
      "the zip archive holds no KML, GPX or table; unpack it and import its files")
  }

  /// Takes all that can be unpacked; damage is a refusal once something was read.
  private mutating func drain() throws(PlaceListError) {
    while !hasFailed {
      let event: ZipReader.Event?
      do throws(ZipError) {
        event = try zip.next(into: &contents)
      } catch {
        hasFailed = true
        staging.file = file
        return try staging.refuseMalformed(
          error.sentence, line: 1, isWholeFile: document == nil && table == nil)
      }
      switch event {
      case .entry(let name): try begin(name)
      case .contents: try take()
      case .end: try endEntry()
      case .skipped: break
      case nil: return
      }
    }
  }

  // MARK: Entries

  /// Begins an entry; throws if it shows that the archive is a spreadsheet.
  private mutating func begin(_ name: String) throws(PlaceListError) {
    if let sentence = ForeignFile.sentence(entry: name) { throw staging.fault(sentence) }
    entry = name
    head.removeAll(keepingCapacity: true)
    // macOS adds a second file with attributes for each file.
    let isAttributes = name.hasPrefix("__MACOSX/")
    stage = (document == nil || hasGPX) && !isAttributes ? .searching : .done
  }

  private mutating func take() throws(PlaceListError) {
    switch stage {
    case .searching:
      head += contents
      if head.count >= Self.headBytes { try judge() }
    case .reading:
      // Moved out of `self`, which changes meanwhile.
      var bytes: [UInt8] = []
      swap(&bytes, &contents)
      try read(&bytes)
      swap(&bytes, &contents)
    case .done: break
    }
  }

  /// Ends an entry, and its table or document.
  private mutating func endEntry() throws(PlaceListError) {
    if stage == .searching { try judge() }
    if stage == .reading {
      try document?.finish()
      if document?.hasWaypoints ?? false { hasWaypoints = true }
      if table != nil {
        var rest: [UInt8] = []
        text.finish(into: &rest)
        try table?.decode(rest.span)
        try table?.finish()
        staging.warn(text.warning(file: staging.file))
      }
      staging.file = file
    }
    stage = .done
  }

  /// Reads the entry if it begins like KML, GPX or a table.
  private mutating func judge() throws(PlaceListError) {
    stage = .done
    if let sentence = ForeignFile.sentence(entry: entry, head: head) {
      throw staging.fault(sentence)
    }
    let (isKML, isGPX, isTable) = (isXML("kml"), isXML("gpx"), isTable)
    guard isKML || isGPX || isTable else { return }
    // A KML file beside GPX files most likely repeats them.
    if hasGPX, !isGPX, !isTable { return }
    if table != nil || hasGPX && isTable {
      throw staging.fault(
        "the zip archive holds \(firstName) and \(entry); unpack it and import the files you want")
    }
    stage = .reading
    if firstName.isEmpty { firstName = entry }
    staging.file = "\(file): \(entry)"
    if isKML || isGPX {
      document = XMLPlaces(staging, isEntry: true)
      hasGPX = isGPX
    } else {
      table = CSVPlaces(staging)
      text = TextLayer(head: head.span.extracting(first: min(4, head.count)))
    }
    var bytes = head
    try read(&bytes)
  }

  /// Whether the entry is XML that has an element of this name near its beginning.
  private func isXML(_ root: String) -> Bool {
    let text = String(decoding: head.prefix(Self.headBytes), as: UTF8.self)
    return ImportFormat.sniff(head.span) == .xml
      && (text.contains("<\(root)") || text.contains(":\(root) "))
  }

  /// Whether the entry is a table, by its name or by a header that names a position.
  private var isTable: Bool {
    let beginning = TextLayer.beginning(of: head.span)
    guard !head.isEmpty, ImportFormat.sniff(beginning.span) == .csv else { return false }
    let name = entry.lowercased()
    return name.hasSuffix(".csv") || name.hasSuffix(".tsv") || CSVPlaces.isTable(beginning.span)
  }

  // MARK: Contents

  /// Decodes bytes of the entry, those of a table as text in any encoding.
  private mutating func read(_ bytes: inout [UInt8]) throws(PlaceListError) {
    try document?.decode(bytes.span)
    guard table != nil else { return }
    text.decode(&bytes)
    try table?.decode(bytes.span)
  }
}
