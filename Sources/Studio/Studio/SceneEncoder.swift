import Fencepost
import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostPlaces
import FencepostReporting

/// Writes what the studio's page needs as JSON.
enum SceneEncoder {
  /// How many vertices of each path the overview draws.
  private static let drawnVertices = 400

  // MARK: Scene

  /// The whole scene but the fixes of its tracks.
  static func scene(_ scene: StudioScene, _ places: [Place]) -> [UInt8] {
    var output = OutputBuffer()
    output.appendObject {
      $0.member("store", scene.store.path)
      $0.member("canSave", scene.canSave)
      $0.member("zone", scene.zone.identifier)
      $0.member("arguments", RuleArguments.quoted(scene.arguments))
      $0.key("rules")
      $0.append(StudioRules(scene.setting, zone: scene.zone))
      writePhones(scene, to: &$0)
      $0.array("notices", scene.notices) { $0.append(json: $1) }
      $0.array("advice", scene.advice) { $0.append(verbatim: $1) }
      writeTracks(scene.tracks, scene.setting.session.monitoring, to: &$0)
      $0.array("stories", places) { $0.append(place: $1) }
    }
    return Array(output.text.utf8)
  }

  /// The rules without a phone, and the phones, each with its own rules.
  private static func writePhones(_ scene: StudioScene, to output: inout OutputBuffer) {
    output.key("plain")
    output.append(StudioRules(StudioSetting(), zone: scene.zone))
    output.array("phones", scene.phones) { output, phone in
      output.appendObject {
        $0.member("word", phone.word)
        $0.member("title", phone.profile.title)
        $0.key("rules")
        $0.append(StudioRules(StudioSetting(phone), zone: scene.zone))
      }
    }
  }

  private static func writeTracks(
    _ tracks: [RecordedTrack], _ rule: MonitoringOptions, to output: inout OutputBuffer
  ) {
    output.array("tracks", tracks) { output, track in
      output.appendObject {
        $0.member("name", track.name)
        $0.member("fixes", track.fixes.count)
        $0.member("rejected", track.account.rejected)
        $0.member("first", jsonTime: track.fixes.lazy.compactMap(\.timeMilliseconds).first)
        $0.array("lines", sketch(track, rule)) { write($1, to: &$0) }
      }
    }
  }

  private static func sketch(_ track: RecordedTrack, _ rule: MonitoringOptions) -> [[Coordinate]] {
    var sketch = PathSketch(mostVertices: drawnVertices)
    let breaks = PathBreaks(
      maxGapMilliseconds: rule.maxGapMilliseconds,
      maxSpeedMetersPerSecond: rule.maxSpeedMetersPerSecond)
    var last: Fix?
    for fix in track.fixes {
      let isJoined = last.map { last in
        (rule.joinsSegments || last.segmentIndex == fix.segmentIndex) && breaks.joins(last, fix)
      }
      sketch.take(fix.coordinate, isJoined: isJoined ?? false)
      last = fix
    }
    return sketch.finish()
  }

  /// Writes differences in millionths of a degree.
  private static func write(_ line: [Coordinate], to output: inout OutputBuffer) {
    var last = (south: 0, west: 0)
    output.appendArray(line) { output, coordinate in
      let south = Int((coordinate.latitudeDegrees * 1e6).rounded())
      let west = Int((coordinate.longitudeDegrees * 1e6).rounded())
      output.append(decimal: south - last.south)
      output.append(",")
      output.append(decimal: west - last.west)
      last = (south, west)
    }
  }

  // MARK: Track

  /// The fixes of a track: differences in ten-millionths of a degree and in milliseconds.
  static func track(_ track: RecordedTrack) -> [UInt8] {
    let fixes = track.fixes
    var output = OutputBuffer()
    output.appendObject {
      $0.member("name", track.name)
      $0.array("notices", track.account.notices) { $0.append(json: $1) }
      $0.member("rejected", track.account.rejectedByReason)
      for (key, degrees) in [
        ("lat", fixes.map(\.coordinate.latitudeDegrees)),
        ("lon", fixes.map(\.coordinate.longitudeDegrees)),
      ] as [(StaticString, [Double])] {
        writeDifferences(key, degrees.map { Int(($0 * 1e7).rounded()) }, to: &$0)
      }
      writeDifferences("time", fixes.map { $0.timeMilliseconds.map { Int($0) } }, to: &$0)
      writeKnown("speed", fixes.map(\.speedMetersPerSecond), decimals: 2, to: &$0)
      writeKnown("course", fixes.map(\.courseDegrees), decimals: 1, to: &$0)
      writeKnown("accuracy", fixes.map(\.accuracyMeters), decimals: 1, to: &$0)
    }
    return Array(output.text.utf8)
  }

  private static func writeDifferences(
    _ key: StaticString, _ values: [Int?], to output: inout OutputBuffer
  ) {
    var last = 0
    output.array(key, values) { output, value in
      guard let value else { return output.append("null") }
      output.append(decimal: value - last)
      last = value
    }
  }

  /// Writes numbers, nothing if none is known.
  private static func writeKnown(
    _ key: StaticString, _ values: [Float], decimals: Int, to output: inout OutputBuffer
  ) {
    guard values.contains(where: { !$0.isNaN }) else { return }
    output.array(key, values) { $0.append(Double($1), decimals: decimals) }
  }
}

extension OutputBuffer {
  /// Appends rules as the page sends them back.
  mutating func append(_ rules: StudioRules) {
    appendObject {
      $0.member("limit", rules.limit)
      $0.key("distance")
      $0.append(verbatim: rules.distance.description)
      $0.member("rank", rules.rank)
      $0.member("refresh", rules.refresh)
      $0.member("initial", rules.initial)
      $0.key("margin")
      $0.append(verbatim: rules.margin.description)
      $0.member("cooldown", rules.cooldown)
      $0.member("quiet", rules.quiet)
      $0.member("zone", rules.zone)
      $0.key("speed")
      $0.append(verbatim: rules.speed?.description ?? "null")
      $0.append(confirmationOf: rules)
      $0.member("profile", rules.profile)
      $0.member("trials", rules.trials)
      $0.member("seed", rules.seed)
    }
  }

  private mutating func append(confirmationOf rules: StudioRules) {
    for (key, seconds) in [("interval", rules.interval), ("hold", rules.hold)] {
      self.key(named: key)
      append(verbatim: seconds.description)
    }
    member("fixes", rules.fixes)
    key("dwell")
    append(verbatim: rules.dwell?.description ?? "null")
    member("alertOn", rules.alertOn)
    member("test", rules.test)
    member("accuracy", rules.accuracy)
  }

  /// Appends a place with all of its digits; what is empty is left out.
  mutating func append(place: Place) {
    appendObject {
      $0.member("id", place.id)
      for (key, number) in [
        ("lat", place.coordinate.latitudeDegrees), ("lon", place.coordinate.longitudeDegrees),
        ("radius", place.radiusMeters),
      ] {
        $0.key(named: key)
        // The shortest digits that read back as the same number.
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
      if place.publishedMilliseconds != nil {
        $0.member("published", jsonTime: place.publishedMilliseconds)
      }
      if place.expiresMilliseconds != nil {
        $0.member("expires", jsonTime: place.expiresMilliseconds)
      }
    }
  }
}
