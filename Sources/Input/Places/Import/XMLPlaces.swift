import FencepostFiles
import FencepostFormats
import FencepostPlaceList

/// Reads places from GPX waypoints, KML placemarks, and RSS and Atom items with a position.
///
/// Feeds give positions as GeoRSS or W3C Basic Geo. Only one place is in memory at a time.
struct XMLPlaces: PlaceDecoder, XMLHandler, ~Copyable {
  typealias Failure = PlaceListError

  private enum Dialect { case gpx, rss, atom, kml }

  /// The limit on the text of an element, in bytes.
  static var mostTextBytes: Int { 1 << 20 }
  /// The approximate memory limit for a place, in bytes.
  private static var mostPlaceBytes: Int { 16 << 20 }

  let staging: PlaceStaging
  /// Whether the document comes from an archive, where other documents may have the waypoints.
  private let isEntry: Bool
  private var reader = XMLReader()
  private var dialect: Dialect?
  /// The open elements; only those of a place have texts and children.
  private var open: [XMLElement] = []
  /// How many elements are open around the current place, or nil outside one.
  private var placeDepth: Int?
  private var placeBytes = 0
  private var fault: String?
  /// The open XHTML elements within a text, which are dropped.
  private var inline: [String] = []
  /// How many elements are open within a skipped one.
  private var skippedDepth = 0
  private var hasFailed = false
  private(set) var hasWaypoints = false
  private(set) var hasTrack = false

  init(_ staging: PlaceStaging, isEntry: Bool = false) {
    (self.staging, self.isEntry) = (staging, isEntry)
  }

  mutating func decode(_ chunk: Span<UInt8>) throws(PlaceListError) {
    // After a fault, the rest of the document is ignored.
    guard !hasFailed else { return }
    reader.push(chunk)
    try read()
  }

  mutating func finish() throws(PlaceListError) {
    reader.finish()
    try read()
    if dialect == nil, !hasFailed { throw staging.fault("the XML document is empty") }
    if hasTrack, !hasWaypoints, !isEntry { throw staging.track("GPX without waypoints", line: 1) }
  }

  private mutating func read() throws(PlaceListError) {
    guard !hasFailed else { return }
    // Moved out of `self`, since the reader changes `self`.
    var reader = XMLReader()
    swap(&reader, &self.reader)
    defer { swap(&reader, &self.reader) }
    guard let error = try reader.read(&self) else { return }
    hasFailed = true
    try staging.refuseMalformed(error.sentence, line: error.line, isWholeFile: dialect == nil)
  }

  private func dialect(ofRoot name: String, line: Int) throws(PlaceListError) -> Dialect {
    switch name.lowercased() {
    case "gpx": return .gpx
    case "rss", "rdf": return .rss
    case "feed": return .atom
    case "kml": return .kml
    case "osm":
      throw staging.openStreetMap(line: line)
    default:
      throw staging.fault("the XML document <\(name)> is not GPX, KML, RSS or Atom", line: line)
    }
  }

  // MARK: Elements

  mutating func start(_ name: Span<UInt8>, _ tag: borrowing XMLStartTag) throws(PlaceListError) {
    guard skippedDepth == 0 else { return skippedDepth += 1 }
    let name = String(utf8: name)
    if let last = open.indices.last {
      if isXHTML(open[last]) {
        inline.append(name)
        if HTMLText.beginsLine(name) { open[last].text += "\n" }
        return
      }
      open[last].text = ""
    }
    if dialect == nil { dialect = try dialect(ofRoot: name, line: tag.line) }
    if placeDepth == nil {
      guard dialect != .kml || holdsPlacemarks(name) else {
        skippedDepth = 1
        guard name == "NetworkLink" else { return }
        return try staging.refuse(
          .missingPosition,
          "the stories of this NetworkLink are in another file; import that file too",
          line: tag.line)
      }
      if dialect == .gpx, name == "trk" || name == "rte" { hasTrack = true }
      if isPlace(name) {
        (placeDepth, placeBytes, fault) = (open.count, 0, nil)
        if dialect == .gpx { hasWaypoints = true }
      }
    }
    open.append(placeDepth == nil ? XMLElement(name: name) : XMLElement(name, tag))
    countBytes(64)
  }

