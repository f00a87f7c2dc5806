import FencepostFormats

/// Makes places from an app's objects, such as `{"id": 7, "lat": 39.95, "lng": -75.15}`.
///
/// Uses ``JSONFieldNames`` for the member names and ``JSONPosition`` for the position. Numeric ids
/// become text. Ignored members are named in a warning.
struct JSONStories {
  private static let mostUnused = 24

  private let staging: PlaceStaging
  private var draft = PlaceDraft()
  private var names = JSONFieldNames()
  private var unused: [String] = []
  private var hasMoreUnused = false
  /// The priority member, if its greatest number may mean the most important.
  private var importance: String?
  private var hasBegun = false

  init(_ staging: PlaceStaging) { self.staging = staging }

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

  private mutating func collect(_ value: JSONValue, into found: inout [JSONValue]) {
    switch value {
    case .array(let elements):
      for element in elements where isStory(element) { return found += elements }
    case .object(let members):
      for member in members where !isField(member.key) { collect(member.value, into: &found) }
    default: break
    }
  }

  mutating func add(_ object: JSONValue, line: Int) throws(PlaceImportError) {
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
    setFields(members)
    hasBegun = true
    try staging.add(&draft)
  }

  func finish() {
    if let importance { staging.warn(.importance(file: staging.file, name: importance)) }
    guard !unused.isEmpty else { return }
    staging.warn(.unusedFields(file: staging.file, names: unused + (hasMoreUnused ? ["…"] : [])))
  }

  // MARK: Fields

  private mutating func setFields(_ members: [JSONValue.Member]) {
    for member in members {
      guard case .field(let field) = names.meaning(of: member.key) else { continue }
      set(field, member)
    }
    for member in members {
      guard case .likely(let field) = names.meaning(of: member.key) else { continue }
      set(field, member)
    }
    for member in members {
      switch names.meaning(of: member.key) {
      case .field, .likely: break
      case .number where Self.hasAddress(members): noteUnused(member.key)
      case .number: set(.id, member)
      case .position: noteUnused(within: member)
      case .unknown, .recordingTime: noteUnused(member.key)
      }
    }
  }

  private static func hasAddress(_ members: [JSONValue.Member]) -> Bool {
    members.contains { CSVPlaceColumns.isAddress(plain: CSVPlaceColumns.plain($0.key)) }
  }

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

  mutating func refuseTrack(_ object: JSONValue, line: Int) throws(PlaceImportError) {
    guard !hasBegun, let name = trackName(object) else { return }
    throw staging.track(name, line: line)
  }

  /// The kind of track that an object belongs to, or nil if it may be a place.
  private mutating func trackName(_ object: JSONValue) -> String? {
    if object.member("latitudeE7", "longitudeE7") != nil { return "Google Timeline records" }
    if ["location", "lwt"].contains(object.member("_type")?.string) { return "OwnTracks messages" }
    if ["VERSION", "TPV"].contains(object.member("class")?.string) { return "gpsd reports" }
    guard case .object(let members) = object else { return nil }
    guard isStory(object) else {
      let isStretch = object.member("timelinePath", "visit", "activity", "timelineMemory") != nil
      return isStretch && object.member("startTime") != nil ? "Google Timeline" : nil
    }
    var hasTime = false
    for member in members {
      switch names.meaning(of: member.key) {
      case .recordingTime: hasTime = true
      case .field(let field) where Self.isTelling(field): return nil
      case .likely(let field) where Self.isTelling(field): return nil
      default: break
      }
    }
    return hasTime ? "fixes with times but no titles" : nil
  }

  private static func isTelling(_ field: PlaceDraft.Field) -> Bool {
    ![.id, .latitude, .longitude, .published, .expires, .priority].contains(field)
  }
}
