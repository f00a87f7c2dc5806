package import FencepostNotifications
package import FencepostFormats
import FencepostGeodesy

extension ReminderDocument {
  /// Reads a file of reminders in UTF-8, as described by `Data/schemas/reminders.schema.json`.
  ///
  /// The phone begins in `zone`, unless the file names another.
  ///
  /// - Throws: ``ReminderFileError`` for the first error; unknown members are errors too.
  package init(parsing bytes: Span<UInt8>, zone: ClockZone = .utc) throws(ReminderFileError) {
    self = try ReminderFileReader.read(bytes) { (root) throws(JSONPathError) in
      try ReminderFileReader.document(root, zone: zone)
    }
  }
}

extension ZoneChange {
  /// Reads a file of zone changes, as described by `Data/schemas/zone-changes.schema.json`.
  ///
  /// - Returns: The changes in file order.
  /// - Throws: ``ReminderFileError`` for the first error; unknown members are errors too.
  package static func list(parsing bytes: Span<UInt8>) throws(ReminderFileError) -> [ZoneChange] {
    try ReminderFileReader.read(bytes, ReminderFileReader.zoneChanges)
  }
}

/// What is wrong with a file of reminders, and where in the file.
///
/// Reading stops at the first error, and no reminder is used.
package enum ReminderFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text is not JSON.
  case syntax(JSONError)
  /// A value is missing, unknown or of the wrong kind.
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

/// Reads the members of a file of reminders, and refuses whatever it does not know.
enum ReminderFileReader {
  /// Parses JSON and reads it, with an error that has a line or a path.
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

  /// Reads the whole document; kinds come first, as reminders belong to kinds by their ids.
  static func document(
    _ root: JSONNode, zone: ClockZone
  ) throws(JSONPathError) -> ReminderDocument {
    try only(["$schema", "zone", "location", "kinds", "quotas", "reminders"], in: root)
    var document = ReminderDocument(reminders: [], zone: zone)
    let kinds = try root.optionalMember("kinds")
    if let kinds { document.kinds = try readKinds(kinds) }
    if let node = try root.optionalMember("quotas") {
      document.quotas = try readQuotas(node, document.kinds)
    }
    document.reminders = try readReminders(
      try root.member("reminders").elements(), document.kinds)
    if let node = try root.optionalMember("zone") { document.zone = try Self.zone(node) }
    if let node = try root.optionalMember("location") {
      try only(["lat", "lon"], in: node)
      document.location = try coordinate(node)
    }
    if let kinds { document.tapRates = try readTapRates(kinds, document.kinds) }
    return document
  }

