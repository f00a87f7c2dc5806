#if Command
import FencepostSession
import FencepostAnalysis
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostPlaces
import FencepostReporting
import FencepostTracks
import FoundationEssentials

extension StudioWire {
  /// The most vertices of a track's drawing before its fixes are loaded.
  private static let drawnVertices = 400

  // MARK: Scene

  /// The whole scene except the fixes of its tracks; the store's path, or a name in its place.
  static func scene(
    _ scene: StudioScene, _ places: [Place], storeName: String? = nil
  ) throws -> [UInt8] {
    let session = try sessionRules(of: scene)
    return object {
      $0.member("store", storeName ?? scene.store.path)
      $0.member("canSave", scene.canSave)
      $0.member("zone", scene.zone.identifier)
      $0.member("arguments", RuleArguments.quoted(scene.arguments))
      $0.member("reminders", scene.reminders != nil)
      $0.key("session")
      $0.append(verbatim: session)
      $0.key("rules")
      $0.append(StudioRules(scene.setting, zone: scene.zone))
      $0.array("fields", Rules.table.filter { $0.field != nil }) { $0.append(field: $1) }
      // The rules without a phone, and the phones, each with its own rules.
      $0.key("plain")
      $0.append(StudioRules(StudioSetting(), zone: scene.zone))
      $0.array("phones", scene.phones) { output, phone in
        output.appendObject {
          $0.member("word", phone.word)
          $0.member("isOwn", BuiltInProfile(rawValue: phone.word) == nil)
          $0.member("title", phone.profile.title)
          $0.member("profile", phone.profile.json)
          $0.key("rules")
          $0.append(StudioRules(StudioSetting(phone), zone: scene.zone))
        }
      }
      $0.array("notices", scene.notices) { $0.append(json: $1) }
      $0.array("advice", scene.advice) { $0.append(verbatim: $1) }
      let names = TrackNames(scene.tracks.map(\.account))
      $0.array("tracks", scene.tracks) { output, track in
        output.appendObject {
          $0.member("name", track.name)
          $0.member("title", names.title(of: track.account))
          $0.member("fixes", track.fixes.count)
          $0.member("rejected", track.account.rejected)
          $0.member("first", jsonTime: track.fixes.lazy.compactMap(\.timeMilliseconds).first)
          let lines = track.sketch(
            under: scene.setting.session.monitoring, mostVertices: drawnVertices)
          $0.array("lines", lines) { $0.append(line: $1, step: 1) }
        }
      }
      $0.array("stories", places) { $0.append(place: $1) }
    }
  }

  /// The rules of a scene's session in full, as `fencepost rules --format json` prints them.
  private static func sessionRules(of scene: StudioScene) throws -> String {
    var rules = SessionRules()
    rules.session = scene.setting.session
    rules.keepsNullIsland = scene.fixes.keepsNullIsland
    rules.reorderMilliseconds = scene.fixes.reorderMilliseconds
    rules.profile = scene.setting.phone?.profile.json
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(rules), as: UTF8.self)
  }

  /// The fixes of a track, a column for each of their values.
  ///
  /// The engine in the page follows them, so all but the course are exact: the shortest decimals
  /// that restore a number. Times are differences in milliseconds. The notices also say where the
  /// scene's rule does not follow the path.
  static func track(_ track: RecordedTrack, of scene: StudioScene) -> [UInt8] {
    let (fixes, rule) = (track.fixes, scene.setting.session.monitoring)
    var batch = PathBatch()
    batch.prepare(fixes)
    let breaks = BreakCounts(of: batch.points, under: rule)
    let gaps = rule.sentence(gaps: breaks.gaps, jumps: breaks.jumps, namesOptions: false)
    return object {
      $0.member("name", track.name)
      $0.array("notices", track.account.notices + [gaps].compactMap(\.self)) { $0.append(json: $1) }
      $0.member("rejected", counts: track.account.rejectedByReason)
      $0.array("lat", fixes) { $0.append(verbatim: $1.coordinate.latitudeDegrees.description) }
      $0.array("lon", fixes) { $0.append(verbatim: $1.coordinate.longitudeDegrees.description) }
      writeDifferences("time", fixes.map { $0.timeMilliseconds.map { Int($0) } }, &$0)
      writeKnown("speed", fixes.map(\.speedMetersPerSecond), &$0) { $0.description }
      writeKnown("accuracy", fixes.map(\.accuracyMeters), &$0) { $0.description }
      writeKnown("course", fixes.map(\.courseDegrees), &$0) { "\(($0 * 10).rounded() / 10)" }
      if fixes.contains(where: { $0.segmentIndex != 0 }) {
        $0.array("segment", fixes) { $0.append(decimal: Int($1.segmentIndex)) }
      }
    }
  }

  /// Writes whole numbers as differences from the known one before; `null` for unknown ones.
  private static func writeDifferences(
    _ key: StaticString, _ values: [Int?], _ output: inout OutputBuffer
  ) {
    var last = 0
    output.array(key, values) { output, value in
      guard let value else { return output.append("null") }
      output.append(decimal: value - last)
      last = value
    }
  }

  /// Writes numbers, `null` for unknown ones and 1e999 for infinity, or nothing if none is known.
  private static func writeKnown(
    _ key: StaticString, _ values: [Float], _ output: inout OutputBuffer,
    _ text: (Float) -> String
  ) {
    guard values.contains(where: { !$0.isNaN }) else { return }
    output.array(key, values) {
      $0.append(verbatim: $1.isNaN ? "null" : $1.isFinite ? text($1) : "1e999")
    }
  }

  /// The rules of an opened file, and what the page cannot show of them.
  static func rules(_ rules: StudioRules, notices: [String]) -> [UInt8] {
    object {
      $0.key("rules")
      $0.append(rules)
      $0.array("notices", notices) { $0.append(json: $1) }
    }
  }

  /// The result of a save: the store's places, or the conflicts.
  static func save(_ outcome: EditOutcome, places: [Place]) -> [UInt8] {
    object {
      switch outcome {
      case .written(let count):
        $0.member("written", count)
        $0.array("stories", places) { $0.append(place: $1) }
      case .conflicts(let conflicts):
        $0.array("conflicts", conflicts) { output, conflict in
          output.appendObject {
            $0.member("id", conflict.edit.id)
            $0.key("stored")
            if let stored = conflict.stored { $0.append(place: stored) } else { $0.append("null") }
          }
        }
      }
    }
  }

  /// The most bytes of a note that lists its edits.
  private static let mostNoteBytes = 500_000

  /// A save as the page reads it.
  ///
  /// It has the time, the number of edits, and each edit without the texts that it leaves as they
  /// are. A note that would be too long has only time and number.
  static func note(_ edits: [PlaceEdit], atMilliseconds time: Int64) -> String {
    func write(_ edits: [PlaceEdit], of number: Int) -> String {
      var output = OutputBuffer()
      output.appendObject {
        $0.member("time", Int(time))
        $0.member("number", number)
        $0.array("changes", edits) { output, edit in
          let change = edit.withoutKeptTexts
          output.appendObject {
            $0.member("id", edit.id)
            for (key, place) in [("before", change.before), ("after", change.after)] {
              $0.key(named: key)
              if let place { $0.append(place: place) } else { $0.append("null") }
            }
          }
        }
      }
      return output.text
    }
    let whole = write(edits, of: edits.count)
    return whole.utf8.count <= mostNoteBytes ? whole : write([], of: edits.count)
  }
}

