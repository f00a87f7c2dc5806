import FencepostFormats
import FencepostGeodesy

/// The hemisphere of a coordinate, in a cell of its own: a letter or a word.
///
/// Receivers and spreadsheets write latitude and longitude without a sign, and the side beside it.
enum CSVHemisphere: Equatable {
  case north, south, east, west
  /// `O`: Ost, or Oeste, Ouest and Ovest.
  case eastOrWest

  /// Letters and words in English, German, French, Spanish, Italian and Portuguese.
  private static let words: [String: CSVHemisphere] = [
    "n": .north, "north": .north, "nord": .north, "norden": .north, "norte": .north,
    "s": .south, "south": .south, "süd": .south, "sued": .south, "süden": .south, "sud": .south,
    "sur": .south, "sul": .south,
    "e": .east, "east": .east, "ost": .east, "osten": .east, "est": .east, "este": .east,
    "leste": .east,
    "w": .west, "west": .west, "westen": .west, "ouest": .west, "oeste": .west, "ovest": .west,
    "o": .eastOrWest,
  ]

  /// Reads a trimmed cell; nil if it is not a hemisphere.
  init?(_ cell: Span<UInt8>) {
    guard 1...8 ~= cell.count, let word = Self.words[String(utf8: cell).lowercased()] else {
      return nil
    }
    self = word
  }

  /// The sign of a coordinate on an axis; nil for a hemisphere of the other axis.
  func isNegative(on axis: CSVAxis, meaningOfO: CSVHemisphere?) -> Bool? {
    switch (axis, self == .eastOrWest ? meaningOfO : self) {
    case (.latitude, .north), (.longitude, .east): false
    case (.latitude, .south), (.longitude, .west): true
    default: nil
    }
  }

  /// Whether the hemisphere is one of this axis; `O` is one of longitude.
  func isOn(_ axis: CSVAxis) -> Bool { axis == .latitude ? isNorthSouth : !isNorthSouth }

  private var isNorthSouth: Bool { self == .north || self == .south }
}

/// Latitude or longitude, with the names that tables have for them and their hemispheres.
enum CSVAxis: Sendable {
  case latitude, longitude

  var name: String { self == .latitude ? "latitude" : "longitude" }
  /// The greatest magnitude in degrees.
  var limit: Double { self == .latitude ? 90 : 180 }

  /// Names of the coordinate, longest first, which a hemisphere's name may contain.
  private static let stems: [CSVAxis: [String]] = [
    .latitude: ["latitudine", "latitude", "latitud", "breitengrad", "breite", "lat"],
    .longitude: [
      "longitudine", "longitude", "longitud", "längengrad", "laengengrad", "länge", "laenge",
      "long", "lng", "lon",
    ],
  ]
  /// Words for both hemispheres of an axis, such as `ns`.
  private static let letterWords: [CSVAxis: Set<String>] = [
    .latitude: ["ns", "sn", "northsouth", "nordsüd", "nordsued", "nordsud", "nortesur"],
    .longitude: [
      "ew", "we", "eastwest", "eo", "ow", "oe", "wo", "ostwest", "estouest", "esteoeste",
    ],
  ]
  /// Words that mean a hemisphere beside the name of an axis.
  private static let signWords: Set<String> = [
    "ref", "reference", "dir", "direction", "hem", "hemi", "hemis", "hemisph", "hemisphere",
    "hemisphäre", "hemisferio", "indicator", "ind", "letter", "sign", "side", "half", "richtung",
    "cardinal", "quadrant", "flag",
  ]

  /// What names of hemisphere columns say besides the axis: letters, or letters and a word.
  private static let signs: [CSVAxis: Set<String>] = letterWords.mapValues { letters in
    letters.union(letters.flatMap { ns in signWords.flatMap { [ns + $0, $0 + ns] } })
  }

