import FencepostFiles
import FencepostFormats

/// Reads places of XML: GPX waypoints, RSS items and Atom entries with GeoRSS or W3C Basic Geo
/// positions, and KML, whose placemarks ``KMLPlaces`` reads.
///
/// ``Geocache`` reads what geocaching.com adds to GPX. From GPX it takes `name`, `desc` (or `cmt`), `link` (or `url`), `type` (or `sym`), and Garmin's
/// `Proximity` as radius; from feeds `title`, `guid` or `id` or else the link, `summary` or
/// `description` or `content`, `category`, `published` or `pubDate`, the position of `georss:point`,
/// `geo:lat` with `geo:long`, `gml:pos` or `georss:circle`, and `georss:radius`. Titles and texts in
/// HTML (always in RSS, by their `type` in Atom) lose their tags.
struct XMLPlaces: PlaceDecoder, ~Copyable {
  private enum Dialect { case gpx, rss, atom, kml }

  /// How the text of an element is written.
  private enum TextKind {
    case plain
    /// HTML whose tags were escaped.
    case html
    /// Elements whose text is gathered.
    case xhtml
  }

  /// The longest text of an element in bytes.
  static var mostTextBytes: Int { 1 << 20 }

  private let file: String
  /// Whether the document is one of an archive, whose others may have waypoints.
  private let isEntry: Bool
  private var reader = XMLReader()
  private var dialect: Dialect?
  private var path: [String] = []
  private var text = ""
  /// How the text of the current place's child is written.
  private var textKind = TextKind.plain
  /// The depth of the current place's element; nil outside of one.
  private var placeDepth: Int?
  private var link = ""
  private var draft = PlaceDraft()
  private var kml: KMLPlaces
  /// Whether a text of the current place is longer than ``mostTextBytes``.
  private var isTooLong = false
  private var hasFailed = false
  private var geocache = Geocache()
  /// Whether there have been waypoints, and a track or route.
  private(set) var hasWaypoints = false
  private(set) var hasTrack = false

  init(file: String, isEntry: Bool = false) {
    self.file = file
    self.isEntry = isEntry
    kml = KMLPlaces(file: file)
  }

  mutating func decode(
    _ chunk: [UInt8], into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    // After a fault nothing more is read or kept.
    guard !hasFailed else { return }
    reader.push(chunk.span)
    try readEvents(into: &staging)
  }

  mutating func finish(into staging: inout PlaceStaging) throws(PlaceImportError) {
    reader.finish()
    try readEvents(into: &staging)
    if dialect == nil, !hasFailed {
      throw .format(file: file, line: 1, sentence: "the XML document is empty")
    }
    if hasTrack, !hasWaypoints, !isEntry {
      throw .track("GPX without waypoints", file: file, line: 1)
    }
  }

  private mutating func readEvents(into staging: inout PlaceStaging) throws(PlaceImportError) {
    while !hasFailed {
      var event: XMLReader.Event?
      do throws(XMLError) {
        event = try reader.next()
      } catch {
        hasFailed = true
        return try staging.refuseMalformed(
          error.sentence, file: file, line: error.line, isWholeFile: dialect == nil)
      }
      if event == .start, dialect == nil { dialect = try dialect(ofRoot: reader.localName) }
      switch event {
      case .start where dialect == .kml: try kml.start(reader, into: &staging)
      case .text where dialect == .kml: kml.take(reader)
      case .end where dialect == .kml: try kml.end(reader, into: &staging)
      case .start: start()
      case .text: if placeDepth != nil { takeText() }
      case .end: try end(into: &staging)
      case nil: return
      }
    }
  }

  private mutating func takeText() {
    if text.utf8.count + reader.textRange.count > XMLPlaces.mostTextBytes {
      isTooLong = true
    } else {
      text += reader.text
    }
  }

  private mutating func start() {
    let name = reader.localName
    path.append(name)
    if isWithinText {
      if HTMLText.beginsLine(name) { text += "\n" }
      return
    }
    text = ""
    guard placeDepth == nil else {
      if name == "cache", dialect == .gpx { startCache() }
      startChild(name)
      return
    }
    let isPlace = dialect == .gpx ? name == "wpt" : name == "item" || name == "entry"
    if dialect == .gpx, name == "trk" || name == "rte" { hasTrack = true }
    guard isPlace else { return }
    placeDepth = path.count
    draft.clear()
    draft.line = reader.line
    draft.isPlainText = dialect != .gpx
    isTooLong = false
    link = ""
    if dialect == .gpx {
      hasWaypoints = true
      geocache = Geocache()
      set(.latitude, attribute: "lat")
      set(.longitude, attribute: "lon")
    }
  }

  private func dialect(ofRoot name: String) throws(PlaceImportError) -> Dialect {
    switch name.lowercased() {
    case "gpx": return .gpx
    case "rss", "rdf": return .rss
    case "feed": return .atom
    case "kml": return .kml
    case "osm":
      throw .format(
        file: file, line: reader.line,
        sentence: "OpenStreetMap's XML is not read; ask Overpass for [out:json]")
    default:
      throw .format(
        file: file, line: reader.line,
        sentence: "an XML document <\(name)> is no GPX, KML, RSS or Atom")
    }
  }

  private mutating func startChild(_ name: String) {
    guard path.count - 1 == placeDepth else { return }
    textKind = kind(ofText: name)
    if name == "link", let href = reader.attribute("href") {
      // The story is the link of an Atom entry without a relation, or with this one.
      let relation = reader.attribute("rel").map {
        String(decoding: reader.bytes[$0], as: UTF8.self)
      }
      if link.isEmpty || relation == "alternate" {
        link = String(decoding: reader.bytes[href], as: UTF8.self)
      }
    }
    if name == "category", draft.isEmpty(.category) { set(.category, attribute: "term") }
  }

