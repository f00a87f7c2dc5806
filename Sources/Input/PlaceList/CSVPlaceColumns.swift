import FencepostFormats

/// Maps the columns of a table to the fields of a place.
///
/// Names match regardless of case, spaces and punctuation. If two columns have the same meaning,
/// the clearer name wins, then the first.
package struct CSVPlaceColumns {
  /// A column that holds both latitude and longitude.
  ///
  /// Maps and spreadsheets often have one, such as `coordinates`.
  struct Position {
    var index: Int
    var isLongitudeFirst: Bool
  }

  /// What the name of a column or member means for a place.
  ///
  /// Tables and JSON objects share it, because people use the same names in both.
  package struct Meaning {
    /// How certain a name is, the most certain first.
    ///
    /// If two columns of a table mean the same field, the clearer name wins.
    package enum Clarity: CaseIterable {
      /// `clear` is a name of the field itself; `likely` is one of many synonyms, often in another
      /// language.
      case clear, likely
      /// A number that may be an id or a house number.
      case number
    }

    /// The field of a place that the column fills.
    package var field: PlaceDraft.Field
    /// How certain the meaning is, for which the clearest column of a field wins.
    var clarity: Clarity
    /// For a radius: the unit of a number without one, in meters.
    var unitMeters = 1.0
  }

  /// Clear names in plain form: lower case, without spaces and punctuation.
  private static let names: [String: PlaceDraft.Field] = [
    "id": .id, "title": .title, "name": .title, "blurb": .blurb, "description": .blurb, "url": .url,
    "link": .url, "category": .category, "priority": .priority, "published": .published,
    "expires": .expires, "lat": .latitude, "latitude": .latitude, "lon": .longitude,
    "lng": .longitude, "long": .longitude, "longitude": .longitude, "radius": .radius,
    "latitudedeg": .latitude, "latdeg": .latitude, "breite": .latitude, "breitengrad": .latitude,
    "longitudedeg": .longitude, "londeg": .longitude, "länge": .longitude, "laenge": .longitude,
    "längengrad": .longitude, "laengengrad": .longitude,
  ]
  /// Names used only if no column has a clearer one.
  private static let likelyNames: [String: PlaceDraft.Field] = [
    "y": .latitude, "x": .longitude, "storyid": .id, "placeid": .id, "identifier": .id,
    "identifiant": .id, "identificador": .id, "kennung": .id, "uuid": .id, "slug": .id,
    "storynumber": .id, "storyno": .id, "storynr": .id, "headline": .title, "titel": .title,
    "überschrift": .title, "titre": .title, "título": .title, "titolo": .title, "teaser": .blurb,
    "summary": .blurb, "weblink": .url, "website": .url, "section": .category, "ressort": .category,
    "kategorie": .category, "catégorie": .category, "categoría": .category, "prio": .priority,
    "priorität": .priority, "prioritaet": .priority, "priorité": .priority, "prioridad": .priority,
    "priorità": .priority, "rank": .priority, "rang": .priority, "wichtigkeit": .priority,
    "importance": .priority, "importancia": .priority, "importanza": .priority,
    "publishedon": .published, "publishedat": .published, "publishedtime": .published,
    "publisheddate": .published, "publishdate": .published, "publishon": .published,
    "publicationdate": .published, "datepublished": .published, "pubdate": .published,
    "veröffentlicht": .published, "expireson": .expires, "expiresat": .expires,
    "expirydate": .expires, "expiry": .expires, "expirationdate": .expires,
    "expiration": .expires, "gültigbis": .expires,
  ]
  /// Names of numbers, read as ids unless the table has addresses.
  private static let numberNames: Set<String> = [
    "nr", "no", "num", "number", "nummer", "lfdnr", "numéro", "numero", "número",
  ]
  /// Names of columns with streets, beside which a number is that of a house.
  private static let addressNames: Set<String> = [
    "address", "addr", "adresse", "street", "streetname", "straße", "strasse", "rue", "calle",
    "via", "dirección", "indirizzo",
  ]
  /// Words for a radius, perhaps followed by a unit.
  private static let radiusNames = ["radius", "umkreis", "rayon", "raggio"]
  /// Names of columns with the unit of the radius.
  private static let radiusUnitNames: Set<String> = [
    "radiusunit", "radiusunits", "radiusuom", "unit", "units", "uom", "einheit", "unité",
    "unidad",
  ]
  /// Names of priorities for which many people make the greatest number the most important.
  private static let importanceNames: Set<String> = [
    "wichtigkeit", "importance", "importancia", "importanza",
  ]
  /// Names of columns with latitude and longitude, in the order that maps show and copy them.
  static let positionNames: Set<String> = [
    "latlon", "latlng", "latlong", "latitudelongitude", "latitudeandlongitude", "coordinates",
    "coordinate", "coords", "position", "gps", "gpscoordinates", "gpsposition", "geopoint2d",
    "koordinaten", "coordonnées", "coordenadas",
  ]
  /// The same in the order of GeoJSON, longitude first.
  static let reversedPositionNames: Set<String> = [
    "lonlat", "lnglat", "longlat", "longitudelatitude",
  ]

  /// The titles as the header has them.
  let titles: [String]
  /// The field that each column fills, or nil.
  private(set) var fields: [PlaceDraft.Field?]
  /// The unit of radii written without one, in meters.
  private(set) var radiusUnitMeters = 1.0
  /// The column with the unit of the radius, or nil.
  private(set) var radiusUnit: Int?
  /// The column with the whole position, or nil if latitude and longitude have their own columns.
  private(set) var position: Position?
  /// How many fields a row needs to reach its position.
  private(set) var neededCount = 1

  /// Reads the header, which is the reader's current record.
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
    // The plain name drops the sign for feet.
    if title(of: .radius).contains(where: { "'′".contains($0) }) { radiusUnitMeters = 0.3048 }
    if seen.contains(.radius) { radiusUnit = names.firstIndex(where: Self.isRadiusUnit(plain:)) }
    if !seen.isSuperset(of: [.latitude, .longitude]) { position = Self.position(names) }
    neededCount = (fields.indices.last(where: isPosition) ?? 0) + 1
  }

  /// Whether a title names a column with both latitude and longitude.
  package static func isPosition(_ title: String) -> Bool { position([plain(title)]) != nil }

  /// The meaning of a plain name, or nil if it is not a field of a place.
  package static func meaning(ofPlain name: String) -> Meaning? {
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

  /// Whether a plain name means an address, so that a number beside it is a house number.
  static func isAddress(plain name: String) -> Bool { addressNames.contains(name) }

  /// Whether a plain name means the unit of the radius beside it.
  package static func isRadiusUnit(plain name: String) -> Bool { radiusUnitNames.contains(name) }

  /// Whether a title is one that often means that the greatest number matters most.
  static func isImportance(_ title: String) -> Bool { importanceNames.contains(plain(title)) }

  /// The name in lower case, with letters and digits only.
  package static func plain(_ title: String) -> String {
    let isPlain = title.utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
    }
    return isPlain ? title : title.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The first column with whole positions among plain names; the order of maps comes first.
  private static func position(_ names: [String]) -> Position? {
    if let index = names.firstIndex(where: positionNames.contains) {
      return Position(index: index, isLongitudeFirst: false)
    }
    return names.firstIndex(where: reversedPositionNames.contains).map {
      Position(index: $0, isLongitudeFirst: true)
    }
  }

  /// Whether rows can have a position; a table without one is not a list of places.
  var tellPosition: Bool {
    position != nil || (fields.contains(.latitude) && fields.contains(.longitude))
  }

  /// Whether a column holds all or part of the position.
  func isPosition(_ column: Int) -> Bool {
    if let position { return column == position.index }
    return fields[column] == .latitude || fields[column] == .longitude
  }

  /// The title of the column that fills a field; empty without one.
  func title(of field: PlaceDraft.Field) -> String {
    fields.firstIndex(of: field).map { titles[$0] } ?? ""
  }

  /// Whether the only column that seems to hold radii has an unknown unit.
  var isRadiusUnread: Bool {
    !fields.contains(.radius)
      && titles.contains { title in
        Self.plain(title).contains("radius") || Self.plain(title).hasPrefix("umkreis")
      }
  }

  /// The titles of columns that are ignored, for a warning; blank ones are left out.
  var unusedTitles: [String] {
    fields.indices.filter { fields[$0] == nil && $0 != position?.index && $0 != radiusUnit }
      .map { titles[$0] }
      .filter { name in name.contains { !$0.isWhitespace } }
  }
}
