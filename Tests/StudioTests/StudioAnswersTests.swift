import FencepostSession
import FencepostAnalysis
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostReporting
import FencepostStudio
import SampleStories
import Testing

/// The engine of the studio's page, as the page asks it.
@Suite("Answers to the studio's page")
struct StudioAnswersTests {
  private let answers: StudioAnswers
  private let tracks: [RecordedTrack]
  private let places: [Place]

  init() throws {
    let store = try SampleAnalysis.store()
    places = try store.allPlaces()
    tracks = try ["walk.gpx", "ride.gpx", "drive.nmea"].map {
      try RecordedTrack(path: SampleStories.track($0))
    }
    answers = try StudioAnswers(
      base: places, setting: StudioSetting(),
      phones: [StudioPhone(word: "iphone", profile: BuiltInProfile.iphone.profile)], zone: .utc)
    for track in tracks { answers.add(track) }
  }

  private static let rules = """
    {"limit":20,"distance":500,"rank":"center","refresh":"fixed","initial":"silent","margin":0,\
    "cooldown":"604800","quiet":"","zone":"Z","dates":"recorded","speed":null,"interval":0,"hold":0,\
    "fixes":1,"dwell":null,"alertOn":"enter","test":"path","accuracy":"ignore","profile":"PHONE",\
    "trials":20,"seed":7}
    """

  private func question(
    _ track: Int, changes: String = "{}", phone: String = "", _ more: String = ""
  ) -> String {
    let rules = Self.rules.replacing("PHONE", with: phone)
    return #"{"number":3,"track":\#(track),"changes":\#(changes),"rules":\#(rules)\#(more)}"#
  }

  private func ask(_ path: String, _ body: String = "") throws -> JSONNode {
    let answer = try answers.answer(path, Array(body.utf8).span)
    return JSONNode(try JSONValue(parsing: String(decoding: answer, as: UTF8.self)))
  }

  /// Takes steps until none is left, and returns how many there were.
  private func finish(_ name: String = "") throws -> Int {
    var steps = 1
    while try ask("step", name).member("more").boolean() { steps += 1 }
    return steps
  }

