import FencepostFormats
import FencepostTime

/// An error in a phone's log, with its line.
package struct PhoneLogError: Error, Equatable, CustomStringConvertible {
  package let line: Int
  package let sentence: String

  package var description: String { "line \(line): \(sentence)" }
}

/// The crossings that a phone reported, read from its log.
///
/// Knows tables with the columns `time`, `place` and `event`, events as Fencepost writes them,
/// transitions of OwnTracks and its Recorder, transitions of e-mission, which name no circle, and
/// Home Assistant's history of one person, as a table or as JSON.
package struct PhoneLog: Sendable {
  package struct Entry: Equatable, Sendable {
    package var line: Int
    package var side: CrossingSide
    /// Seconds since 1970.
    package var seconds: Double
    /// The name of the circle; nil if the log does not name it.
    package var place: String?

    package init(line: Int, side: CrossingSide, seconds: Double, place: String?) {
      self.line = line
      self.side = side
      self.seconds = seconds
      self.place = place
    }
  }

  /// The crossings in the order of the log; never empty.
  package private(set) var entries: [Entry] = []
  /// The person or tracker of Home Assistant's history, and the zone it was in last.
  private var tracked: (entity: String, zone: String)?

  /// Reads a whole log; times without an offset are UTC.
  package init(parsing bytes: [UInt8]) throws(PhoneLogError) {
    // A byte order mark has no byte below 0x80.
    let first = bytes.first { $0 > 0x20 && $0 < 0x80 }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      try readJSON(bytes)
    } else if let messages = Self.recorded(bytes) {
      try readJSON(messages)
    } else {
      try readTable(bytes)
    }
    guard !entries.isEmpty else {
      throw PhoneLogError(line: 1, sentence: "the file reports no entry or exit")
    }
  }

  // MARK: JSON

  /// The messages of OwnTracks' Recorder, each on its line; nil if the text is something else.
  private static func recorded(_ bytes: [UInt8]) -> [UInt8]? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var messages: [UInt8] = []
    for line in lines {
      if let start = line.firstIndex(of: UInt8(ascii: "{")) {
        guard start > line.startIndex, line[start - 1] == UInt8(ascii: "\t") else { return nil }
        messages += line[start...]
      }
      messages.append(UInt8(ascii: "\n"))
    }
    return messages.count > lines.count ? messages : nil
  }

  private mutating func readJSON(_ bytes: [UInt8]) throws(PhoneLogError) {
    var reader = JSONReader(isSequence: true)
    bytes.withSpan { reader.push($0) }
    reader.finish()
    var entity: String?
    while let event = try Self.checked({ () throws(JSONError) in try reader.next() }) {
      // Arrays are looked into, so that each of their objects has a line.
      if event == .endArray { continue }
      if event == .beginArray {
        entity = nil
        continue
      }
      let line = reader.currentLine()
      let value = try Self.checked { () throws(JSONError) in
        try JSONValue.read(event, &reader)
      }
      try take(value, line: line, &entity)
    }
  }

  private static func checked<Value>(
    _ read: () throws(JSONError) -> Value
  ) throws(PhoneLogError) -> Value {
    do throws(JSONError) {
      return try read()
    } catch {
      throw PhoneLogError(line: error.line, sentence: error.sentence)
    }
  }

  /// Takes one object; others than those known are skipped.
  ///
  /// Home Assistant names the entity only in the first object of an array.
  private mutating func take(
    _ value: JSONValue, line: Int, _ entity: inout String?
  ) throws(PhoneLogError) {
    if value["_type"]?.string == "transition" {
      try append(value["event"], value["tst"], value["desc"], line)
    } else if let transition = value["data"]?["transition"] {
      let isExit =
        ["T_EXITED_GEOFENCE", "local.transition.exited_geofence"].contains(transition.string)
        || transition.integer == 1
      if isExit { try append(.string("exit"), value["data"]?["ts"], nil, line) }
    } else if let state = value["state"]?.string {
      entity = value["entity_id"]?.string ?? entity
      let time = value["last_changed"] ?? value["last_updated"] ?? value["when"]
      try move(entity ?? "", to: state, Self.text(time), line)
    } else if ["enter", "exit"].contains(value["type"]?.string) {
      try append(value["type"], value["time"], value["place"], line)
    } else if let event = value["event"], value["time"] != nil {
      try append(event, value["time"], value["place"], line)
    }
  }

  private mutating func append(
    _ event: JSONValue?, _ time: JSONValue?, _ place: JSONValue?, _ line: Int
  ) throws(PhoneLogError) {
    try append(Self.text(event), Self.text(time), Self.text(place), line)
  }

  private static func text(_ value: JSONValue?) -> String {
    if case .number(_, let text) = value { text } else { value?.string ?? "" }
  }

  // MARK: Tables

  private struct Columns {
    var time: Int
    var place: Int
    var event: Int
    var isHistory: Bool

    init?(_ reader: borrowing CSVReader) {
      var names: [String] = []
      for index in 0..<reader.fieldCount {
        names.append(reader.string(index).filter { $0 != " " }.lowercased())
      }
      func column(_ choices: [String]) -> Int? {
        choices.lazy.compactMap { names.firstIndex(of: $0) }.first
      }
      isHistory = names.contains("entity_id") && names.contains("state")
      let event = isHistory ? column(["state"]) : column(["event", "type", "transition"])
      let place = isHistory ? column(["entity_id"]) : column(["place", "fence", "circle", "story"])
      guard let event, let place,
        let time = column(["time", "timestamp", "last_changed", "last_updated"])
      else { return nil }
      (self.time, self.place, self.event) = (time, place, event)
    }
  }

  private mutating func readTable(_ bytes: [UInt8]) throws(PhoneLogError) {
    let dialect = bytes.withSpan {
      CSVDialect.recognize($0, isWhole: true) { Columns($0) != nil }
    }
    guard let dialect, dialect.namesColumns else {
      throw PhoneLogError(
        line: 1,
        sentence: "not a phone's log; a table needs the columns time, place and event")
    }
    var reader = CSVReader(separator: dialect.separator, firstLine: dialect.headerLine)
    bytes.withSpan { reader.push($0.extracting(dialect.headerOffset..<bytes.count)) }
    reader.finish()
    var columns: Columns?
    while try Self.next(&reader) {
      guard let columns else {
        columns = Columns(reader)
        continue
      }
      let last = max(columns.time, columns.place, columns.event)
      guard reader.fieldCount > last else {
        throw PhoneLogError(line: reader.line, sentence: "the row has too few fields")
      }
      let (time, place) = (reader.string(columns.time), reader.string(columns.place))
      let event = reader.string(columns.event)
      if columns.isHistory {
        try move(place, to: event, time, reader.line)
      } else {
        try append(event, time, place, reader.line)
      }
    }
  }

  private static func next(_ reader: inout CSVReader) throws(PhoneLogError) -> Bool {
    do throws(CSVError) {
      return try reader.next()
    } catch {
      let sentence = error.description.split(separator: ": ", maxSplits: 1).last ?? ""
      throw PhoneLogError(line: error.line, sentence: String(sentence))
    }
  }

  // MARK: Reports

  private mutating func append(
    _ event: String, _ time: String, _ place: String, _ line: Int
  ) throws(PhoneLogError) {
    let (event, time, place) = (event.trimmed, time.trimmed, place.trimmed)
    let side: CrossingSide
    switch event.lowercased() {
    case "enter", "entered", "entry", "in": side = .enter
    case "exit", "exited", "leave", "left", "out": side = .exit
    case let other:
      throw PhoneLogError(line: line, sentence: "event must be enter or exit, not \"\(other)\"")
    }
    entries.append(
      Entry(
        line: line, side: side, seconds: try seconds(time, line),
        place: place.isEmpty ? nil : place))
  }

  /// Takes a state of Home Assistant; the zones of a person turn into entries and exits.
  private mutating func move(
    _ entity: String, to zone: String, _ time: String, _ line: Int
  ) throws(PhoneLogError) {
    guard entity.hasPrefix("person.") || entity.hasPrefix("device_tracker."),
      !["unknown", "unavailable"].contains(zone)
    else { return }
    guard let before = tracked else {
      tracked = (entity, zone)
      return
    }
    guard before.entity == entity else {
      throw PhoneLogError(
        line: line, sentence: "\(entity) is a second phone; keep only \(before.entity)")
    }
    tracked = (entity, zone)
    guard before.zone != zone else { return }
    if before.zone != "not_home" { try append("exit", time, before.zone, line) }
    if zone != "not_home" { try append("enter", time, zone, line) }
  }

  private func seconds(_ text: String, _ line: Int) throws(PhoneLogError) -> Double {
    if let milliseconds = ISO8601.milliseconds(parsing: text) {
      return Double(milliseconds) / 1000
    }
    let number = Array(text.utf8).withSpan { DecimalNumber.double(parsing: $0) }
    guard let number, let milliseconds = EpochTime.milliseconds(inAnyUnit: number) else {
      throw PhoneLogError(
        line: line,
        sentence: "expected a time such as 2026-03-04T17:00:12Z, found \"\(text)\"")
    }
    return Double(milliseconds) / 1000
  }
}
