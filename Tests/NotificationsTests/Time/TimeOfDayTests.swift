import FencepostNotifications
import Testing

@Suite("Times of day")
struct TimeOfDayTests {
  @Test(
    "a time of day is read to the second",
    arguments: [("00:00", 0), ("08:30", 30600), ("23:59:59", 86399)])
  func timeOfDay(text: String, second: Int) throws {
    let time = try #require(TimeOfDay(text))
    #expect(time.secondOfDay == second)
    #expect(time.description == text)
  }

  @Test(
    "an invalid time of day is refused",
    arguments: ["24:00", "8:30", "08:60", "08-30", "08:30:60", "08:30:", "", "08:3é"])
  func noTimeOfDay(text: String) {
    #expect(TimeOfDay(text) == nil)
  }
}
