import FencepostFormats

/// The columns of a table that hold the fields of a place.
///
/// Names are compared regardless of case, blanks and punctuation. Of two columns with one meaning the clearer name
/// counts, and of two that are equally clear the first.
struct CSVPlaceColumns {
  /// A column that holds latitude and longitude together.
  struct Position {
    var index: Int
    var isLongitudeFirst: Bool
  }

  /// What a column holds, by its name.
  struct Meaning {
    /// How clearly a name says what it means.
    enum Clarity: CaseIterable {
      case clear, likely
      /// A number that may be the id of the row, or that of a house.
      case number
    }

    var field: PlaceDraft.Field
    var clarity: Clarity
    /// For a radius, the unit of its bare numbers in meters.
    var unitMeters = 1.0
  }

  private static let names: [String: PlaceDraft.Field] = [
    "id": .id, "title": .title, "name": .title, "blurb": .blurb, "description": .blurb,
    "url": .url, "link": .url, "category": .category, "priority": .priority,
    "published": .published, "expires": .expires, "lat": .latitude, "latitude": .latitude,
    "lon": .longitude, "lng": .longitude, "long": .longitude, "longitude": .longitude,
    "radius": .radius, "latitudedeg": .latitude, "latdeg": .latitude, "breite": .latitude,
    "breitengrad": .latitude, "longitudedeg": .longitude, "londeg": .longitude,
    "länge": .longitude, "laenge": .longitude, "längengrad": .longitude,
    "laengengrad": .longitude,
  ]
  /// Names that count only if no column has a clearer one.
  private static let likelyNames: [String: PlaceDraft.Field] = [
    "y": .latitude, "x": .longitude, "storyid": .id, "placeid": .id, "identifier": .id,
    "identifiant": .id, "identificador": .id, "kennung": .id, "uuid": .id, "slug": .id,
    "storynumber": .id, "storyno": .id, "storynr": .id, "headline": .title,
    "titel": .title, "überschrift": .title, "titre": .title, "título": .title, "titolo": .title,
    "teaser": .blurb, "summary": .blurb, "weblink": .url, "website": .url, "section": .category,
    "ressort": .category, "kategorie": .category, "catégorie": .category, "categoría": .category,
    "prio": .priority, "priorität": .priority, "prioritaet": .priority, "priorité": .priority,
    "prioridad": .priority, "priorità": .priority, "rank": .priority, "rang": .priority,
    "wichtigkeit": .priority, "importance": .priority, "importancia": .priority,
    "importanza": .priority,
    "publishedon": .published, "publishedat": .published, "publishedtime": .published,
    "publisheddate": .published, "publishdate": .published, "publishon": .published,
    "publicationdate": .published, "datepublished": .published, "pubdate": .published,
    "veröffentlicht": .published, "expireson": .expires, "expiresat": .expires,
    "expirydate": .expires, "expiry": .expires, "expirationdate": .expires,
    "expiration": .expires, "gültigbis": .expires,
  ]
  /// Names of numbers, which are ids unless the table has addresses.
  private static let numberNames: Set<String> = [
    "nr", "no", "num", "number", "nummer", "lfdnr", "numéro", "numero", "número",
  ]
  private static let addressNames: Set<String> = [
    "address", "addr", "adresse", "street", "streetname", "straße", "strasse", "rue", "calle",
    "via", "dirección", "indirizzo",
  ]
  /// Words for a radius; a unit may follow.
  private static let radiusNames = ["radius", "umkreis", "rayon", "raggio"]
  /// Names of priorities whose greatest number many people take for the most important.
  private static let importanceNames: Set<String> = [
    "wichtigkeit", "importance", "importancia", "importanza",
  ]
  /// Names of columns with latitude and longitude, in the order in which maps show and copy them.
  static let positionNames: Set<String> = [
    "latlon", "latlng", "latlong", "latitudelongitude", "latitudeandlongitude", "coordinates",
    "coordinate", "coords", "position", "gps", "gpscoordinates", "gpsposition", "geopoint2d",
    "koordinaten", "coordonnées", "coordenadas",
  ]
  static let reversedPositionNames: Set<String> = [
    "lonlat", "lnglat", "longlat", "longitudelatitude",
  ]

