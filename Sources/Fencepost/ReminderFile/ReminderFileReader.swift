package import FencepostNotifications
package import FencepostFormats
import FencepostGeodesy

extension ReminderDocument {
  /// Reads a file of reminders in UTF-8, as described by `Data/schemas/reminders.schema.json`.
  package init(parsing bytes: Span<UInt8>) throws(ReminderFileError) {
    self = try ReminderFileReader.read(bytes, ReminderFileReader.document)
  }
}

extension ZoneChange {
  /// Reads a file of zone changes, as described by `Data/schemas/zone-changes.schema.json`.
  package static func list(parsing bytes: Span<UInt8>) throws(ReminderFileError) -> [ZoneChange] {
    try ReminderFileReader.read(bytes, ReminderFileReader.zoneChanges)
  }
}

/// An error in a file of reminders, with its position.
package enum ReminderFileError: Error, Equatable, Sendable, CustomStringConvertible {
  case syntax(JSONError)
  case document(JSONPathError)
  /// A row of a table, with what is wrong.
  case table(line: Int, String)

  /// The error as one sentence with the line or a path such as `reminders[3].times[0]`.
  package var description: String {
    switch self {
    case .syntax(let error): error.description
    case .document(let error): error.description
    case .table(let line, let sentence): "line \(line): \(sentence)"
    }
  }
}

enum ReminderFileReader {
  static func read<Value>(
    _ bytes: Span<UInt8>, _ read: (JSONNode) throws(JSONPathError) -> Value
  ) throws(ReminderFileError) -> Value {
    let root: JSONNode
    do throws(JSONError) {
      root = JSONNode(try JSONValue(parsing: bytes))
    } catch {
      throw .syntax(error)
    }
    do throws(JSONPathError) {
      return try read(root)
    } catch {
      throw .document(error)
    }
  }

  static func document(_ root: JSONNode) throws(JSONPathError) -> ReminderDocument {
    try only(["$schema", "zone", "location", "kinds", "quotas", "reminders"], in: root)
    var document = ReminderDocument(reminders: [])
    let kinds = try root.optionalMember("kinds")
    if let kinds { document.kinds = try readKinds(kinds) }
    if let node = try root.optionalMember("quotas") {
      document.quotas = try readQuotas(node, document.kinds)
    }
    document.reminders = try readReminders(try root.member("reminders").elements())
    if let node = try root.optionalMember("zone") { document.zone = try zone(node) }
    document.location = try root.optionalMember("location").map(location)
    if let kinds { document.tapRates = try readTapRates(kinds, document.kinds) }
    return document
  }

  private static func readReminders(
    _ nodes: [JSONNode]
  ) throws(JSONPathError) -> [Reminder] {
    var reminders: [Reminder] = []
    reminders.reserveCapacity(nodes.count)
    var ids = Set<String>(minimumCapacity: nodes.count)
    for node in nodes {
      let reminder = try reminder(node)
      guard ids.insert(reminder.id).inserted else {
        throw try node.member("id").error("an earlier reminder has the same id")
      }
      reminders.append(reminder)
    }
    for (node, reminder) in zip(nodes, reminders) {
      guard let owner = owner(ofOccurrence: reminder.id, among: ids) else { continue }
      throw try node.member("id").error(
        "an occurrence of the reminder \"\(owner)\" has the same id")
    }
    return reminders
  }

  static func zoneChanges(_ root: JSONNode) throws(JSONPathError) -> [ZoneChange] {
    try only(["$schema", "changes"], in: root)
    var changes: [ZoneChange] = []
    for node in try root.member("changes").elements() {
      try only(["at", "zone"], in: node)
      changes.append(
        ZoneChange(
          timeMilliseconds: try node.member("at").instantMilliseconds(),
          zone: try zone(try node.member("zone"))))
    }
    return changes
  }

  /// Rejects unknown members, which are probably misspelled, and null members.
  static func only(_ names: [String], in node: JSONNode) throws(JSONPathError) {
    for key in try node.keys() {
      guard names.contains(key) else {
        throw node.error(
          "unknown member \"\(key)\"; expected one of \(names.joined(separator: ", "))")
      }
      guard node.value[key] != .null else {
        throw node.error("\"\(key)\" is null; leave it out instead")
      }
    }
  }