  @Test("A change is offered with the alerts that it gains, and none without a gain")
  func remedies() throws {
    // Next to the walk, and expired long before it.
    let start = try #require(tracks[0].fixes.dropFirst(900).first?.coordinate)
    let north = Geodesic.direct(from: start, azimuthDegrees: 0, distanceMeters: 60)
    let place = """
      {"id":"aside","title":"Aside","lat":\(north.latitudeDegrees),"lon":\(north.longitudeDegrees),\
      "radius":20,"expires":"2001-01-01T00:00:00Z"}
      """
    for phone in ["", "iphone"] {
      let asked = question(
        0, changes: #"{"aside":\#(place)}"#, phone: phone, #","story":"aside""#)
      _ = try ask("remedy", asked)
      while try ask("step", "remedy").member("more").boolean() {}
      let found = try ask("remedies")
      #expect(try found.member("done").boolean())
      #expect(try found.member("undated").boolean())
      let (radius, gain) = (
        try found.member("radius").double(), try found.member("gain").double()
      )
      #expect(radius > 20 && gain > 0.3, "\(phone) \(radius) \(gain)")
      // The gain is that of a run with the change.
      guard phone.isEmpty else { continue }
      let changed = place.replacing(#""radius":20"#, with: #""radius":\#(radius)"#)
        .replacing(#","expires":"2001-01-01T00:00:00Z""#, with: "")
      func alerts(_ changes: String) throws -> Int {
        _ = try ask("try", question(0, changes: #"{"aside":\#(changes)}"#))
        _ = try finish()
        return try ask("progress").member("tracks").elements().reduce(0) {
          $0 + (try $1.elements()[1].integer())
        }
      }
      #expect(try Double(alerts(changed) - alerts(place)) == gain.rounded())
    }
    let far = question(0, phone: "iphone", #","story":"\#(places[0].id)""#)
      .replacing(
        #""changes":{}"#,
        with:
          #""changes":{"\#(places[0].id)":{"id":"\#(places[0].id)","lat":10,"lon":10,"radius":50}}"#
      )
    _ = try ask("remedy", far)
    while try ask("step", "remedy").member("more").boolean() {}
    #expect(try ask("remedies").optionalMember("gain") == nil)
  }

  @Test("Swapped coordinates are named, and swapping them is a remedy that keeps the story's dates")
  func swapped() throws {
    let fix = try #require(tracks[0].fixes.dropFirst(900).first?.coordinate)
    let changes = #"""
      {"lost":{"id":"lost","lat":\#(fix.longitudeDegrees),"lon":\#(fix.latitudeDegrees),"radius":80,
      "published":"2001-01-01T00:00:00Z"}}
      """#
    let asked = question(0, changes: changes, #","story":"lost""#)
    _ = try ask("try", asked)
    _ = try finish()
    #expect(try ask("headline").member("swapped").elements().map { try $0.string() } == ["lost"])
    _ = try ask("remedy", asked)
    while try ask("step", "remedy").member("more").boolean() {}
    let found = try ask("remedies")
    #expect(try found.member("swapped").boolean())
    #expect(try found.member("undated").boolean() == false)
    #expect(try found.member("radius").double() >= 80)
    #expect(try found.member("gain").double() >= 1)
  }

  @Test("The shown walk is answered at once with the alerts of a replay, the others by steps")
  func steps() throws {
    let source = try PlaceIndex(places)
    var alerts: [Int] = []
    for track in tracks {
      var session = TrackSession(name: track.name, source: source)
      session.selection = [.summary]
      session.follow(track.fixes) { _ in }
      session.finish(rejected: [:]) { _ in }
      alerts.append(session.summary.alerts)
    }
    #expect(alerts.reduce(0, +) > 10)
    let shown = try ask("try", question(1)).member("run").member("entries").elements()
    let kinds = try shown.map { try $0.elements()[6].string() }
    #expect(kinds.count { $0 == "alert" } == alerts[1])
    let begun = try ask("progress")
    #expect(try begun.member("done").integer() == 1)
    #expect(try begun.member("complete").boolean() == false)
    #expect(try finish() == 2)
    let progress = try ask("progress")
    #expect(try progress.member("complete").boolean())
    #expect(
      try progress.member("tracks").elements().map { try $0.elements()[1].integer() } == alerts)
    let sums = try progress.member("stories").elements().map { try $0.elements()[1].integer() }
    #expect(sums.reduce(0, +) == alerts.reduce(0, +))
    // Nothing is left, and a step does nothing.
    #expect(try finish() == 1)
  }

  @Test("A deleted story is in no answer, but the table has what alerted at the start")
  func deletes() throws {
    let entry = try #require(
      try ask("try", question(0)).member("run").member("stories").elements().first)
    let id = try entry.string()
    let without = try ask("try", question(0, changes: #"{"\#(id)":null}"#)).member("run")
    #expect(try !without.member("stories").elements().contains { try $0.string() == id })
    _ = try finish()
    let row = try ask("progress").member("stories").elements().first {
      try $0.elements()[0].string() == id
    }
    #expect(try row?.elements()[1].integer() == 0)
  }

  @Test("A story is explained in the words of explain")
  func explains() throws {
    let source = try PlaceIndex(places)
    let stories = StoryIndex(source.places)
    for id in ["liberty-bell-center", places[100].id] {
      let story = try #require(stories.index(ofID: id))
      let explainer = StoryExplainer(
        index: stories, source: source, session: TrackSessionOptions())
      let found = try #require(try explainer.explain(story, on: tracks[0]))
      var text = OutputBuffer()
      ExplanationWriter(found, zone: .utc).writeText(to: &text, layout: TextLayout())
      let lines = try ask("explain", question(0, #","story":"\#(id)""#)).member("lines")
      #expect(
        try lines.elements().map { try $0.string() }.joined(separator: "\n") == text.text)
    }
  }

  @Test("A phone is simulated walk by walk, and changing anything forgets it")
  func chances() throws {
    #expect(try ask("chances").member("question").integer() == -1)
    _ = try ask("try", question(2, phone: "iphone"))
    _ = try ask("chance", question(2, phone: "iphone"))
    #expect(try ask("chances").member("done").integer() == 0)
    #expect(try ask("step", "chances").member("more").boolean())
    let first = try ask("chances")
    #expect(try first.member("shown").elements().count > 0)
    #expect(try first.member("done").integer() == 1)
    _ = try finish("chances")
    #expect(try ask("chances").member("complete").boolean())
    let cells = try ask("cells").member("cells").elements().map { try $0.integer() }
    #expect(stride(from: 7, to: cells.count, by: 8).contains { cells[$0] > 0 })
    _ = try ask("try", question(2))
    #expect(try ask("chances").member("question").integer() == -1)
  }

  @Test("The nearest walk is that of all walks, also of a moved story")
  func nearest() throws {
    let all = try ask("nearest", question(0))
    #expect(try all.member("millimeters").elements().count == places.count)
    let place = places[3]
    let fix = tracks[1].fixes[10].coordinate
    let moved = #"""
      {"\#(place.id)":{"id":"\#(place.id)","lat":\#(fix.latitudeDegrees),"lon":\#(fix.longitudeDegrees)}}
      """#
    let near = try ask("nearest", question(0, changes: moved))
    #expect(try near.member("stories").elements().map { try $0.string() } == [place.id])
    #expect(try near.member("millimeters").elements()[0].integer() == 0)
    #expect(try near.member("tracks").elements()[0].integer() == 1)
  }

  @Test(
    "What cannot be answered is refused with a sentence",
    arguments: [
      ("try", "{", "the request cannot be read"),
      ("try", "{}", "\"number\" is missing"),
      ("walk", "", "the studio does not answer walk"),
      ("chance", "", "the request cannot be read"),
    ])
  func refusals(path: String, body: String, sentence: String) {
    #expect {
      try answers.answer(path, Array(body.utf8).span)
    } throws: {
      "\($0)".contains(sentence)
    }
  }

  @Test("A setting that cannot be is refused, and the answers before it stay")
  func settings() throws {
    _ = try ask("try", question(0))
    for (wrong, sentence) in [
      (question(0, phone: "abacus"), "there is no profile “abacus”"),
      (question(0).replacing("\"limit\":20", with: "\"limit\":0"), "limit: must be at least 1"),
      (question(0).replacing("\"quiet\":\"\"", with: "\"quiet\":\"9\""), "two times of day"),
      (question(0, changes: #"{"a":{"id":"b","lat":1,"lon":2}}"#), "a different id"),
      (question(0, changes: #"{"a":{"id":"a","lat":91,"lon":2}}"#), "not on the globe"),
    ] {
      #expect {
        try ask("try", wrong)
      } throws: {
        "\($0)".contains(sentence)
      }
    }
    #expect(throws: StudioRefusal.self) { try ask("chance", question(0)) }
    #expect(throws: StudioRefusal.self) { try ask("explain", question(0, #","story":"none""#)) }
    #expect(try ask("progress").member("done").integer() == 1)
  }
}
