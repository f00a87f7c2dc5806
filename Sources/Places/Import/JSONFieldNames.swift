import FencepostFormats
import FencepostGeodesy

/// Interprets the member names of an app's objects, which are those of table columns.
///
/// Case and punctuation do not matter.
struct JSONFieldNames {
  enum Meaning: Equatable {
    case field(PlaceDraft.Field)
    /// A field of a place, unless another member has a clearer name.
    case likely(PlaceDraft.Field)
    /// The id, unless another member has a clearer name or there is an address.
    case number
    /// Perhaps an object or text with the position.
    case position
    /// A time of recording, which suggests that the object is a fix.
    case recordingTime
    case unknown
  }

  /// Names of position columns, and others too vague for a table, where `location` is often a town.
  private static let positionNames = CSVPlaceColumns.positionNames
    .union(CSVPlaceColumns.reversedPositionNames)
    .union(["location", "geo", "geometry", "geolocation", "geopoint", "point"])
  private static let timeNames: Set<String> = [
    "time", "timestamp", "timestampms", "timems", "datetime", "tst", "fixtime", "gpstime",
    "devicetime", "servertime", "recordedat", "isotime", "utc", "utctime",
  ]
  /// Limits the names to remember, because a file may have any number.
  private static let mostNames = 1000

  private var known: [String: Meaning] = [:]

  mutating func meaning(of name: String) -> Meaning {
    if let meaning = known[name] { return meaning }
    let meaning = Self.meaning(ofPlain: CSVPlaceColumns.plain(name))
    if known.count < Self.mostNames { known[name] = meaning }
    return meaning
  }

  private static func meaning(ofPlain name: String) -> Meaning {
    if let meaning = CSVPlaceColumns.meaning(ofPlain: name) {
      switch meaning.clarity {
      case .clear: return .field(meaning.field)
      case .likely: return .likely(meaning.field)
      case .number: return .number
      }
    }
    if positionNames.contains(name) { return .position }
    return timeNames.contains(name) ? .recordingTime : .unknown
  }
}

/// The position in an app's object.
///
/// It may be `lat` and `lon` under any of their names, a nested object or GeoJSON point with them,
/// or a text.
enum JSONPosition: Equatable {
  /// The object has no position.
  case missing
  /// The position as text; a missing coordinate is nil.
  case found(latitude: String?, longitude: String?)
  /// An unreadable position; the reason is a sentence without a period.
  case unclear(String)

  /// How deep a position may be nested, as in `geometry.location.lat`.
  private static let mostDepth = 3

  init(in object: JSONValue, _ names: inout JSONFieldNames, depth: Int = 0) {
    self = .missing
    guard case .object(let members) = object else { return }
    let latitude = Self.text(of: .latitude, in: members, &names)
    let longitude = Self.text(of: .longitude, in: members, &names)
    if latitude != nil || longitude != nil {
      self = .found(latitude: latitude, longitude: longitude)
    }
    if latitude != nil && longitude != nil || depth == Self.mostDepth { return }
    for member in members where names.meaning(of: member.key) == .position {
      let nested = JSONPosition(of: member, &names, depth: depth + 1)
      if case .found = nested {
        self = nested
        return
      }
      if self == .missing { self = nested }
    }
  }

  private init(of member: JSONValue.Member, _ names: inout JSONFieldNames, depth: Int) {
    switch member.value {
    case .object:
      self = Self.point(member.value) ?? JSONPosition(in: member.value, &names, depth: depth)
    case .array(let elements) where elements.contains { $0.double != nil }:
      self = .unclear(
        "“\(member.key)” is an array, so it is unclear whether latitude or longitude comes first; "
          + "use an object with lat and lon, or a GeoJSON Point")
    case .string(let text):
      self = .missing
      guard let coordinate = Self.coordinate(member.key, text) else { break }
      self = .found(
        latitude: "\(coordinate.latitudeDegrees)", longitude: "\(coordinate.longitudeDegrees)")
    default: self = .missing
    }
  }

  /// Both coordinates in the text of a position member, or nil.
  static func coordinate(_ key: String, _ text: String) -> Coordinate? {
    let isReversed = CSVPlaceColumns.reversedPositionNames.contains(CSVPlaceColumns.plain(key))
    return PositionText.coordinate(parsing: text, isLongitudeFirst: isReversed)
  }

  /// The position of a GeoJSON geometry, or nil if the value is something else.
  private static func point(_ value: JSONValue) -> JSONPosition? {
    guard let type = value.member("type")?.string, let coordinates = value.member("coordinates")
    else { return nil }
    if type == "Point", case .array(let numbers) = coordinates, numbers.count >= 2 {
      return .found(latitude: numbers[1].plainText, longitude: numbers[0].plainText)
    }
    guard GeoJSONShape.types.contains(type) || ["Point", "MultiPoint"].contains(type) else {
      return nil
    }
    return .unclear(
      type == "Point"
        ? "the Point must have two numbers" : "the geometry is a \(type), not a Point")
  }

  private static func text(
    of field: PlaceDraft.Field, in members: [JSONValue.Member], _ names: inout JSONFieldNames
  ) -> String? {
    for meaning in [JSONFieldNames.Meaning.field(field), .likely(field)] {
      for member in members where names.meaning(of: member.key) == meaning {
        if let text = member.value.scalarText { return text }
      }
    }
    return nil
  }
}

extension JSONValue {
  /// A number, or a string that is not empty, as text.
  var scalarText: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .number(_, let text): text
    case .array, .object, .boolean, .null: nil
    }
  }
}
