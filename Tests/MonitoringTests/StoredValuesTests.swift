import FencepostGeodesy
import FencepostMonitoring
import Foundation
import ProjGeodesics
import TestSupport
import Testing

@Suite("Values that apps keep", .comparedWithPROJ)
struct StoredValuesTests {
  private static let samples = StoredSamples(besides: #filePath)
  private static let here = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)

  private func decoded<Value: Decodable>(_ type: Value.Type, _ json: Data) throws -> Value {
    try JSONDecoder().decode(type, from: json)
  }

  /// A stored sample is read as a value.
  private func expectStored<Value: Codable & Hashable>(_ name: String, _ value: Value) throws {
    let sample = try Self.samples.bytes(name) { value }
    #expect(try decoded(Value.self, sample) == value, "\(name)")
    try expectNoLoss(name, Value.self, sample)
  }

  /// The spellings of a position in values that earlier versions saved, and the one of today.
  private static let formerNames = [
    ("latitudeDegrees", "lat"), ("longitudeDegrees", "lon"), ("latitudes", "lat"),
    ("longitudes", "lon"), ("latitude", "lat"), ("longitude", "lon"),
  ]

  /// What is written of a value that was read is the same value, and has all that was in the sample.
  ///
  /// Only positions are spelled otherwise: all as `lat` and `lon`, however they were saved.
  private func expectNoLoss<Value: Codable & Hashable>(
    _ name: String, _ type: Value.Type, _ sample: Data
  ) throws {
    let value = try decoded(type, sample)
    let written = try StoredSamples.json(value)
    #expect(try decoded(type, written) == value, "\(name)")
    var respelled = String(decoding: sample, as: UTF8.self)
    for (former, today) in Self.formerNames {
      respelled = respelled.replacing("\"\(former)\"", with: "\"\(today)\"")
      #expect(!String(decoding: written, as: UTF8.self).contains("\"\(former)\""), "\(name)")
    }
    let before = try #require(
      JSONSerialization.jsonObject(with: Data(respelled.utf8)) as? [String: NSObject])
    let after = try #require(JSONSerialization.jsonObject(with: written) as? [String: NSObject])
    for (key, part) in before where key != "version" {
      #expect(after[key] == part, "\(name): \(key)")
    }
  }

  @Test("a rule is read as it was saved")
  func rules() throws {
    try expectStored("rule-default", MonitoringOptions())
    var rule = MonitoringOptions()
    rule.limit = nil
    rule.significantChangeMeters = .infinity
    rule.minIntervalMilliseconds = 60_000
    rule.rank = .edge
    rule.refresh = .adaptive
    rule.initial = .enter
    rule.exitMarginMeters = 50.5
    rule.maxGapMilliseconds = nil
    rule.maxSpeedMetersPerSecond = nil
    rule.joinsSegments = true
    rule.hasTripwire = true
    rule.refreshFloorMeters = 25
    try expectStored("rule-unlimited", rule)
    var confirmed = MonitoringOptions()
    confirmed.test = .fixes
    confirmed.accuracy = .contains
    confirmed.confirmation.holdMilliseconds = 20_000
    confirmed.confirmation.fixes = 3
    confirmed.confirmation.dwellMilliseconds = 300_000
    confirmed.trustsAccuracy = true
    try expectStored("rule-confirmed", confirmed)
  }

  @Test("what a rule does not say is the default")
  func partialRule() throws {
    #expect(try decoded(MonitoringOptions.self, Data("{}".utf8)) == MonitoringOptions())
    var rule = MonitoringOptions()
    rule.limit = nil
    rule.refresh = .adaptive
    let json = Data(#"{"limit":null,"refresh":"adaptive","laterProperty":7}"#.utf8)
    #expect(try decoded(MonitoringOptions.self, json) == rule)
  }

  @Test("events and uncertified stretches are read as saved, and written with lat and lon")
  func events() throws {
    for (name, event) in [
      ("event-enter", \Seldom.enter), ("event-exit-across-break", \.exit),
      ("event-refresh", \.refresh), ("event-refresh-failed", \.failed),
    ] {
      let sample = try Self.samples.bytes(name) { try #require(try Self.seldom()[keyPath: event]) }
      try expectNoLoss(name, EngineEvent.self, sample)
    }
    let sample = try Self.samples.bytes("stretch") { try #require(try Self.seldom().stretch) }
    try expectNoLoss("stretch", UncertifiedSpan.self, sample)
  }

  @Test("a place is read as it was saved")
  func places() throws {
    try expectStored("place-plain", Place(id: "bell", coordinate: Self.here))
    try expectStored(
      "place",
      Place(
        id: "bell", title: "Liberty Bell", blurb: "It is cracked.",
        url: "https://example.org/bell", category: "history", priority: -2,
        coordinate: Self.here, radiusMeters: 42.5, publishedMilliseconds: 1_772_643_612_250,
        expiresMilliseconds: 1_804_179_612_000))
  }

  @Test(
    "an engine goes on from a snapshot as saved, also without a version, and writes lat and lon",
    arguments: ["engine-fixed", "engine-adaptive", "engine-first"])
  func engine(_ name: String) throws {
    let sample = try Self.samples.bytes(name) { try Self.snapshot(name) }
    let snapshot = try decoded(Engine.Snapshot.self, sample)
    var options = MonitoringOptions()
    if name == "engine-adaptive" { options = Self.adaptive }
    let engine = try #require(Engine(options: options, snapshot: snapshot))
    #expect(engine.snapshot == snapshot && engine.fixCount > 0)
    try expectNoLoss(name, Engine.Snapshot.self, sample)
  }

  @Test("an engine that monitors every place keeps the circles that contain the device")
  func everyPlace() throws {
    let sample = try Self.samples.bytes("engine-adaptive") { try Self.snapshot("engine-adaptive") }
    let snapshot = try decoded(Engine.Snapshot.self, sample)
    var options = Self.adaptive
    let limited = try #require(Engine(options: options, snapshot: snapshot))
    options.limit = nil
    let unlimited = try #require(Engine(options: options, snapshot: snapshot))
    let inside = limited.monitoredRegions.filter(\.isInside).map(\.region.key)
    #expect(unlimited.monitoredKeys == ([1, 26, 36, 58] + inside).sorted())
    let sides = unlimited.monitoredRegions.map(\.isInside)
    #expect(!sides.contains(false))
  }

  @Test("every event and state of a run is the same after a round trip", arguments: UInt64(0)..<16)
  func roundTrips(seed: UInt64) throws {
    var random = RandomScene(seed: seed, isDense: seed % 2 == 0)
    if seed % 4 > 1 { random.options.refresh = .adaptive }
    if seed % 8 == 7 { random.options.limit = nil }
    if seed % 3 == 1 {
      random.options.confirmation.holdMilliseconds = 20_000
      random.options.confirmation.dwellMilliseconds = 60_000
    }
    let rule = try JSONEncoder().encode(random.options)
    #expect(try decoded(MonitoringOptions.self, rule) == random.options)
    var run = Run(engine: Engine(options: random.options))
    for (fix, point) in random.scene.path.enumerated() {
      let fails = random.failures.contains(fix)
      run.advance(to: point, store: BruteForceStore(regions: random.scene.regions, fails: fails))
      let saved = try JSONEncoder().encode(run.engine.snapshot)
      #expect(try decoded(Engine.Snapshot.self, saved) == run.engine.snapshot)
    }
    run.finish()
    for (_, event) in run.events {
      #expect(try decoded(EngineEvent.self, JSONEncoder().encode(event)) == event)
    }
    for stretch in run.engine.uncertified {
      #expect(try decoded(UncertifiedSpan.self, JSONEncoder().encode(stretch)) == stretch)
    }
  }

  // MARK: What is refused

  private static let kept:
    [(name: String, subject: String, type: any (Decodable & Sendable).Type)] = [
      ("engine-fixed", "engine snapshot", Engine.Snapshot.self),
      ("rule-default", "monitoring rule", MonitoringOptions.self),
      ("event-enter", "event", EngineEvent.self), ("event-enter", "crossing", Crossing.self),
      ("event-refresh", "refresh", Refresh.self),
      ("stretch", "uncertified stretch", UncertifiedSpan.self),
    ]

  @Test("a value of a newer version is refused with its version", arguments: kept.indices)
  func newer(_ index: Int) throws {
    let (name, subject, type) = Self.kept[index]
    let sample = try Self.samples.bytes(name)
    for (version, error) in [
      ("2", NewerVersionError(subject: subject, version: 2)),
      ("99", NewerVersionError(subject: subject, version: 99)),
    ] {
      let json = Self.replacing("version", version, in: sample)
      #expect(throws: error) { try JSONDecoder().decode(type, from: json) }
    }
    for version in ["0", "-1", "1.5", "\"1\""] {
      let json = Self.replacing("version", version, in: sample)
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(type, from: json) }
    }
    #expect(
      NewerVersionError(subject: subject, version: 2).description
        == "the \(subject) was written by a newer version of Fencepost (format 2)")
  }

  @Test("no damage of a sample traps: it is read or refused", arguments: kept.indices)
  func damaged(_ index: Int) throws {
    let (name, _, type) = Self.kept[index]
    let sample = String(decoding: try Self.samples.bytes(name), as: UTF8.self)
    let garbage = [
      "-1", "0", "1e308", "1e999", "-1e308", "9223372036854775807", "-9223372036854775808", "null",
      "\"\"", "[]", "{}", "true", "NaN", "181",
    ]
    var refused = 0
    let scalar = /(?:: |^ +|\[)("?[-\w.]+"?),?$/.anchorsMatchLineEndings()
    for value in sample.matches(of: scalar) {
      for other in garbage {
        var text = sample
        text.replaceSubrange(value.1.startIndex..<value.1.endIndex, with: other)
        do {
          let read = try JSONDecoder().decode(type, from: Data(text.utf8))
          if let snapshot = read as? Engine.Snapshot { Self.goOn(from: snapshot) }
        } catch {
          #expect(error is DecodingError || error is NewerVersionError, "\(error)")
          refused += 1
        }
      }
    }
    #expect(refused > 20)
  }

  @Test(
    "a snapshot that contradicts itself is refused with a sentence",
    arguments: [
      ("fixCount", "-1"), ("fixCount", "9223372036854775807"), ("lengthMeters", "-1"),
      ("neighbourhoodCount", "0"), ("neighbourhoodCount", "4611686018427387904"),
      ("monitored.isInside", "[]"), ("monitored.keys", "[1]"), ("monitored.radii", "[]"),
      ("containing.isInside", "[true]"), ("previous.latitude", "90.5"),
      ("anchor.point.longitude", "-181"),
      ("exposure", #"{"fix":99,"point":{"latitude":1,"longitude":1},"lengthMetersAtStart":0}"#),
    ])
  func contradictions(_ path: String, _ value: String) throws {
    let sample = try Self.samples.bytes("engine-fixed")
    let whole = try JSONSerialization.jsonObject(with: sample)
    let other = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
    let damaged = Self.replacing(path.split(separator: ".").map(String.init), other, in: whole)
    let json = try JSONSerialization.data(withJSONObject: damaged)
    do {
      _ = try decoded(Engine.Snapshot.self, json)
      Issue.record("\(path) \(value) was read")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.debugDescription.hasPrefix("engine snapshot: "))
    }
  }

  @Test(
    "a rule out of range is refused, with the key and what it must be",
    arguments: [
      ("limit", "0"), ("limit", "9223372036854775807"), ("significantChangeMeters", "-1"),
      ("exitMarginMeters", "\"infinity\""), ("maxGapMilliseconds", "-1"),
      ("maxSpeedMetersPerSecond", "-340"), ("minIntervalMilliseconds", "-1"),
      ("rank", "\"nearest\""),
    ])
  func badRules(_ key: String, _ value: String) throws {
    let json = Data("{\"\(key)\":\(value)}".utf8)
    #expect(throws: DecodingError.self) { try decoded(MonitoringOptions.self, json) }
  }

  @Test("numbers that JSON cannot write are refused in property lists too")
  func propertyLists() throws {
    var rule = MonitoringOptions()
    rule.significantChangeMeters = .nan
    let list = try PropertyListEncoder().encode(rule)
    #expect(throws: DecodingError.self) {
      try PropertyListDecoder().decode(MonitoringOptions.self, from: list)
    }
    let whole = try PropertyListEncoder().encode(MonitoringOptions())
    let read = try PropertyListDecoder().decode(MonitoringOptions.self, from: whole)
    #expect(read == MonitoringOptions())
  }

  // MARK: Samples

  private static func replacing(_ key: String, _ value: String, in sample: Data) -> Data {
    let text = String(decoding: sample, as: UTF8.self)
    let pattern = "\"\(key)\" : (\\[[^\\]]*\\]|[^,\\n]*)"
    guard let range = text.range(of: pattern, options: .regularExpression) else {
      Issue.record("no \(key) in the sample")
      return sample
    }
    return Data(text.replacingCharacters(in: range, with: "\"\(key)\" : \(value)").utf8)
  }

  private static func replacing(_ path: [String], _ value: Any, in whole: Any) -> Any {
    guard let key = path.first, var object = whole as? [String: Any] else { return value }
    object[key] = replacing(Array(path.dropFirst()), value, in: object[key] ?? [String: Any]())
    return object
  }

  /// Drives an engine from a snapshot along every kind of step, which must not trap.
  private static func goOn(from snapshot: Engine.Snapshot) {
    for rule in [MonitoringOptions(), adaptive] {
      guard let engine = Engine(options: rule, snapshot: snapshot) else { continue }
      var run = Run(engine: engine)
      let store = BruteForceStore(regions: RandomScene(seed: 1, isDense: true).scene.regions)
      for (step, time) in [nil, Int64.max, .min, 0, 60_000].enumerated() {
        let point = Coordinate(latitudeDegrees: 39.95 + Double(step) / 50, longitudeDegrees: -75.16)
        run.advance(to: PathPoint(coordinate: point, timeMilliseconds: time), store: store)
      }
      run.finish()
    }
  }

  private static var adaptive: MonitoringOptions {
    var rule = MonitoringOptions()
    rule.refresh = .adaptive
    rule.limit = 5
    rule.exitMarginMeters = 40
    rule.minIntervalMilliseconds = 30_000
    rule.maxGapMilliseconds = nil
    return rule
  }

  private struct Seldom {
    var enter: EngineEvent?
    var exit: EngineEvent?
    var refresh: EngineEvent?
    var failed: EngineEvent?
    var stretch: UncertifiedSpan?
    var snapshot: Engine.Snapshot?
  }

  /// Runs until each kind of event has come, and a state in which every property has a value.
  private static func seldom() throws -> Seldom {
    var found = Seldom()
    for seed in UInt64(0)..<400 {
      var random = RandomScene(seed: seed * 4, isDense: true)
      random.options = adaptive
      var run = Run(engine: Engine(options: random.options))
      for (fix, point) in random.scene.path.enumerated() {
        let fails = random.failures.contains(fix)
        run.advance(
          to: point, store: BruteForceStore(regions: random.scene.regions, fails: fails))
        let snapshot = run.engine.snapshot
        let json = String(decoding: try StoredSamples.json(snapshot), as: UTF8.self)
        let isWhole = ["doubtful", "exposure", "anchor", "startFix", "timeMilliseconds"]
          .allSatisfy { json.contains("\"\($0)\"") }
        if found.snapshot == nil, isWhole { found.snapshot = snapshot }
      }
      for (_, event) in run.events {
        switch event {
        case .crossing(let crossing) where crossing.isEntry && !crossing.isAcrossBreak:
          if crossing.timeMilliseconds != nil { found.enter = found.enter ?? event }
        case .crossing(let crossing):
          if crossing.isAcrossBreak, !crossing.isEntry { found.exit = found.exit ?? event }
        case .dwell: break
        case .refresh(let refresh) where refresh.hasFailed: found.failed = found.failed ?? event
        case .refresh(let refresh):
          if !refresh.removed.isEmpty { found.refresh = found.refresh ?? event }
        }
      }
      found.stretch = found.stretch ?? run.engine.uncertified.first
      if found.snapshot != nil, found.exit != nil, found.failed != nil { break }
    }
    return found
  }

  private static func snapshot(_ name: String) throws -> Engine.Snapshot {
    if name == "engine-adaptive" { return try #require(try seldom().snapshot) }
    var random = RandomScene(seed: 4)
    random.options = MonitoringOptions()
    return random.run().engine.snapshot
  }
}
