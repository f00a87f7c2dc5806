import FencepostFormats
import FencepostGeodesy

/// Makes places from an app's objects, such as `{"id": 7, "lat": 39.95, "lng": -75.15}`.
///
/// Uses ``JSONFieldNames`` for the member names and ``JSONPosition`` for the position. Numeric ids
/// become text. Ignored members are named in a warning.
struct JSONStories {
  /// How many ignored members a warning names.
  private static let mostUnused = 24

  private let staging: PlaceStaging
  private var draft = PlaceDraft()
  private var names = JSONFieldNames()
  private var unused: [String] = []
  private var hasMoreUnused = false
  /// The priority member, if its greatest number may mean the most important.
  private var importance: String?
  /// Whether an object was added; from then on, none is taken for part of a track.
  private var hasBegun = false

  /// Makes places for a staging; objects of one file share a draft.
  init(_ staging: PlaceStaging) { self.staging = staging }

  /// Whether a value is an object with a position, readable or not.
  mutating func isStory(_ value: JSONValue) -> Bool { JSONPosition(in: value, &names) != .missing }

  /// Whether a member describes the object that contains it, rather than listing others.
  mutating func isField(_ name: String) -> Bool {
    ![.unknown, .recordingTime].contains(names.meaning(of: name))
  }

  /// The objects to import from a parsed document.
  ///
  /// Those in arrays with positions, or else the document itself if it has one.
  mutating func objects(in document: JSONValue) -> [JSONValue] {
    var found: [JSONValue] = []
    collect(document, into: &found)
    return found.isEmpty && isStory(document) ? [document] : found
  }

  /// Adds the elements of the arrays in which an element has a position.
  private mutating func collect(_ value: JSONValue, into found: inout [JSONValue]) {
    switch value {
    case .array(let elements):
      for element in elements where isStory(element) { return found += elements }
    case .object(let members):
      for member in members where !isField(member.key) { collect(member.value, into: &found) }
    default: break
    }
  }

  /// Adds the place of an object, or refuses it; `line` is where it begins.
  mutating func add(_ object: JSONValue, line: Int) throws(PlaceListError) {
    guard case .object(let members) = object else {
      return try staging.refuse(
        .malformed, "expected an object with lat and lon, found \(object.kind)", line: line)
    }
    try refuseTrack(object, line: line)
    draft.clear()
    draft.line = line
    switch JSONPosition(in: object, &names) {
    case .missing:
      return try staging.refuse(.missingPosition, "the object has no lat and lon", line: line)
    case .unclear(let sentence): return try staging.refuse(.badGeometry, sentence, line: line)
    case .found(let latitude, let longitude):
      if let latitude { draft.set(.latitude, latitude) }
      if let longitude { draft.set(.longitude, longitude) }
    }
    setFields(Self.waypoint(members) ?? members)
    hasBegun = true
    try staging.add(&draft)
  }

  /// Warns of members that were ignored or easily misread; call it at the end of the file.
  func finish() {
    if let importance { staging.warn(.importance(file: staging.file, name: importance)) }
    guard !unused.isEmpty else { return }
    staging.warn(.unusedFields(file: staging.file, names: unused + (hasMoreUnused ? ["…"] : [])))
  }

  /// The members of a waypoint of OwnTracks under the names of a story; nil for other objects.
  private static func waypoint(_ members: [JSONValue.Member]) -> [JSONValue.Member]? {
    let object = JSONValue.object(members)
    guard object.member("_type")?.string == "waypoint" else { return nil }
    let id = object.member("rid") == nil ? "tst" : "rid"
    let names = ["desc": "title", "rad": "radius", id: "id"]
    return members.filter { !["_type", "tst", "rid"].contains($0.key) || $0.key == id }.map {
      JSONValue.Member(key: names[$0.key] ?? $0.key, value: $0.value)
    }
  }

  // MARK: Fields

  /// Sets each field to its clearest member, and notes the members that are ignored.
  private mutating func setFields(_ members: [JSONValue.Member]) {
    for clarity in [CSVPlaceColumns.Meaning.Clarity.clear, .likely] {
      for member in members {
        guard case .field(let field, clarity) = names.meaning(of: member.key) else { continue }
        set(field, member)
      }
    }
    lazy var hasAddress = members.contains {
      CSVPlaceColumns.isAddress(plain: CSVPlaceColumns.plain($0.key))
    }
    for member in members {
      switch names.meaning(of: member.key) {
      case .field(let field, .number) where !hasAddress: set(field, member)
      case .unknown where CSVPlaceColumns.isRadiusUnit(plain: CSVPlaceColumns.plain(member.key)):
        if let unit = member.value.string, !draft.isEmpty(.radius) {
          draft.setRadiusUnit(unit)
        } else {
          noteUnused(member.key)
        }
      case .field(_, .number), .unknown, .recordingTime: noteUnused(member.key)
      case .field: break
      case .position: noteUnused(within: member)
      }
    }
  }

  /// Sets a field unless it has a value; coordinates are set elsewhere.
  private mutating func set(_ field: PlaceDraft.Field, _ member: JSONValue.Member) {
    if member.value == .null || member.value == .string("") { return }
    guard field != .latitude, field != .longitude else { return }
    guard draft.isEmpty(field), let text = Self.text(member.value) else {
      return noteUnused(member.key)
    }
    draft.set(field, text)
    if field == .radius {
      let plain = CSVPlaceColumns.plain(member.key)
      draft.radiusUnitMeters = CSVPlaceColumns.meaning(ofPlain: plain)?.unitMeters ?? 1
    }
    if field == .priority, CSVPlaceColumns.isImportance(member.key) { importance = member.key }
  }