  /// The names as the header has them.
  let titles: [String]
  /// The field that each column fills; nil if none.
  private(set) var fields: [PlaceDraft.Field?]
  /// The unit of radii that are bare numbers, in meters.
  private(set) var radiusUnitMeters = 1.0
  /// The column with the whole position; nil if latitude and longitude have columns of their own.
  private(set) var position: Position?

  /// Reads the current record as a header.
  init(header: borrowing CSVReader) {
    var titles: [String] = []
    for index in 0..<header.fieldCount { titles.append(header.string(index)) }
    self.titles = titles
    let names = titles.map(Self.plain)
    let hasAddresses = names.contains(where: Self.isAddress(plain:))
    let meanings = names.map(Self.meaning(ofPlain:))
    var seen: Set<PlaceDraft.Field> = []
    fields = names.map { _ in nil }
    for clarity in Meaning.Clarity.allCases where clarity != .number || !hasAddresses {
      for (index, meaning) in meanings.enumerated() {
        guard let meaning, meaning.clarity == clarity, seen.insert(meaning.field).inserted
        else { continue }
        fields[index] = meaning.field
        if meaning.field == .radius { radiusUnitMeters = meaning.unitMeters }
      }
    }
    // The sign of feet is no part of a plain name.
    if title(of: .radius).contains(where: { "'′".contains($0) }) { radiusUnitMeters = 0.3048 }
    guard !seen.isSuperset(of: [.latitude, .longitude]) else { return }
    position = Self.position(names)
  }

  /// Whether a column has latitude and longitude by its name.
  static func isPosition(_ title: String) -> Bool { position([plain(title)]) != nil }

  /// What a plain name means; nil if it is none of a place.
  static func meaning(ofPlain name: String) -> Meaning? {
    if let field = names[name] { return Meaning(field: field, clarity: .clear) }
    if let field = likelyNames[name] { return Meaning(field: field, clarity: .likely) }
    if numberNames.contains(name) { return Meaning(field: .id, clarity: .number) }
    guard let word = radiusNames.first(where: name.hasPrefix) else { return nil }
    let unit = name.dropFirst(word.count)
    let meters =
      unit.isEmpty
      ? 1
      : LengthUnit.meters(unit)
        ?? (unit.hasPrefix("in") ? LengthUnit.meters(unit.dropFirst(2)) : nil)
    return meters.map { Meaning(field: .radius, clarity: .likely, unitMeters: $0) }
  }

  /// Whether a plain name is that of a street or an address, beside which a number is that of a house.
  static func isAddress(plain name: String) -> Bool { addressNames.contains(name) }

  /// Whether a name is one of a priority whose greatest number may be meant as the most important.
  static func isImportance(_ title: String) -> Bool { importanceNames.contains(plain(title)) }

  /// A name without its blanks and signs, in lower case.
  static func plain(_ title: String) -> String {
    title.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  private static func position(_ names: [String]) -> Position? {
    if let index = names.firstIndex(where: positionNames.contains) {
      return Position(index: index, isLongitudeFirst: false)
    }
    return names.firstIndex(where: reversedPositionNames.contains).map {
      Position(index: $0, isLongitudeFirst: true)
    }
  }

  /// Whether the columns tell where a place is.
  var tellPosition: Bool {
    position != nil || (fields.contains(.latitude) && fields.contains(.longitude))
  }

  /// How many fields a row must have to contain its position.
  var neededCount: Int {
    let indices = fields.indices.filter { isPosition($0) }
    return (indices.last ?? 0) + 1
  }

  /// Whether a column contains a position, or half of it.
  func isPosition(_ column: Int) -> Bool {
    if let position { return column == position.index }
    return fields[column] == .latitude || fields[column] == .longitude
  }

  /// The name that the header gives a field.
  func title(of field: PlaceDraft.Field) -> String {
    fields.firstIndex(of: field).map { titles[$0] } ?? ""
  }

  /// Whether a column seems to hold radii, in a unit that is not known, and no other does.
  var isRadiusUnread: Bool {
    !fields.contains(.radius)
      && titles.contains { title in
        Self.plain(title).contains("radius") || Self.plain(title).hasPrefix("umkreis")
      }
  }

  /// The names of columns that no field is read from.
  var unusedTitles: [String] {
    fields.indices.filter { fields[$0] == nil && $0 != position?.index }.map { titles[$0] }
      .filter { name in name.contains { !$0.isWhitespace } }
  }
}