extension PlaceEdit {
  /// The edit of a place whose texts are empty where before and after are the same.
  fileprivate var withoutKeptTexts: PlaceEdit {
    guard var before, var after else { return self }
    for text in [\Place.title, \.blurb, \.url, \.category]
    where before[keyPath: text] == after[keyPath: text] {
      before[keyPath: text] = ""
      after[keyPath: text] = ""
    }
    return PlaceEdit(id: id, before: before, after: after)
  }
}

extension OutputBuffer {
  /// Appends every `step`-th vertex of a path, as differences in millionths of a degree.
  mutating func append(line: [Coordinate], step: Int) {
    var last = (south: 0, west: 0)
    appendArray(line.indices.filter { $0 % step == 0 || $0 == line.count - 1 }) { output, index in
      let (south, west) = line[index].microdegrees
      output.append(verbatim: "\(south - last.south),\(west - last.west)")
      last = (south, west)
    }
  }

  /// Appends a place with all of its digits, omitting empty values.
  mutating func append(place: Place) {
    appendObject {
      $0.member("id", place.id)
      for (key, number) in [
        ("lat", place.coordinate.latitudeDegrees), ("lon", place.coordinate.longitudeDegrees),
        ("radius", place.radiusMeters),
      ] {
        $0.key(named: key)
        // Print the shortest digits that round-trip.
        $0.append(verbatim: number.description)
      }
      for (key, text) in [
        ("title", place.title), ("blurb", place.blurb), ("url", place.url),
        ("category", place.category),
      ] where !text.isEmpty {
        $0.key(named: key)
        $0.append(json: text)
      }
      if place.priority != 0 { $0.member("priority", place.priority) }
      if let published = place.publishedMilliseconds { $0.member("published", jsonTime: published) }
      if let expires = place.expiresMilliseconds { $0.member("expires", jsonTime: expires) }
    }
  }
}

extension OutputBuffer {
  /// Appends how the form shows a rule: its words, and what its value can be.
  fileprivate mutating func append(field rule: Rule) {
    guard let field = rule.field else { return append("null") }
    appendObject {
      $0.member("key", field.key)
      $0.member("words", field.label)
      $0.member("group", field.group.rawValue)
      $0.member("kind", rule.kind.word)
      $0.member("none", field.none)
      if case .word(let words) = rule.kind {
        $0.array("choices", words) { $0.append(row: [.text($1.word), .text($1.meaning)]) }
      }
      if let range = rule.kind.range {
        $0.key("least")
        $0.append(verbatim: Quantity.shortest(range.lowerBound))
        $0.key("most")
        $0.append(verbatim: Quantity.shortest(range.upperBound))
      }
    }
  }
}

extension Rule.Kind {
  /// The name of the kind, by which the form knows how to make a field.
  fileprivate var word: String {
    switch self {
    case .word: "word"
    case .count: "count"
    case .meters: "meters"
    case .milliseconds: "milliseconds"
    case .metersPerSecond: "metersPerSecond"
    case .flag: "flag"
    case .cooldown: "cooldown"
    case .quietHours: "quietHours"
    case .dates: "dates"
    }
  }
}
#endif
