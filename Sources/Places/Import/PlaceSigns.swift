import FencepostFormats

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

  init(rawValue: Int) { self.rawValue = rawValue }

  init(ofName name: String) {
    let plain = CSVPlaceColumns.plain(name)
    self = Self.signs(ofPlain: plain)
    if plain == "googlemapsurl" { insert(.googleMaps) }
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