  /// The reminder with requests such as `id@2026-03-04T09:00`, `id.mon.09:00` or `id.daily.09:00`.
  private static func owner(
    ofOccurrence name: String, among ids: Set<String>
  ) -> String? {
    if let mark = name.lastIndex(of: "@"), LocalTime(String(name[mark...].dropFirst())) != nil {
      let owner = String(name[..<mark])
      if ids.contains(owner) { return owner }
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2, TimeOfDay(String(parts[parts.count - 1])) != nil,
      parts[parts.count - 2] == "daily" || Weekday(String(parts[parts.count - 2])) != nil
    else { return nil }
    let owner = parts.dropLast(2).joined(separator: ".")
    return ids.contains(owner) ? owner : nil
  }

  static func zone(_ node: JSONNode) throws(JSONPathError) -> ClockZone {
    let name = try node.string()
    guard let zone = ClockZone(identifier: name) else {
      throw node.error("unknown time zone \"\(name)\"")
    }
    return zone
  }

  private static func location(_ node: JSONNode) throws(JSONPathError) -> Coordinate {
    try only(["lat", "lon"], in: node)
    return try coordinate(node)
  }

  static func coordinate(_ node: JSONNode) throws(JSONPathError) -> Coordinate {
    let coordinate = Coordinate(
      latitudeDegrees: try node.member("lat").double(),
      longitudeDegrees: try node.member("lon").double())
    guard coordinate.isValid else {
      throw node.error("the latitude must be within ±90° and the longitude within ±180°")
    }
    return coordinate
  }

  private static func readKinds(_ node: JSONNode) throws(JSONPathError) -> KindRegistry {
    var registry = KindRegistry()
    for element in try node.elements() {
      try only(["name", "prefix", "priority", "shown", "tapped"], in: element)
      let kind = NotificationKind(
        name: try element.member("name").string(), prefix: try element.member("prefix").string(),
        priority: try element.member("priority").integer())
      guard !kind.name.isEmpty else {
        throw try element.member("name").error("a name cannot be empty")
      }
      do throws(KindRegistryError) {
        try registry.register(kind)
      } catch {
        throw element.error(error.description)
      }
    }
    return registry
  }

  private static func readTapRates(
    _ node: JSONNode, _ kinds: KindRegistry
  ) throws(JSONPathError) -> TapRates {
    var rates = TapRates()
    for (element, kind) in zip(try node.elements(), kinds.kinds) {
      let shown = try element.optionalMember("shown").map(count) ?? 0
      guard let member = try element.optionalMember("tapped") else {
        rates.record(kind: kind, shown: shown, tapped: 0)
        continue
      }
      let tapped = try count(member)
      guard tapped <= shown else { throw member.error("cannot be more than \"shown\"") }
      rates.record(kind: kind, shown: shown, tapped: tapped)
    }
    return rates
  }

  private static func count(_ node: JSONNode) throws(JSONPathError) -> Int {
    let count = try node.integer()
    guard (0...1_000_000_000).contains(count) else {
      throw node.error("expected a count from 0 to 1,000,000,000")
    }
    return count
  }

  private static func readQuotas(
    _ node: JSONNode, _ kinds: KindRegistry
  ) throws(JSONPathError) -> [String: Int] {
    var quotas: [String: Int] = [:]
    for key in try node.keys() {
      let member = try node.member(key)
      let slots = try member.integer()
      guard kinds.kinds.contains(where: { $0.name == key }) else {
        throw member.error("unknown kind \"\(key)\"")
      }
      guard slots >= 0 else { throw member.error("a quota cannot be negative") }
      quotas[key] = slots
    }
    return quotas
  }

  private static func reminder(_ node: JSONNode) throws(JSONPathError) -> Reminder {
    try only(
      [
        "id", "title", "subtitle", "body", "category", "silent", "at", "weekdays", "times", "every",
        "after", "region", "repeats", "anchor", "skip",
      ], in: node)
    let id = try node.member("id").string()
    guard !id.isEmpty else { throw try node.member("id").error("an id cannot be empty") }
    guard id.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw try node.member("id").error("an id cannot have control characters")
    }
    var content = NotificationContent(
      title: try node.member("title").string(), subtitle: try text("subtitle", in: node),
      body: try text("body", in: node), category: try text("category", in: node))
    if try node.optionalMember("silent").map({ node throws(JSONPathError) in try node.boolean() })
      ?? false
    {
      content.sound = nil
    }
    var skipped: Set<LocalTime> = []
    for element in try node.optionalMember("skip").map(list) ?? [] {
      skipped.insert(try localTime(element))
    }
    return Reminder(
      id: id, content: content, schedule: try schedule(node),
      skipped: skipped)
  }

  private static func text(_ key: String, in node: JSONNode) throws(JSONPathError) -> String {
    try node.optionalMember(key).map { node throws(JSONPathError) in try node.string() } ?? ""
  }

  static func list(_ node: JSONNode) throws(JSONPathError) -> [JSONNode] {
    if case .array = node.value { return try node.elements() }
    return [node]
  }

  static func localTime(_ node: JSONNode) throws(JSONPathError) -> LocalTime {
    guard let time = LocalTime(try node.string()) else {
      throw node.error("expected a local time such as 2026-03-04T09:00")
    }
    return time
  }
}
