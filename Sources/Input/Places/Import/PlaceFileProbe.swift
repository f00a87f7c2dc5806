import FencepostFiles
import FencepostFormats
import FencepostPlaceList

/// Recognizes files that certainly hold places and no track, so that a folder may mix both.
///
/// Tables need a position and a title, or a name and another field of a story, and no times or
/// readings. JSON must be such points without a line or places saved in Google Maps. GPX waypoints and KML points need names and no times, without a track, route or line.
/// Anything else may be a track.
package enum PlaceFileProbe {
  /// How much of a file is read at once; the beginning of nearly every one decides.
  private static var chunkBytes: Int { 32 * 1024 }

  /// Whether a file certainly holds places and no track; false if it cannot be read.
  ///
  /// With `isTable`, only tables count.
  package static func holdsPlaces(path: String, isTable: Bool = false) -> Bool {
    do throws(ByteSourceError) {
      var source = try InflatedSource(path: path, chunkBytes: chunkBytes)
      var chunk: [UInt8] = []
      guard try source.read(into: &chunk) else { return false }
      let beginning = TextLayer.beginning(of: chunk.span)
      switch ImportFormat.sniff(beginning.span) {
      case .csv: return PlaceSigns.ofTable(beginning.span).isPlace
      case .json where !isTable: return try judge(JSONPlaceProbe(), &source, &chunk, asText: true)
      case .xml where !isTable: return try judge(XMLPlaceProbe(), &source, &chunk, asText: false)
      case .json, .xml, .zip: return false
      }
    } catch {
      // Reading it as a track will report the error.
      return false
    }
  }

  /// Feeds a document to a probe until it decides; its first chunk is already read.
  private static func judge<Probe: PlaceProbe & ~Copyable>(
    _ probe: consuming Probe, _ source: inout InflatedSource, _ chunk: inout [UInt8],
    asText isText: Bool
  ) throws(ByteSourceError) -> Bool {
    var text = TextLayer(head: chunk.span)
    // A damaged document may be a track, whose decoder reports the damage.
    repeat {
      if isText { text.decode(&chunk) }
      probe.push(chunk.span)
      let verdict = (try? probe.follow()) ?? .perhapsTrack
      if verdict != .open { return verdict == .places }
    } while try source.read(into: &chunk)
    probe.finish()
    let verdict = (try? probe.follow()) ?? .perhapsTrack
    return verdict == .places || verdict == .open && probe.hasPlaces
  }
}

/// Decides while reading a document whether it holds places and no track.
protocol PlaceProbe: ~Copyable {
  mutating func push(_ bytes: Span<UInt8>)
  mutating func finish()
  /// Judges what was pushed since the last call.
  mutating func follow() throws -> PlaceVerdict
  /// Whether a whole document without sign of a track has more places than other points.
  var hasPlaces: Bool { get }
}

enum PlaceVerdict { case open, places, perhapsTrack }

/// What the names of columns or members suggest: a place, or a fix of a track.
///
/// Only names that no track recorder writes count for a place. Any name that one might write counts
/// against it.
struct PlaceSigns: OptionSet {
  let rawValue: Int

  static let latitude = PlaceSigns(rawValue: 1)
  static let longitude = PlaceSigns(rawValue: 2)
  /// A title, by a name that only stories have.
  static let title = PlaceSigns(rawValue: 4)
  /// A name, which points of a route may also have.
  static let name = PlaceSigns(rawValue: 8)
  /// Another field of a story: a text, an address, a kind or a radius.
  static let story = PlaceSigns(rawValue: 16)
  /// A time, or a reading taken while moving.
  static let recording = PlaceSigns(rawValue: 32)
  /// The address of a place saved in Google Maps.
  static let googleMaps = PlaceSigns(rawValue: 64)

  static let position: PlaceSigns = [.latitude, .longitude]

