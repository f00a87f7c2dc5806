import CoreLocation
import FencepostApple
import FencepostGeodesy
import FencepostNotifications
import Foundation
import Testing

@Suite("Dates, durations, zones and locations of an app")
struct FoundationTests {
  private let newYork = TimeZone(identifier: "America/New_York") ?? .gmt
  /// 07:00 in New York.
  private let date = noonDate

  @Test("are those of the core")
  func values() throws {
    #expect(ClockZone(newYork).identifier == "America/New_York")
    // Without a slash, a name is ambiguous to the core; its offset is not.
    #expect(ClockZone(try #require(TimeZone(identifier: "Japan"))).identifier == "+09:00")
    #expect(LocalTime(date, in: newYork) == LocalTime("2026-03-04T07:00"))
    #expect(TimeOfDay(date, in: newYork) == TimeOfDay("07:00"))
    #expect(NotificationTrigger.at(date) == .at(milliseconds: noon))
    #expect(IntervalTrigger(.seconds(90), repeats: true)?.milliseconds == 90_000)
    #expect(IntervalTrigger(.seconds(59), repeats: true) == nil)
    let request = timed("entry.1", at: noon)
    #expect(
      request.snoozed(for: .seconds(600), at: date)
        == request.snoozed(until: date.addingTimeInterval(600)))
    #expect(NextFire.at(noon).date == date && NextFire.never.date == nil)
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 39.95, longitude: -75.16), altitude: 0,
      horizontalAccuracy: 5, verticalAccuracy: -1, course: -1, speed: -1, timestamp: date)
    let situation = NotificationScheduler.Situation(at: date, zone: newYork, location: location)
    #expect(situation.nowMilliseconds == noon && situation.zone == ClockZone(newYork))
    #expect(situation.location?.latitudeDegrees == 39.95)
  }

  @Test("make a reminder that follows the phone, or stays in a zone")
  func reminder() {
    let content = NotificationContent(title: "Tea")
    let here = Reminder(id: "tea", content: content, at: date)
    #expect(here.anchor == .floating)
    let there = Reminder(id: "tea", content: content, at: date, zone: newYork)
    #expect(there.anchor == .fixed(ClockZone(newYork)))
    #expect(
      there.requests(askedMilliseconds: noon - 1).first?.nextFire(
        afterMilliseconds: noon - 1, in: .utc) == .at(noon))
    var list: [NotificationRequest] = []
    SlidingWindow(length: .seconds(3600)).replace(
      [there], in: &list, at: date.addingTimeInterval(-7200))
    #expect(list.isEmpty)
    SlidingWindow(length: .seconds(3600)).replace(
      [there], in: &list, at: date.addingTimeInterval(-1800))
    #expect(list.count == 1)
  }
}