  /// Whether a normalized name is that of a column with the hemispheres of this axis.
  func namesHemisphere(_ name: String) -> Bool {
    guard name.utf8.count <= 40, let signs = Self.signs[self], let stems = Self.stems[self] else {
      return false
    }
    var rest = name[...]
    for start in ["gps", "gnss", "nmea"] where rest.hasPrefix(start) {
      rest = rest.dropFirst(start.count)
    }
    // Alone, a word such as `dir` names neither axis.
    if signs.contains(String(rest)) { return true }
    func isSign(_ word: Substring) -> Bool {
      signs.contains(String(word)) || Self.signWords.contains(String(word))
    }
    return stems.contains { stem in
      rest.hasPrefix(stem) && isSign(rest.dropFirst(stem.count))
        || rest.hasSuffix(stem) && isSign(rest.dropLast(stem.count))
    }
  }
}

/// Finds columns of hemispheres whose names say nothing, by their cells.
///
/// A column with N or S and one with E or W are the hemispheres of the coordinates. One of the two
/// alone may be something else, such as where the wind comes from; if its letters would turn
/// positions over, the table is refused.
struct CSVHemisphereSearch: Sendable {
  /// A column that may hold hemispheres, on its own.
  private var lone: (column: Int, axis: CSVAxis)?
  /// Whether the lone letters would change the sign of a coordinate.
  private var turnsOver = false
  /// Whether a row with a position was looked at, or none needs to be.
  private(set) var isDone = false

  /// Names of columns whose letters are directions.
  private static let directions = [
    "heading", "course", "bearing", "direction", "richtung", "wind", "kurs", "compass", "facing",
    "orientation", "azimuth", "track", "runway",
  ]

  /// Looks for nothing, where coordinates have no hemispheres.
  mutating func skip() { isDone = true }

  /// Looks at the first row with a position; returns the columns found.
  mutating func look(
    at reader: borrowing CSVReader, _ fields: CSVFixColumns.Fields, names: [String]
  ) -> (latitude: Int?, longitude: Int?) {
    isDone = true
    var found: [CSVAxis: Int] = [:]
    for column in 0..<min(reader.fieldCount, names.count) where !fields.uses(column) {
      let name = names[column]
      guard !Self.directions.contains(where: { name.contains($0) }),
        let word = reader.withTrimmedField(column, { CSVHemisphere($0) })
      else { continue }
      let axis = word.isOn(.latitude) ? CSVAxis.latitude : .longitude
      let place = axis == .latitude ? fields.latitude : fields.longitude
      // Of several, the nearest to the coordinate.
      if let other = found[axis], abs(other - place) <= abs(column - place) { continue }
      found[axis] = column
    }
    let latitude = fields.latitudeHemisphere ?? found[.latitude]
    let longitude = fields.longitudeHemisphere ?? found[.longitude]
    if latitude != nil, longitude != nil { return (latitude, longitude) }
    if let (axis, column) = found.first { lone = (column, axis) }
    return (fields.latitudeHemisphere, fields.longitudeHemisphere)
  }

  /// Compares a row's lone letter, if there is one, with its coordinate.
  // Inlined, because most tables have no such column, and a call would copy the reader.
  @inline(__always)
  mutating func check(_ reader: borrowing CSVReader, _ coordinate: Coordinate) {
    if let (column, axis) = lone { check(reader, column, axis, coordinate) }
  }

  /// Forgets the lone column if a cell is not a letter of its axis, since it is something else.
  private mutating func check(
    _ reader: borrowing CSVReader, _ column: Int, _ axis: CSVAxis, _ coordinate: Coordinate
  ) {
    guard column < reader.fieldCount else { return }
    guard !reader.withTrimmedField(column, { $0.isEmpty }) else { return }
    guard let word = reader.withTrimmedField(column, { CSVHemisphere($0) }), word.isOn(axis) else {
      return lone = nil
    }
    let degrees = axis == .latitude ? coordinate.latitudeDegrees : coordinate.longitudeDegrees
    if degrees > 0, word != .north, word != .east { turnsOver = true }
  }

  /// Why the table cannot be read, in the end; nil if it can.
  func fault(_ titles: [String]) -> String? {
    guard turnsOver, let (column, axis) = lone, column < titles.count else { return nil }
    let letters = axis == .latitude ? "N and S" : "E and W"
    return "the column “\(titles[column])” has only letters such as \(letters), which could turn "
      + "the positions over; rename it “\(axis.name) hemisphere” if they belong to the "
      + "\(axis.name), or “heading” if not"
  }
}