  private static let measured: Set<String> = [
    "speed", "velocity", "vel", "course", "cog", "heading", "bearing", "accuracy", "acc", "hacc",
    "hdop", "satellites", "sats", "t", "ts",
  ]
  private static let timeWords = [
    "time", "date", "zeit", "datum", "stamp", "heure", "fecha", "hora", "epoch", "tst", "utc",
    "recorded", "creat", "when", "unix", "jour",
  ]
  /// Times of stories, never of fixes.
  private static let storyTimeWords = ["publ", "pubd", "expir", "updat", "modif"]

  var isPlace: Bool {
    guard isSuperset(of: .position) else { return false }
    if contains(.googleMaps) { return true }
    return !contains(.recording) && (contains(.title) || isSuperset(of: [.name, .story]))
  }

  private static func signs(ofPlain name: String) -> PlaceSigns {
    switch CSVPlaceColumns.meaning(ofPlain: name)?.field {
    case .latitude?: return .latitude
    case .longitude?: return .longitude
    case .title?: return name == "name" ? .name : .title
    case .blurb?, .url?, .category?, .radius?, .published?, .expires?: return .story
    case .id?, .priority?: return []
    case nil: break
    }
    if measured.contains(name) { return .recording }
    let isTime = timeWords.contains { name.contains($0) }
    return isTime && !storyTimeWords.contains(where: { name.contains($0) }) ? .recording : []
  }
}

extension PlaceSigns {
  init(ofName name: String) {
    let plain = CSVPlaceColumns.plain(name)
    self = Self.signs(ofPlain: plain)
    if plain == "googlemapsurl" { insert(.googleMaps) }
  }

  static func ofTable(_ beginning: Span<UInt8>) -> PlaceSigns {
    let dialect = CSVDialect.recognize(beginning, isWhole: true) {
      ofHeader($0).isSuperset(of: .position)
    }
    guard let dialect, dialect.namesColumns else { return [] }
    var reader = CSVReader(separator: dialect.separator)
    reader.push(beginning.extracting(dialect.headerOffset..<beginning.count))
    // A damaged header gives no sign of stories.
    return (try? reader.next()) == true ? ofHeader(reader) : []
  }

  private static func ofHeader(_ header: borrowing CSVReader) -> PlaceSigns {
    var signs: PlaceSigns = []
    for index in 0..<header.fieldCount {
      signs.formUnion(PlaceSigns(ofName: header.string(index)))
      if CSVPlaceColumns.isPosition(header.string(index)) { signs.formUnion(.position) }
    }
    return signs
  }
}

/// Decides while reading JSON whether its objects are places and none is a fix.
struct JSONPlaceProbe: PlaceProbe {
  private struct Frame {
    var signs: PlaceSigns = []
    /// Whether the object only describes its parent, such as a geometry or properties.
    var isPart = false
    var isType = false
  }

  private static let trackTypes: [StaticString] = [
    "LineString", "MultiLineString", "GeometryCollection", "MovingPoint", "MovingFeature",
    "MovingFeatureCollection", "MovingGeometryCollection",
  ]
  private static let trackMembers: Set<String> = [
    "semanticSegments", "rawSignals", "timelineObjects", "latitudeE7", "longitudeE7",
    "temporalGeometry", "timelinePath", "coordTimes", "coordinateProperties", "_type", "class",
  ]

  private var reader = JSONReader(isSequence: true)
  private var names = JSONFieldNames()
  private var frames: [Frame] = []
  private var containers: [Bool] = []
  private var isPartNext = false
  private var places = 0
  private var untitled = 0

  var hasPlaces: Bool { places > untitled }

  mutating func push(_ bytes: Span<UInt8>) { reader.push(bytes) }
  mutating func finish() { reader.finish() }

  mutating func follow() throws -> PlaceVerdict {
    while let event = try reader.next() {
      let verdict = take(event)
      if verdict != .open { return verdict }
    }
    return .open
  }