  private static func readReminders(
    _ nodes: [JSONNode], _ kinds: KindRegistry
  ) throws(JSONPathError) -> [Reminder] {
    var reminders: [Reminder] = []
    reminders.reserveCapacity(nodes.count)
    var ids = Set<String>(minimumCapacity: nodes.count)
    for node in nodes {
      let reminder = try reminder(node, kinds)
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
  private static func only(_ names: [String], in node: JSONNode) throws(JSONPathError) {
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
  private static func owner(ofOccurrence name: String, among ids: Set<String>) -> String? {
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

  private static func zone(_ node: JSONNode) throws(JSONPathError) -> ClockZone {
    let name = try node.string()
    guard let zone = ClockZone(identifier: name) else {
      throw node.error("unknown time zone \"\(name)\"")
    }
    return zone
  }

  private static func coordinate(_ node: JSONNode) throws(JSONPathError) -> Coordinate {
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
      try only(["name", "prefix", "priority", "anchor", "shown", "tapped"], in: element)
      let kind = NotificationKind(
        name: try element.member("name").string(), prefix: try element.member("prefix").string(),
        priority: try element.member("priority").integer(),
        anchor: try element.optionalMember("anchor").map(anchor))
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

  private static func reminder(
    _ node: JSONNode, _ kinds: KindRegistry
  ) throws(JSONPathError) -> Reminder {
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
      title: try node.member("title").string(),
      subtitle: try optional("subtitle", node, JSONNode.string) ?? "",
      body: try optional("body", node, JSONNode.string) ?? "",
      category: try optional("category", node, JSONNode.string) ?? "")
    if try optional("silent", node, JSONNode.boolean) == true { content.sound = nil }
    var skipped: Set<LocalTime> = []
    for element in try node.optionalMember("skip").map(list) ?? [] {
      skipped.insert(try localTime(element))
    }
    let kind = kinds.kind(ofIdentifier: id)
    return Reminder(
      id: id, content: content, schedule: try schedule(node, of: kind), skipped: skipped)
  }

  /// A member's value, such as `JSONNode.string` reads; nil if it is missing or null.
  private static func optional<Value>(
    _ key: String, _ node: JSONNode, _ value: (JSONNode) -> () throws(JSONPathError) -> Value
  ) throws(JSONPathError) -> Value? {
    guard let member = try node.optionalMember(key) else { return nil }
    return try value(member)()
  }

  /// The elements of an array, or the node itself as the only one.
  private static func list(_ node: JSONNode) throws(JSONPathError) -> [JSONNode] {
    if case .array = node.value { return try node.elements() }
    return [node]
  }

  private static func localTime(_ node: JSONNode) throws(JSONPathError) -> LocalTime {
    guard let time = LocalTime(try node.string()) else {
      throw node.error("expected a local time such as 2026-03-04T09:00")
    }
    return time
  }

  // MARK: Schedules

  private static func schedule(
    _ node: JSONNode, of kind: NotificationKind
  ) throws(JSONPathError) -> Reminder.Schedule {
    let member = try node.optionalMember("anchor")
    let own = try member.map(anchor)
    if let member, let given = kind.anchor, own != given {
      throw member.error("the kind \"\(kind.name)\" has another anchor; leave one of them out")
    }
    let anchor = kind.anchor ?? own ?? .floating
    try refuse("weekdays", without: ["times"], in: node)
    try refuse("repeats", without: ["after", "region"], in: node)
    try refuse("anchor", without: ["at", "times", "every"], in: node)
    try refuse("skip", without: ["at", "times", "every", "after"], in: node)
    var schedule: Reminder.Schedule?
    for name in ["at", "times", "every", "after", "region"] {
      guard let member = try node.optionalMember(name) else { continue }
      guard schedule == nil else {
        throw member.error("a reminder must have only one of at, times, every, after and region")
      }
      schedule =
        switch name {
        case "at": try at(member, anchor)
        case "times": try weekly(member, weekdays: try node.optionalMember("weekdays"), anchor)
        case "every": try every(member, anchor)
        case "after": try interval(member, in: node)
        default: try region(member, in: node)
        }
    }
    guard let schedule else {
      throw node.error("one of at, times, every, after and region is missing")
    }
    return schedule
  }

  /// Rejects a member that this kind of reminder would otherwise ignore.
  private static func refuse(
    _ name: String, without others: [String], in node: JSONNode
  ) throws(JSONPathError) {
    guard let member = try node.optionalMember(name) else { return }
    for other in others where try node.optionalMember(other) != nil { return }
    throw member.error("only allowed with \(others.joined(separator: " or "))")
  }

  private static func anchor(_ node: JSONNode) throws(JSONPathError) -> ClockAnchor {
    try node.string() == "floating" ? .floating : .fixed(try zone(node))
  }

  private static func at(
    _ node: JSONNode, _ anchor: ClockAnchor
  ) throws(JSONPathError) -> Reminder.Schedule {
    let elements = try list(node)
    guard let first = elements.first else { throw node.error("at least one time is needed") }
    let isInstant = isInstant(try first.string())
    var times: [LocalTime] = []
    for element in elements {
      if isInstant {
        guard self.isInstant(try element.string()) else {
          throw element.error("expected a time with a UTC offset, like the first one")
        }
        times.append(LocalTime(atMilliseconds: try element.instantMilliseconds(), in: .utc))
      } else {
        times.append(try localTime(element))
      }
    }
    return .at(times, anchor: isInstant ? .fixed(.utc) : anchor)
  }

  /// Whether a time has a UTC offset, as in `2026-03-04T09:00:00Z` or `2026-03-04T09:00-05:00`.
  private static func isInstant(_ text: String) -> Bool {
    let time = text.dropFirst(11)
    return time.hasSuffix("Z") || time.contains { $0 == "+" || $0 == "-" }
  }

  private static func weekly(
    _ node: JSONNode, weekdays: JSONNode?, _ anchor: ClockAnchor
  ) throws(JSONPathError) -> Reminder.Schedule {
    var times: [TimeOfDay] = []
    for element in try list(node) {
      guard let time = TimeOfDay(try element.string()) else {
        throw element.error("expected a time of day such as 08:30")
      }
      if !times.contains(time) { times.append(time) }
    }
    guard !times.isEmpty else { throw node.error("at least one time is needed") }
    guard let weekdays else { return .weekly(Set(Weekday.allCases), times, anchor: anchor) }
    var days: Set<Weekday> = []
    for element in try list(weekdays) {
      let name = try element.string()
      guard let weekday = Weekday(name) else {
        throw element.error(
          "\"\(name)\" is not a weekday; expected mon, tue, wed, thu, fri, sat or sun")
      }
      days.insert(weekday)
    }
    guard !days.isEmpty else { throw weekdays.error("at least one weekday is needed") }
    return .weekly(days, times, anchor: anchor)
  }

  private static func every(
    _ node: JSONNode, _ anchor: ClockAnchor
  ) throws(JSONPathError) -> Reminder.Schedule {
    try only(["month", "day", "weekday", "hour", "minute", "second"], in: node)
    var weekday: Weekday?
    if let member = try node.optionalMember("weekday") {
      weekday = Weekday(try member.string())
      if weekday == nil { throw member.error("expected a weekday such as mon") }
    }
    func number(_ key: String) throws(JSONPathError) -> Int? {
      try optional(key, node, JSONNode.integer)
    }
    let (month, day) = (try number("month"), try number("day"))
    let (hour, minute, second) = (try number("hour"), try number("minute"), try number("second"))
    do throws(CalendarPatternError) {
      let pattern = try CalendarPattern(
        month: month, day: day, weekday: weekday, hour: hour, minute: minute, second: second)
      return .repeating(pattern, anchor: anchor)
    } catch {
      throw node.error(error.description)
    }
  }

  private static func interval(
    _ after: JSONNode, in node: JSONNode
  ) throws(JSONPathError) -> Reminder.Schedule {
    let seconds = try after.double()
    let repeats = try optional("repeats", node, JSONNode.boolean) ?? false
    guard seconds > 0, seconds < 1e12,
      let interval = IntervalTrigger(
        milliseconds: Int64((seconds * 1000).rounded()), repeats: repeats)
    else {
      throw after.error(
        repeats ? "a repeating interval must be at least 60 seconds" : "expected positive seconds")
    }
    return .interval(interval)
  }

  private static func region(
    _ region: JSONNode, in node: JSONNode
  ) throws(JSONPathError) -> Reminder.Schedule {
    try only(["lat", "lon", "radius", "entry", "exit"], in: region)
    let trigger = RegionTrigger(
      center: try coordinate(region),
      radiusMeters: try optional("radius", region, JSONNode.double) ?? 100,
      firesOnEntry: try optional("entry", region, JSONNode.boolean) ?? true,
      firesOnExit: try optional("exit", region, JSONNode.boolean) ?? false,
      repeats: try optional("repeats", node, JSONNode.boolean) ?? false)
    guard let trigger else {
      throw region.error(
        "the radius must be above 0 and at most 20,000,000 m, and entry or exit must be true")
    }
    return .region(trigger)
  }
}
