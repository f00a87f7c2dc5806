import FencepostAnalysis
import Foundation
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostStudio
import Testing

@Suite("The map's state")
struct LiveMapStateTests {
  private static func makeState(_ limits: LiveMapState.Limits = LiveMapState.Limits())
    -> LiveMapState
  {
    LiveMapState(
      limits: limits,
      breaks: PathBreaks(maxGapMilliseconds: 600_000, maxSpeedMetersPerSecond: 340), onChange: {})
  }

  @Test("Everything kept is bounded")
  func bounded() {
    var limits = LiveMapState.Limits()
    limits.changes = 50
    limits.alerts = 5
    limits.suppressed = 4
    limits.vertices = 30
    let mapState = Self.makeState(limits)
    for index in 0..<5000 {
      mapState.take(MapScene.position(40 + 0.001 * Double(index), seconds: Int64(index)))
      mapState.take(MapScene.alert("alert \(index)"))
      mapState.take(MapScene.suppressed("held \(index)", "cooldown"))
    }
    let contents = mapState.contents
    #expect(contents.sequence == 15_000)
    #expect(contents.alerts.count == 5)
    #expect(contents.suppressed.count == 4)
    var sketch = contents.devices[""]?.sketch
    let vertices = sketch?.finish().reduce(0) { $0 + $1.count } ?? 0
    #expect(2...30 ~= vertices)
    #expect(mapState.changes(after: 14_999)?.changes.count == 1)
    #expect(mapState.changes(after: 15_000)?.changes.isEmpty == true)
    #expect(mapState.changes(after: 15_001) == nil)
    #expect(mapState.changes(after: 14_000) == nil)
  }

  @Test("The first devices are shown; a long silent one gives way to another")
  func devices() {
    var limits = LiveMapState.Limits()
    limits.devices = 3
    let mapState = Self.makeState(limits)
    for name in ["a", "b", "c", "d"] { mapState.take(MapScene.position(40, device: name)) }
    #expect(Set(mapState.contents.devices.keys) == ["a", "b", "c"])
    #expect(mapState.contents.unshownFixes == 1)
    for index in 0..<100 {
      mapState.take(MapScene.position(40, device: "a", seconds: Int64(index)))
      mapState.take(MapScene.position(40, device: "c", seconds: Int64(index)))
    }
    mapState.take(MapScene.position(40, device: "d"))
    #expect(Set(mapState.contents.devices.keys) == ["a", "c", "d"])
  }

  @Test("The path breaks where the engine breaks it")
  func breaks() throws {
    let mapState = Self.makeState()
    mapState.take(MapScene.position(40, seconds: 0))
    mapState.take(MapScene.position(40.001, seconds: 60))
    mapState.take(MapScene.position(40.002, seconds: 60 + 601))
    mapState.take(MapScene.position(41, seconds: 60 + 602))
    var sketch = try #require(mapState.contents.devices[""]?.sketch)
    #expect(sketch.finish().map(\.count) == [2, 1, 1])
  }

  @Test(
    "Every suppressed enter has a sentence with the reason",
    arguments: [
      ("cooldown", "It has alerted within the last 7 days."),
      ("quiet-hours", "It was during quiet hours, from 22:05 to 07:00, GMT."),
      ("driving", "You were moving too fast, above 20 km/h, within the last two minutes."),
      ("not-published", "The story is not published yet."), ("expired", "The story has expired."),
      (
        "grouped",
        "Another story at the same position alerted at the same moment and names this one."
      ),
      ("budget", "No notification slot was free."), ("new-reason", "new-reason"),
    ])
  func words(reason: String, sentence: String) throws {
    var options = AlertOptions()
    options.maxAlertSpeedMetersPerSecond = 20 / 3.6
    options.quietHours = QuietHours(
      start: try #require(TimeOfDay("22:05")), end: try #require(TimeOfDay("07:00")),
      zone: try #require(ClockZone(identifier: "GMT")))
    #expect(SuppressionWords(alerts: options).sentence(reason) == sentence)
  }

  @Test("Every suppression reason has words")
  func allWords() {
    let words = SuppressionWords(alerts: AlertOptions())
    for reason in SuppressionReason.allCases {
      #expect(words.sentence(reason.rawValue).hasSuffix("."))
    }
  }
}
