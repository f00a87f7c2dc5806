import Foundation
import FencepostStateDatabase
import FencepostStateFile
import TestSupport
import Testing

/// Unusable lines are counted and reported, as in files.
@Suite("A stream of several devices")
struct LiveDeviceTests {
  private static func run(_ text: String, _ more: [String] = []) throws -> Command.Result {
    try Command.run(
      ["live", "-", "--places", LiveSample.places, "--device-field", "id"] + more, input: text)
  }

  /// The summaries' counts of what was rejected.
  private static func rejected(_ output: String) -> [String] {
    output.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /"rejected":(\{[^}]*\})/).map { String($0.1) }
    }
  }

  private static func fix(_ device: String, _ second: Int, _ latitude: Double = 40) -> String {
    #"{"id":"\#(device)","time":\#(1_772_649_000 + second),"lat":\#(latitude),"lon":-75}"# + "\n"
  }

  @Test("without a readable line is bad input, and reports at once what is wrong")
  func nothing() throws {
    let cases = [
      ("hello\nworld\n", "unexpected “h” in JSON"), ("[1]\n2\n", "not a JSON object"),
      (#"{"lat":1,"lon":2}"# + "\n\n" + #"{"name":"a"}"#, "no member “id” to name the device"),
      (
        (0..<2).map { Self.fix(String(repeating: "x", count: 201), $0) }.joined(),
        "the device's name must have 1 to 200 bytes"
      ),
    ]
    for (text, reason) in cases {
      let result = try Self.run(text)
      #expect(result.status == 65)
      #expect(Self.rejected(result.output) == [#"{"malformed":2}"#])
      #expect(!result.output.contains("\"device\""))
      #expect(
        result.errors == "fencepost: standard input: line 1: \(reason); such lines are counted in "
          + "the summary\nfencepost: standard input: no fix; rejected: malformed 2\n")
    }
  }

  @Test("reports each unreadable line on request")
  func verbose() throws {
    let result = try Self.run(
      "x\n" + Self.fix("a", 0) + #"{"lat":1}"# + "\n" + #"{"id":"a","lat":91,"lon":0}"#,
      ["--verbose"])
    #expect(result.status == 65)
    #expect(
      result.errors
        == """
        fencepost: line 1: malformed: unexpected “x” in JSON
        fencepost: line 3: malformed: no member “id” to name the device
        fencepost: a: line 4: coordinate
        fencepost: stdin, lines without a device: 2 fixes were refused (malformed 2), only 1 \
        accepted

        """)
  }

  @Test("has a summary for each device, and one for lines without a device")
  func summaries() throws {
    let good = (0..<5).map { Self.fix("a", $0, 40 + Double($0) / 1000) }.joined()
    let result = try Self.run(good + "noise\n" + Self.fix("b", 0) + Self.fix("b", 0))
    #expect(result.status == 0)
    #expect(Self.rejected(result.output) == ["{}", #"{"duplicate":1}"#, #"{"malformed":1}"#])
  }

  @Test("with one device that loses more than it keeps is bad input, and the others are followed")
  func loss() throws {
    let result = try Self.run(
      (0..<5).map { Self.fix("a", $0, 40 + Double($0) / 1000) }.joined()
        + #"{"id":"b","lat":91,"lon":0}"# + "\n" + Self.fix("b", 0)
        + #"{"id":"b","lat":40,"lon":-181}"#)
    #expect(result.status == 65)
    #expect(
      result.errors
        == "fencepost: stdin, b: 2 fixes were refused (coordinate 2), only 1 accepted\n")
    #expect(result.output.contains(#""device":"a","fixes":5"#))
  }

  @Test("continues its counts after a restart")
  func restart() throws {
    let scratch = try Scratch()
    let state = ["--state", scratch.path("state")]
    let first = try Self.run("x\n" + Self.fix("a", 0) + Self.fix("a", 1, 40.001), state)
    #expect(first.status == 0)
    let second = try Self.run(Self.fix("a", 2, 40.002) + "y\n", state)
    #expect(second.status == 0)
    #expect(Self.rejected(second.output) == ["{}", #"{"malformed":2}"#])
    #expect(second.output.contains(#""fixes":3"#))
  }

  @Test("of more devices than are allowed forgets those heard least, says so once, and saves it")
  func tooMany() throws {
    let scratch = try Scratch()
    let places = try scratch.write("places.csv", "id,title,lat,lon,radius\nmill,Mill,40,-75,50\n")
    let arguments = [
      "live", "-", "--places", places, "--device-field", "id", "--max-gap", "none",
      "--max-devices", "3", "--state", scratch.path("state"), "--events", "alert",
    ]
    let names = (0..<30).map { "made-up-\($0)" }
    // Two devices walk into the circle, out, and in again, while others are made up.
    var count = 0
    var output = ""
    var errors = ""
    // Who was heard once gives way first, so both are heard before the others.
    let beginning = ["a", "b"].map { Self.fix($0, -60, 40.02) }.joined()
    for latitudes in [[40.01, 40.0], [40.01, 40.0], [40.01]] {
      var text = count == 0 ? beginning : ""
      for latitude in latitudes {
        for id in ["a", "b"] { text += Self.fix(id, 60 * count, latitude) }
        text += names[(5 * count)..<(5 * count + 5)].map { Self.fix($0, 60 * count, 41) }.joined()
        count += 1
      }
      // Each part is followed by a session of its own, which goes on from the state.
      let result = try Command.run(arguments, input: text)
      #expect(result.status == 0)
      output += result.output
      errors += result.errors
      let file = try StateDatabase(path: scratch.path("state"))
      let kept = try file.update { try $0.ids(kind: "session") }
      try file.close()
      #expect(kept.sorted() == ["a", "b", names[5 * count - 1]])
    }
    // The cooldown of each holds.
    let alerts = output.matches(of: /"type":"alert".*?"device":"([^"]*)"/).map { $0.1 }
    #expect(alerts.sorted() == ["a", "b"])
    #expect(
      errors.contains(
        "more than 3 devices: forgot “made-up-0” to follow “made-up-1”. From now on each new device "
          + "replaces one. To follow more, use --max-devices."))
    #expect(errors.matches(of: /more than 3 devices/).count == 3)
  }

  @Test("counts no line twice after a restart")
  func killed() throws {
    let scratch = try Scratch()
    let state = scratch.path("state")
    let text = Data(("x\n" + Self.fix("a", 0) + "y\n").utf8)
    let arguments = [
      "live", "-", "--places", LiveSample.places, "--device-field", "id", "--state", state,
    ]
    for _ in 0..<3 {
      let live = try LiveProcess(nil, arguments)
      if try LiveSample.consumedCount(state) == 0 { try live.write(text) }
      try live.wait("the input was not read") { _ in
        try LiveSample.consumedCount(state) == text.count
      }
      live.signal(SIGKILL)
      try live.end()
    }
    let last = try Command.run(arguments)
    #expect(Self.rejected(last.output) == ["{}", #"{"malformed":2}"#])
  }
}