  /// A scalar, or the first of an array; “published” may also be true, which is not a time.
  private static func text(_ value: JSONValue) -> String? {
    if case .array(let elements) = value { return elements.first?.scalarText }
    return value.scalarText
  }

  // MARK: What is not imported

  private mutating func noteUnused(_ name: String) {
    guard !unused.contains(name) else { return }
    if unused.count < Self.mostUnused { unused.append(name) } else { hasMoreUnused = true }
  }

  /// Remembers what is ignored beside a position in a member.
  private mutating func noteUnused(within member: JSONValue.Member) {
    switch member.value {
    case .object(let inner) where member.value.member("coordinates") == nil:
      for one in inner where names.meaning(of: one.key) == .unknown {
        noteUnused("\(member.key).\(one.key)")
      }
    case .object, .null: break
    case .string(let text) where JSONPosition.coordinate(member.key, text) != nil: break
    default: noteUnused(member.key)
    }
  }

  // MARK: Tracks

  /// Throws if the first object is part of a recorded track instead of a place.
  mutating func refuseTrack(_ object: JSONValue, line: Int) throws(PlaceListError) {
    guard !hasBegun, let name = trackName(object) else { return }
    throw staging.track(name, line: line)
  }

  /// The kind of track that an object belongs to, or nil if it may be a place.
  private mutating func trackName(_ object: JSONValue) -> String? {
    if object.member("latitudeE7", "longitudeE7") != nil { return "Google Timeline records" }
    if ["location", "lwt"].contains(object.member("_type")?.string) { return "OwnTracks messages" }
    if ["VERSION", "TPV"].contains(object.member("class")?.string) { return "gpsd reports" }
    guard case .object(let members) = object, object.member("_type")?.string != "waypoint" else {
      return nil
    }
    guard isStory(object) else {
      let isStretch = object.member("timelinePath", "visit", "activity", "timelineMemory") != nil
      return isStretch && object.member("startTime") != nil ? "Google Timeline" : nil
    }
    var hasTime = false
    for member in members {
      switch names.meaning(of: member.key) {
      case .recordingTime: hasTime = true
      case .field(let field, _) where Self.isTelling(field): return nil
      default: break
      }
    }
    return hasTime ? "fixes with times but no titles" : nil
  }

  /// Whether a recorded fix would not have such a field, as it would an id or a time.
  private static func isTelling(_ field: PlaceDraft.Field) -> Bool {
    ![.id, .latitude, .longitude, .published, .expires, .priority].contains(field)
  }
}

/// Interprets the member names of an app's objects, which are those of table columns.
///
/// Case and punctuation do not matter.
package struct JSONFieldNames {
  /// What a member of an object may be.
  ///
  /// Objects of an app are recognized as places by such members, and those of a recorder as fixes.
  package enum Meaning: Equatable {
    /// A field of a place, unless another member has a clearer name.
    case field(PlaceDraft.Field, CSVPlaceColumns.Meaning.Clarity)
    /// Perhaps an object or text with the position.
    case position
    /// A time of recording, which suggests that the object is a fix.
    case recordingTime
    /// The member is ignored, and named in a warning.
    case unknown
  }

  /// Names of position columns, and others too vague for a table, where `location` is often a town.
  private static let positionNames = CSVPlaceColumns.positionNames
    .union(CSVPlaceColumns.reversedPositionNames)
    .union(["location", "geo", "geometry", "geolocation", "geopoint", "point"])
  /// Names of times at which something was recorded.
  private static let timeNames: Set<String> = [
    "time", "timestamp", "timestampms", "timems", "datetime", "tst", "fixtime", "gpstime",
    "devicetime", "servertime", "recordedat", "isotime", "utc", "utctime",
  ]
  /// Limits the names to remember, because a file may have any number.
  private static let mostNames = 1000

  /// The meanings of names that were asked for, because most objects have the same.
  private var known: [String: Meaning] = [:]

  /// Creates an interpreter for the objects of one file.
  package init() {}

  /// The meaning of a member's name, as it is written in the file.
  package mutating func meaning(of name: String) -> Meaning {
    if let meaning = known[name] { return meaning }
    let meaning = Self.meaning(ofPlain: CSVPlaceColumns.plain(name))
    if known.count < Self.mostNames { known[name] = meaning }
    return meaning
  }

  private static func meaning(ofPlain name: String) -> Meaning {
    if let meaning = CSVPlaceColumns.meaning(ofPlain: name) {
      return .field(meaning.field, meaning.clarity)
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
  /// There is no position.
  case missing
  /// The position as text; a missing coordinate is nil.
  case found(latitude: String?, longitude: String?)
  /// An unreadable position; the reason is a sentence without a period.
  case unclear(String)

  /// How deep a position may be nested, as in `geometry.location.lat`.
  private static let mostDepth = 3

  /// Finds the position in an object; `depth` counts the objects around it.
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

  /// Finds the position in a member that may have one.
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

  /// The text of a coordinate, from a clear name if there is one.
  private static func text(
    of field: PlaceDraft.Field, in members: [JSONValue.Member], _ names: inout JSONFieldNames
  ) -> String? {
    for meaning in [JSONFieldNames.Meaning.field(field, .clear), .field(field, .likely)] {
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