  private func isPlace(_ name: String) -> Bool {
    switch dialect {
    case .gpx: name == "wpt"
    case .kml: name == "Placemark" && !open.isEmpty
    default: name == "item" || name == "entry"
    }
  }

  /// Whether a KML element outside a placemark may contain one, or names a folder.
  private func holdsPlacemarks(_ name: String) -> Bool {
    guard let parent = open.last?.name else { return true }
    return parent != "name"
      && (["Document", "Folder", "Placemark"].contains(name)
        || parent == "Folder" && name == "name")
  }

  private func isXHTML(_ element: XMLElement) -> Bool {
    guard dialect == .atom, let placeDepth, open.count == placeDepth + 2 else { return false }
    return ["title", "summary", "content"].contains(element.name)
      && element.attributes["type"]?.lowercased() == "xhtml"
  }

  private mutating func countBytes(_ count: Int) {
    placeBytes += count
    if placeDepth != nil, placeBytes > Self.mostPlaceBytes {
      fault = fault ?? "the story is larger than \(Self.mostPlaceBytes >> 20) MiB"
    }
  }

  mutating func text(_ text: Span<UInt8>, line: Int) {
    guard skippedDepth == 0, let last = open.indices.last else { return }
    guard placeDepth != nil || dialect == .kml && open[last].name == "name" else { return }
    countBytes(text.count)
    if dialect != .kml, open[last].text.utf8.count + text.count > Self.mostTextBytes {
      fault = fault ?? "a text of the story is longer than \(Self.mostTextBytes >> 20) MiB"
    }
    if fault == nil { open[last].text += String(utf8: text) }
  }

  mutating func end(line: Int) throws(PlaceListError) {
    guard skippedDepth == 0 else { return skippedDepth -= 1 }
    if let name = inline.popLast() {
      if HTMLText.beginsLine(name) { open[open.count - 1].text += "\n" }
      return
    }
    guard let element = open.popLast() else { return }
    if open.count == placeDepth {
      placeDepth = nil
      return try add(element)
    }
    guard let parent = open.indices.last else { return }
    open[parent].text = ""
    if placeDepth != nil {
      if fault == nil { open[parent].children.append(element) }
    } else if element.name == "name" {
      open[parent].attributes["name"] = element.text.trimmed
    }
  }

  // MARK: Places

  private mutating func add(_ place: XMLElement) throws(PlaceListError) {
    if let fault { return try staging.refuse(.malformed, fault, line: place.line) }
    switch dialect {
    case .kml:
      let folder = open.last { $0.name == "Folder" && $0.attributes["name"]?.isEmpty == false }
      let placemark = KMLPlacemark(place, folder: folder?.attributes["name"])
      try placemark.add(to: staging)
    case .gpx:
      var draft = waypoint(place)
      try staging.add(&draft)
    default:
      var draft = item(place)
      try staging.add(&draft)
    }
  }

  /// Makes a place from a waypoint.
  ///
  /// Reads `name`, `desc` (or `cmt`), `link` (or `url`), `type` (or `sym`), and Garmin's `Proximity`
  /// as the radius.
  private func waypoint(_ place: XMLElement) -> PlaceDraft {
    var draft = PlaceDraft(line: place.line)
    draft.set(.latitude, place.attributes["lat"] ?? "")
    draft.set(.longitude, place.attributes["lon"] ?? "")
    var link = ""
    place.forEachDescendant { element, isDirect in
      if isDirect { Self.read(element, &link, &draft) }
      let value = element.text.trimmed
      guard !value.isEmpty else { return }
      switch element.name {
      case "name" where isDirect: draft.set(.title, value)
      case "desc" where isDirect: draft.set(.blurb, value)
      case "cmt" where isDirect: draft.fill(.blurb, value)
      case "url" where isDirect: draft.fill(.url, value)
      case "type" where isDirect: draft.set(.category, value)
      case "sym" where isDirect: draft.fill(.category, value)
      case "Proximity", "radius": draft.fill(.radius, value)
      default: break
      }
    }
    draft.fill(.url, link)
    return draft
  }