  private mutating func startCache() {
    func isSet(_ name: StaticString, _ value: String) -> Bool {
      guard let range = reader.attribute(name) else { return false }
      return String(decoding: reader.bytes[range], as: UTF8.self).lowercased() == value
    }
    geocache.begin(isArchived: isSet("archived", "true") || isSet("available", "false"))
  }

  /// How the text of the current place's child that begins here is written.
  private func kind(ofText name: String) -> TextKind {
    switch dialect {
    case .rss: return name == "title" || name == "description" ? .html : .plain
    case .atom where ["title", "summary", "content"].contains(name):
      let type = reader.attribute("type").map {
        String(decoding: reader.bytes[$0], as: UTF8.self).lowercased()
      }
      return type == "xhtml" ? .xhtml : type == "html" || type == "text/html" ? .html : .plain
    default: return .plain
    }
  }

  /// Whether the current element is part of a text.
  private var isWithinText: Bool {
    guard let placeDepth, textKind == .xhtml else { return false }
    return path.count > placeDepth + 1
  }

  private mutating func set(_ field: PlaceDraft.Field, attribute name: StaticString) {
    if let range = reader.attribute(name) {
      draft.set(field, range, of: reader.bytes)
    }
  }

  private mutating func end(into staging: inout PlaceStaging) throws(PlaceImportError) {
    let isPart = isWithinText
    let name = path.popLast() ?? ""
    if isPart {
      if HTMLText.beginsLine(name) { text += "\n" }
      return
    }
    defer { text = "" }
    guard let depth = placeDepth else { return }
    guard path.count < depth else {
      let value = value(of: name)
      if !value.isEmpty {
        if dialect == .gpx {
          geocache.take(name, value, parent: path.last ?? "")
          endWaypointChild(name, value, isDirect: path.count == depth)
        } else {
          endItemChild(name, value, isDirect: path.count == depth)
        }
      }
      return
    }
    placeDepth = nil
    guard !isTooLong else {
      let most = XMLPlaces.mostTextBytes >> 20
      try staging.refuse(
        .malformed, "a text of the place is longer than \(most) MiB", file: file, line: draft.line)
      return
    }
    if draft.isEmpty(.url) { draft.set(.url, link) }
    if dialect == .gpx {
      let code = draft.text(.title)
      if staging.geocaches.skips(geocache, code: code, staging.options.skips) { return }
      geocache.complete(&draft)
    }
    if dialect != .gpx, draft.isEmpty(.id) { draft.set(.id, range: draft.range(.url)) }
    try staging.add(&draft, file: file)
  }

  /// The text of the element that ends.
  private mutating func value(of name: String) -> String {
    defer { if path.count == placeDepth { textKind = .plain } }
    guard path.count == placeDepth else { return text.trimmed }
    let lineEnd = name == "title" ? " " : "\n"
    switch textKind {
    case .plain: return text.trimmed
    case .html: return HTMLText.plain(text, lineEnd: lineEnd)
    case .xhtml:
      return text.split(separator: "\n")
        .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        .filter { !$0.isEmpty }.joined(separator: lineEnd)
    }
  }

  private mutating func endWaypointChild(_ name: String, _ value: String, isDirect: Bool) {
    switch name {
    case "name" where isDirect: draft.set(.title, value)
    case "desc" where isDirect: draft.set(.blurb, value)
    case "cmt" where isDirect: fill(.blurb, value)
    case "url" where isDirect: fill(.url, value)
    case "type" where isDirect: draft.set(.category, value)
    case "sym" where isDirect: fill(.category, value)
    case "Proximity", "radius": fill(.radius, value)
    default: break
    }
  }

  private mutating func endItemChild(_ name: String, _ value: String, isDirect: Bool) {
    switch name {
    case "point", "pos": setPosition(value)
    case "circle":
      setPosition(value)
      let parts = value.split(whereSeparator: \.isListSeparator)
      if parts.count >= 3 { fill(.radius, String(parts[2])) }
    case "lat": fill(.latitude, value)
    case "long", "lon": fill(.longitude, value)
    case "radius": fill(.radius, value)
    case "title" where isDirect: draft.set(.title, value)
    case "guid" where isDirect, "id" where isDirect: draft.set(.id, value)
    case "link" where isDirect: fill(.url, value)
    case "summary" where isDirect, "description" where isDirect: draft.set(.blurb, value)
    case "content" where isDirect: fill(.blurb, value)
    case "category" where isDirect: fill(.category, value)
    case "published" where isDirect, "pubDate" where isDirect, "date" where isDirect:
      draft.set(.published, value)
    default: break
    }
  }

  /// Takes a GeoRSS position, `latitude longitude`.
  private mutating func setPosition(_ value: String) {
    let parts = value.split(whereSeparator: \.isListSeparator)
    guard parts.count >= 2 else { return }
    fill(.latitude, String(parts[0]))
    fill(.longitude, String(parts[1]))
  }

  /// Sets a field unless it is set.
  private mutating func fill(_ field: PlaceDraft.Field, _ value: String) {
    if draft.isEmpty(field) { draft.set(field, value) }
  }
}

extension Character {
  /// Whether it separates numbers in GeoRSS.
  fileprivate var isListSeparator: Bool { isWhitespace || self == "," }
}

extension String {
  /// The text, trimmed of white space.
  var trimmed: String {
    guard let start = firstIndex(where: { !$0.isWhitespace }),
      let end = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[start...end])
  }
}