  private mutating func take(_ event: JSONReader.Event) -> PlaceVerdict {
    switch event {
    case .beginObject:
      containers.append(true)
      frames.append(Frame(isPart: isPartNext))
      isPartNext = false
    case .beginArray:
      containers.append(false)
      isPartNext = false
    case .endArray: _ = containers.popLast()
    case .endObject:
      _ = containers.popLast()
      return endObject()
    case .key: return takeKey(reader.string)
    case .string where frames.last?.isType == true && containers.last == true:
      if Self.trackTypes.contains(where: { reader.textEquals($0) }) { return .perhapsTrack }
      if reader.textEquals("Point") || reader.textEquals("MultiPoint") {
        frames[frames.count - 1].signs.formUnion(.position)
      }
      isPartNext = false
    case .string:
      if isPartNext, PositionText.coordinate(parsing: reader.string, isLongitudeFirst: false) != nil
      {
        frames[frames.count - 1].signs.formUnion(.position)
      }
      isPartNext = false
    case .number, .boolean, .null: isPartNext = false
    }
    return .open
  }

  private mutating func takeKey(_ name: String) -> PlaceVerdict {
    guard !frames.isEmpty else { return .open }
    if Self.trackMembers.contains(name) { return .perhapsTrack }
    let last = frames.count - 1
    frames[last].isType = name == "type"
    frames[last].signs.formUnion(PlaceSigns(ofName: name))
    isPartNext = name == "properties" || names.meaning(of: name) == .position
    return .open
  }

  private mutating func endObject() -> PlaceVerdict {
    guard let ended = frames.popLast() else { return .perhapsTrack }
    if ended.isPart, !frames.isEmpty {
      frames[frames.count - 1].signs.formUnion(ended.signs)
      return .open
    }
    guard ended.signs.isSuperset(of: .position) else { return .open }
    if ended.signs.isPlace {
      places += 1
      return .open
    }
    untitled += 1
    return places == 0 || ended.signs.contains(.recording) ? .perhapsTrack : .open
  }
}

/// Decides while reading GPX or KML whether it holds only named points without times.
struct XMLPlaceProbe: PlaceProbe, XMLHandler, ~Copyable {
  /// The document may be a track.
  struct Failure: Error {}

  private static let trackNames: Set<String> = [
    "trk", "trkseg", "trkpt", "rte", "rtept", "time", "LineString", "Track",
    "MultiTrack", "when", "TimeStamp", "TimeSpan", "NetworkLink",
  ]

  private var reader = XMLReader()
  private var depth = 0
  private var isNamed = false
  private var isPoint = false
  private var placeDepth: Int?
  private var places = 0
  private var unnamed = 0

  var hasPlaces: Bool { places > unnamed }

  mutating func push(_ bytes: Span<UInt8>) { reader.push(bytes) }
  mutating func finish() { reader.finish() }

  mutating func follow() throws(Failure) -> PlaceVerdict {
    // Moved out of `self`, since the reader changes `self`.
    var reader = XMLReader()
    swap(&reader, &self.reader)
    defer { swap(&reader, &self.reader) }
    return try reader.read(&self) == nil ? .open : .perhapsTrack
  }

  mutating func start(_ name: Span<UInt8>, _ tag: borrowing XMLStartTag) throws(Failure) {
    let name = String(utf8: name)
    depth += 1
    if depth == 1 {
      guard name == "gpx" || name == "kml" else { throw Failure() }
      return
    }
    // The time of the file, not of a point.
    if name == "time", placeDepth == nil { return }
    if Self.trackNames.contains(name) { throw Failure() }
    if name == "wpt" || name == "Placemark", placeDepth == nil {
      placeDepth = depth
      (isNamed, isPoint) = (false, name == "wpt")
    } else if let placeDepth {
      if name == "name", depth == placeDepth + 1 { isNamed = true }
      if name == "Point" { isPoint = true }
    }
  }

  mutating func text(_ text: Span<UInt8>, line: Int) {}

  mutating func end(line: Int) {
    if depth == placeDepth {
      placeDepth = nil
      if isPoint { if isNamed { places += 1 } else { unnamed += 1 } }
    }
    depth -= 1
  }
}
