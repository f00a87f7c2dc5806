import FencepostFormats
import Testing

@Suite("JSON values")
struct JSONValueTests {
  @Test("hold what the text says")
  func tree() throws {
    let value = try JSONValue(
      parsing: #"{"a":[1,2.5,"x",null,true],"b":{"c":12345678901234567}}"#)
    #expect(value["a"]?.array?.count == 5)
    #expect(value["a"]?.array?[1].double == 2.5)
    #expect(value["b"]?["c"]?.integer == 12_345_678_901_234_567)
    #expect(value["zzz"] == nil)
    #expect(try JSONValue(parsing: "1e3").integer == 1000)
    #expect(try JSONValue(parsing: "1.5").integer == nil)
  }

  @Test(
    "fill the whole text",
    arguments: [
      ("", JSONError.Reason.truncated), ("[1", .truncated), ("[1] 2", .trailingText),
      ("{\"a\":1,\n\"a\":2}", .duplicateKey), ("{\"a\":{\"b\":}}", .unexpectedCharacter),
    ])
  func refused(text: String, reason: JSONError.Reason) throws {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.reason == reason)
  }

  @Test("report the line of a duplicate member")
  func duplicateLine() {
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: "{\"a\":1,\n\"a\":2}")
    }
    #expect(error?.line == 2)
    #expect(error?.description == "line 2, byte 8: the member \"a\" appears twice")
  }

  @Test("report the path to a fault")
  func paths() throws {
    let document = JSONNode(
      try JSONValue(
        parsing: #"{"reminders":[{"hour":8},{"hour":"nine","at":"2026-03-04T17:00:12Z"}]}"#))
    let reminders = try document.member("reminders").elements()
    #expect(try reminders[0].member("hour").integer() == 8)
    #expect(try reminders[1].member("at").instantMilliseconds() == 1_772_643_612_000)
    #expect(try reminders[0].optionalMember("at") == nil)
    func sentence(_ body: () throws(JSONPathError) -> Void) -> String {
      do throws(JSONPathError) {
        try body()
        return "none"
      } catch { return error.description }
    }
    #expect(
      sentence { () throws(JSONPathError) in _ = try reminders[1].member("hour").integer() }
        == "reminders[1].hour: expected a whole number, found a string")
    #expect(
      sentence { () throws(JSONPathError) in _ = try reminders[0].member("minute") }
        == "reminders[0]: \"minute\" is missing")
    #expect(
      sentence { () throws(JSONPathError) in _ = try document.elements() }
        == "the document: expected an array, found an object")
  }
}