  /// Makes a place from an item of a feed.
  ///
  /// Reads `title`; `guid`, `id` or the link; `summary`, `description` or `content`; `category`;
  /// and `published` or `pubDate`. The position is in `georss:point`, `geo:lat` and `geo:long`,
  /// `gml:pos` or `georss:circle`, and the radius in `georss:radius`.
  private func item(_ place: XMLElement) -> PlaceDraft {
    var draft = PlaceDraft(line: place.line)
    draft.isPlainText = true
    var link = ""
    place.forEachDescendant { element, isDirect in
      if isDirect { Self.read(element, &link, &draft) }
      let value = isDirect ? text(of: element) : element.text.trimmed
      guard !value.isEmpty else { return }
      switch element.name {
      case "point", "pos", "circle":
        let parts = value.split { $0.isWhitespace || $0 == "," }.map(String.init)
        guard parts.count >= 2 else { return }
        draft.fill(.latitude, parts[0])
        draft.fill(.longitude, parts[1])
        if element.name == "circle", parts.count >= 3 { draft.fill(.radius, parts[2]) }
      case "lat": draft.fill(.latitude, value)
      case "long", "lon": draft.fill(.longitude, value)
      case "radius": draft.fill(.radius, value)
      case "title" where isDirect: draft.set(.title, value)
      case "guid" where isDirect, "id" where isDirect: draft.set(.id, value)
      case "link" where isDirect: draft.fill(.url, value)
      case "summary" where isDirect, "description" where isDirect: draft.set(.blurb, value)
      case "content" where isDirect: draft.fill(.blurb, value)
      case "category" where isDirect: draft.fill(.category, value)
      case "published" where isDirect, "pubDate" where isDirect, "date" where isDirect:
        draft.set(.published, value)
      default: break
      }
    }
    draft.fill(.url, link)
    draft.fill(.id, draft.text(.url))
    return draft
  }

  private static func read(_ element: XMLElement, _ link: inout String, _ draft: inout PlaceDraft) {
    if element.name == "link", let address = element.attributes["href"] {
      if link.isEmpty || element.attributes["rel"] == "alternate" { link = address }
    }
    if element.name == "category" { draft.fill(.category, element.attributes["term"] ?? "") }
  }

  /// The text of an item's child.
  ///
  /// HTML loses its tags, always in RSS and depending on `type` in Atom.
  private func text(of element: XMLElement) -> String {
    let lineEnd = element.name == "title" ? " " : "\n"
    let type = element.attributes["type"]?.lowercased()
    switch (dialect, element.name) {
    case (.rss, "title"), (.rss, "description"):
      return HTMLText.plain(element.text, lineEnd: lineEnd)
    case (.atom, "title"), (.atom, "summary"), (.atom, "content"):
      if type == "html" || type == "text/html" {
        return HTMLText.plain(element.text, lineEnd: lineEnd)
      }
      guard type == "xhtml" else { return element.text.trimmed }
      return element.text.split(separator: "\n")
        .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        .filter { !$0.isEmpty }.joined(separator: lineEnd)
    default: return element.text.trimmed
    }
  }
}

/// An element of a place with its contents.
struct XMLElement {
  var name: String
  var line = 1
  var attributes: [String: String] = [:]
  var text = ""
  var children: [XMLElement] = []

  init(name: String) { self.name = name }

  init(_ name: String, _ tag: borrowing XMLStartTag) {
    self.name = name
    line = tag.line
    for (name, value) in tag.attributes { attributes[name] = value }
  }

  /// Calls a closure for each descendant in the order in which they end.
  ///
  /// The closure also receives whether the parent is this element.
  func forEachDescendant(_ body: (XMLElement, _ isDirect: Bool) -> Void) {
    for child in children {
      child.forEachDescendant { element, _ in body(element, false) }
      body(child, true)
    }
  }

  func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}
