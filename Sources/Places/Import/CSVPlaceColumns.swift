import FencepostFormats

/// The columns of a table that hold the fields of a place.
///
/// Names are compared regardless of case, blanks and punctuation. The first of two columns with one meaning
/// counts, and a column whose name is clear goes before one that is only likely.
struct CSVPlaceColumns {
  /// A column that holds latitude and longitude together.
  struct Position {
    var index: Int
    var isLongitudeFirst: Bool
  }

  static let names: [String: PlaceDraft.Field] = [
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
  static let likelyNames: [String: PlaceDraft.Field] = [
    "y": .latitude, "x": .longitude, "storyid": .id, "placeid": .id, "headline": .title,
    "titel": .title, "überschrift": .title, "titre": .title, "título": .title, "titolo": .title,
    "teaser": .blurb, "summary": .blurb, "weblink": .url, "website": .url, "section": .category,
    "ressort": .category, "kategorie": .category, "catégorie": .category, "categoría": .category,
    "radiusm": .radius, "radiusmeters": .radius, "radiusmetres": .radius, "radiusinm": .radius,
    "publishedon": .published, "publishedat": .published, "publishedtime": .published,
    "publisheddate": .published, "publishdate": .published, "publishon": .published,
    "publicationdate": .published, "datepublished": .published, "pubdate": .published,
    "veröffentlicht": .published, "expireson": .expires, "expiresat": .expires,
    "expirydate": .expires, "expiry": .expires, "expirationdate": .expires,
    "expiration": .expires, "gültigbis": .expires,
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
  /// The column with the whole position; nil if latitude and longitude have columns of their own.
  private(set) var position: Position?

  /// Reads the current record as a header.
  init(header: borrowing CSVReader) {
    var titles: [String] = []
    for index in 0..<header.fieldCount { titles.append(header.string(index)) }
    self.titles = titles
    let names = titles.map(Self.plain)
    var seen: Set<PlaceDraft.Field> = []
    fields = names.map { name in
      Self.names[name].flatMap { seen.insert($0).inserted ? $0 : nil }
    }
    for (index, name) in names.enumerated() {
      guard let field = Self.likelyNames[name], seen.insert(field).inserted else { continue }
      fields[index] = field
    }
    guard !seen.isSuperset(of: [.latitude, .longitude]) else { return }
    position = Self.position(names)
  }

  /// Whether a column has latitude and longitude by its name.
  static func isPosition(_ title: String) -> Bool { position([plain(title)]) != nil }

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

  /// The names of columns that no field is read from.
  var unusedTitles: [String] {
    fields.indices.filter { fields[$0] == nil && $0 != position?.index }.map { titles[$0] }
      .filter { name in name.contains { !$0.isWhitespace } }
  }
}
