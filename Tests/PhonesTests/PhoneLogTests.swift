import FencepostPhones
import Testing

@Suite("Logs of phones")
struct PhoneLogTests {
  private static let noon = 1_772_625_600.0

  private func entries(_ text: String) throws -> [PhoneLog.Entry] {
    try PhoneLog(parsing: Array(text.utf8)).entries
  }

  @Test(
    "Every form says when which circle was entered or left",
    arguments: [
      "time,place,event\n2026-03-04T12:00:00Z,Home,enter\n2026-03-04T12:10:00Z,Home,exit\n",
      "time, place, event\n2026-03-04T12:00:00Z, Home, enter\n2026-03-04T12:10:00Z , Home , exit",
      "Fence;Timestamp;Type\nHome;1772625600;entered\nHome;1772626200;left\n",
      """
      {"type":"enter","time":"2026-03-04T12:00:00Z","place":"Home"}
      {"type":"exit","time":"2026-03-04T12:10:00Z","place":"Home"}
      """,
      """
      {"_type":"transition","event":"enter","desc":"Home","tst":1772625600,"wtst":1}
      {"_type":"transition","event":"leave","desc":"Home","tst":1772626200,"wtst":1}
      """,
      "2026-03-04T12:00:00Z\t*  \t{\"_type\":\"transition\",\"event\":\"enter\",\"desc\":\"Home\","
        + "\"tst\":1772625600}\n2026-03-04T12:10:00Z\t*  \t{\"_type\":\"transition\","
        + "\"event\":\"leave\",\"desc\":\"Home\",\"tst\":1772626200}\n",
      """
      entity_id,state,last_changed
      person.anna,not_home,2026-03-04T11:00:00.000Z
      person.anna,Home,2026-03-04T12:00:00.000Z
      sensor.steps,12,2026-03-04T12:01:00.000Z
      person.anna,unknown,2026-03-04T12:02:00.000Z
      person.anna,not_home,2026-03-04T12:10:00.000Z
      """,
      """
      [[{"entity_id":"person.anna","state":"not_home","last_changed":"2026-03-04T11:00:00+00:00"},
        {"state":"Home","last_changed":"2026-03-04T12:00:00+00:00"},
        {"state":"not_home","last_changed":"2026-03-04T12:10:00+00:00"}]]
      """,
    ])
  func forms(text: String) throws {
    let entries = try entries(text)
    #expect(entries.map(\.side) == [.enter, .exit])
    #expect(entries.map(\.seconds) == [Self.noon, Self.noon + 600])
    #expect(entries.map(\.place) == ["Home", "Home"])
  }

  @Test(
    "e-mission's exits name no circle, on a phone as on its server",
    arguments: ["\"T_EXITED_GEOFENCE\"", "\"local.transition.exited_geofence\"", "1"])
  func eMission(transition: String) throws {
    let entries = try entries(
      """
      [{"metadata": {"key": "statemachine/transition", "write_ts": 1772625600.4},
        "data": {"curr_state": 1, "transition": \(transition), "ts": 1772625600.25}},
       {"metadata": {"key": "statemachine/transition", "write_ts": 1772625601},
        "data": {"curr_state": 1, "transition": "T_TRIP_STARTED", "ts": 1772625601}}]
      """)
    let exit = PhoneLog.Entry(line: 1, side: .exit, seconds: Self.noon + 0.25, place: nil)
    #expect(entries == [exit])
  }

  @Test(
    "A bad log is named by its line",
    arguments: [
      (
        "time,place,event\n2026-03-04T12:00:00Z,Home,nearby\n",
        "line 2: event must be enter or exit, not \"nearby\""
      ),
      (
        "time,place,event\n\nnoon,Home,enter\n",
        "line 3: expected a time such as 2026-03-04T17:00:12Z, found \"noon\""
      ),
      ("time,place,event\n2026-03-04T12:00:00Z,Home\n", "line 2: the row has too few fields"),
      (
        "time,place,event\n2026-03-04T12:00:00Z,\"Home,enter\n",
        "line 2: the quote that opens here is not closed"
      ),
      (
        "name,lat,lon\nHome,1,2\n",
        "line 1: not a phone's log; a table needs the columns time, place and event"
      ),
      (
        "{\"_type\":\"transition\",\"event\":\"enter\",\"tst\":1772625600}\n{\"_type\":\n",
        "line 3: the JSON text ends too early"
      ),
      (
        "{\"_type\":\"location\",\"tst\":1772625600}\n",
        "line 1: the file reports no entry or exit"
      ),
      (
        "{\"_type\":\"transition\",\"event\":\"enter\"}\n",
        "line 1: expected a time such as 2026-03-04T17:00:12Z, found \"\""
      ),
      (
        "entity_id,state,last_changed\nperson.a,x,2026-03-04T12:00Z\nperson.b,x,2026-03-04T12:00Z\n",
        "line 3: person.b is a second phone; keep only person.a"
      ),
    ])
  func bad(text: String, sentence: String) {
    let error = #expect(throws: PhoneLogError.self) { try entries(text) }
    #expect(error?.description == sentence)
  }
}
