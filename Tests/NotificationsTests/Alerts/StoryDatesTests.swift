import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostTime
import Foundation
import TestSupport
import Testing

@Suite("Dates of stories on another day")
struct StoryDatesTests {
  private static let hour: Int64 = 3_600_000

  private func decision(
    _ dates: StoryDates?, at time: Int64?, published: Int64? = nil, expires: Int64? = nil
  ) -> AlertEntry {
    var options = AlertOptions()
    options.dates = dates
    var policy = AlertPolicy(options: options)
    policy.explains = true
    let place = Place(
      id: "hall", coordinate: .init(latitudeDegrees: 39.95, longitudeDegrees: -75.15),
      publishedMilliseconds: published, expiresMilliseconds: expires)
    return policy.decide([.init(place, timeMilliseconds: time)])[0]
  }

  @Test("An entry keeps its time of day, as a calendar of the zone counts it, and moves to the day")
  func moves() throws {
    var random = SplitMix64(seed: 7)
    for identifier in ["America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Z"] {
      let zone = try #require(ClockZone(identifier: identifier))
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = TimeZone(identifier: identifier) ?? .gmt
      for _ in 0..<200 {
        let entered = Int64.random(in: 0..<2_000_000_000_000, using: &random)
        let date = Date(timeIntervalSince1970: Double(entered / 1000))
        var parts = calendar.dateComponents([.hour, .minute, .second], from: date)
        // No clock changes on this day.
        (parts.year, parts.month, parts.day) = (2026, 7, 14)
        let moved = try #require(calendar.date(from: parts))
        var options = AlertOptions()
        options.dates = StoryDates("2026-07-14", in: zone)
        #expect(
          options.dateMilliseconds(ofEntryAt: entered)
            == Int64(moved.timeIntervalSince1970) * 1000 + entered % 1000,
          "\(identifier) \(entered)")
      }
    }
  }

  @Test("A story published after the walk alerts on a later day, from the hour of its publication")
  func published() throws {
    // The walk is at noon of 2026-03-04; the story appears on 2026-07-14 at noon.
    let published = try #require(ISO8601.milliseconds(parsing: "2026-07-14T12:00:00Z"))
    func reason(_ day: String?, _ time: Int64? = noon) -> SuppressionReason? {
      decision(day.flatMap { StoryDates($0, in: .utc) }, at: time, published: published).decision
        .suppressionReason
    }
    #expect(reason(nil) == .notPublished)
    #expect(reason("2026-07-13") == .notPublished)
    #expect(reason("2026-07-14") == nil)
    #expect(reason("2026-07-14", noon - 1) == .notPublished)
    #expect(reason("2027-01-01") == nil)
    #expect(reason("ignore") == nil)
    #expect(reason("2026-07-13", nil) == nil)
    #expect(
      decision(StoryDates("2027-01-01", in: .utc), at: noon, expires: published).decision
        == .suppressed(.expired))
  }

  @Test("Only the dates move: an alert keeps its time, and the cooldown counts recorded times")
  func onlyDates() {
    var options = AlertOptions()
    options.dates = StoryDates("2030-01-01", in: .utc)
    var policy = AlertPolicy(options: options)
    let place = Place(id: "a", coordinate: .init(latitudeDegrees: 0, longitudeDegrees: 0))
    let week = 7 * 24 * Self.hour
    let decisions = policy.decide([
      .init(place, timeMilliseconds: noon), .init(place, timeMilliseconds: noon + week - 1),
      .init(place, timeMilliseconds: noon + week),
    ]).map(\.decision)
    #expect(
      decisions == [
        .alert(deliveryMilliseconds: noon, group: []), .suppressed(.cooldown),
        .alert(deliveryMilliseconds: noon + week, group: []),
      ])
  }

  @Test("The check of the dates says as which time an entry counts, or that dates do not apply")
  func check() throws {
    let day = StoryDates("2026-07-14", in: .utc)
    let moved = try #require(ISO8601.milliseconds(parsing: "2026-07-14T12:00:00Z"))
    let checks = ([day, .ignored, nil] as [StoryDates?]).map {
      decision($0, at: noon, published: 1).checks[0]
    }
    #expect(checks.map(\.outcome) == [.passed, .notApplied, .passed])
    #expect(checks[0].inputs.map(\.name) == ["entered", "counts-as", "published", "expires"])
    #expect(checks[0].inputs[1].value == .instant(moved))
    #expect(checks[1].inputs == checks[2].inputs)
  }

  @Test("Days and ignore are read, and saved rules without dates stay valid")
  func text() throws {
    let zone = try #require(ClockZone(identifier: "Europe/Berlin"))
    for text in ["ignore", "2026-07-14", "1969-12-31"] {
      var options = AlertOptions()
      options.dates = StoryDates(text, in: zone)
      #expect(options.dates?.text == text)
      let saved = try JSONEncoder().encode(options)
      #expect(try JSONDecoder().decode(AlertOptions.self, from: saved) == options)
    }
    for text in ["recorded", "2026-02-30", "2026-7-14", ""] {
      #expect(StoryDates(text, in: zone) == nil, "\(text)")
    }
  }
}
