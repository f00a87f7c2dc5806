import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces
import FencepostReporting
import FencepostStudio
import Foundation
import SampleStories
import TestSupport
import Testing

@Suite(
  "Sessions and times in the studio", .serialized,
  .onOwnThreads, .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
struct StudioSessionTests {

  /// The text of the session that Export would download.
  private func session(_ studio: StudioPage) throws -> String {
    try #require(
      try studio.browser.value(
        """
        (async () => {
          let blob = null;
          const make = URL.createObjectURL;
          URL.createObjectURL = one => { blob = one; return make.call(URL, one); };
          document.getElementById('export').click();
          document.getElementById('export-session').click();
          URL.createObjectURL = make;
          document.getElementById('dialog').close();
          return blob.text();
        })()
        """) as? String)
  }

  private func drop(_ studio: StudioPage, _ name: String, _ text: String) throws {
    let quoted = String(decoding: try JSONSerialization.data(withJSONObject: [text]), as: UTF8.self)
    _ = try studio.browser.value(
      """
      (() => { const data = new DataTransfer();
      data.items.add(new File(\(quoted), '\(name)'));
      dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true })); })()
      """)
  }

  @Test("A session's file opens the same view again: moment, stories, rules and phone")
  func reopens() throws {
    let studio = try StudioPage()
    try studio.waitForNextAnswer { try studio.type("profile", in: "rules", "iphone") }
    try studio.waitForNextAnswer { try studio.type("seed", in: "rules", "11") }
    try studio.choose("liberty-bell-center")
    try studio.waitForNextAnswer { try studio.type("title", in: "story", "Glöckchen ✓") }
    try studio.waitForNextAnswer { try studio.type("limit", in: "rules", "9") }
    _ = try studio.browser.value("studio.player.seek(600000)")
    let (text, result) = (try session(studio), try studio.result())

    let other = try StudioPage()
    try other.waitForNextAnswer { try other.type("limit", in: "rules", "2") }
    try other.waitForNextAnswer { try drop(other, "studio-session.json", text) }
    try other.browser.wait("the moment is not there", until: "studio.player.now === 600000")
    #expect(try other.browser.value("studio.chosen") as? String == "liberty-bell-center")
    #expect(
      try other.browser.value("studio.edits.places.get('liberty-bell-center').title") as? String
        == "Glöckchen ✓")
    #expect(try other.number("studio.edits.rules.limit") == 9)
    #expect(try other.number("studio.edits.rules.seed") == 11)
    #expect(try other.browser.value("studio.edits.rules.profile") as? String == "iphone")
    #expect(try other.result()[0] == result[0])
    #expect(try other.text("notices") == "")
    #expect(try session(other) == text)
    // It is one step, and can be undone.
    try other.waitForNextAnswer { try other.click("undo") }
    #expect(try other.number("studio.edits.rules.limit") == 2)
    #expect(other.browser.complaints == [])
  }

  @Test("A session that does not fit is said in a sentence, and what there is of it is shown")
  func misfits() throws {
    let studio = try StudioPage()
    try studio.waitForNextAnswer { try studio.type("limit", in: "rules", "9") }
    let text = try session(studio)
    let other = try StudioPage(["ride.gpx"])
    try other.waitForNextAnswer { try drop(other, "yesterday.json", text) }
    try other.waitForNotice("yesterday.json shows a walk that is not open here: walk.gpx.")
    #expect(try other.number("studio.edits.rules.limit") == 9)
    #expect(try other.browser.value("studio.track.name.endsWith('ride.gpx')") as? Bool == true)

    try drop(other, "cut.json", String(text.prefix(text.count / 2)))
    try other.waitForNotice("cut.json is cut off or damaged")
    try drop(
      other, "newer.json", text.replacingOccurrences(of: "\"version\": 1", with: "\"version\": 2"))
    try other.waitForNotice("newer.json is a session of version 2; this studio opens version 1.")
    try drop(other, "studio-session.json", "{\"type\":\"FeatureCollection\"}")
    try other.waitForNotice("studio-session.json is not a session of the studio.")
    try drop(
      other, "wild.json", text.replacingOccurrences(of: "\"limit\": 9", with: "\"limit\": \"x\""))
    try other.waitForNotice("wild.json has rules or stories that cannot be read.")
    try drop(
      other, "nokia.json",
      text.replacingOccurrences(of: "\"profile\": \"\"", with: "\"profile\": \"nokia\""))
    try other.waitForNotice("nokia.json uses the profile nokia")
    #expect(other.browser.complaints == [])
  }

  /// Types a time into the field of the moment.
  private func goTo(_ studio: StudioPage, _ text: String) throws {
    _ = try studio.browser.value(
      """
      (() => { const field = document.getElementById('clock'); field.focus(); field.value = '\(text)';
      field.dispatchEvent(new Event('input')); field.dispatchEvent(new Event('change')); field.blur(); })()
      """)
  }

  @Test("The clock takes times with and without a zone, and shows whose they are")
  func clock() throws {
    let studio = try StudioPage { try $0.show(zone: "America/New_York") }
    #expect(try studio.text("clock-zone") == "(America/New_York)")
    let start = try studio.number("studio.track.time[0]")
    let wanted = start + 600_000
    let utc = try #require(
      try studio.browser.value("new Date(\(wanted)).toISOString().slice(0, 19)") as? String)
    let local = try #require(
      try studio.browser.value(
        "new Date(\(wanted)).toLocaleString('sv-SE', { timeZone: 'America/New_York' })") as? String)
    let ahead = try #require(
      try studio.browser.value("new Date(\(wanted + 5_400_000)).toISOString().slice(0, 19)")
        as? String)
    for text in [utc + "Z", local, String(local.suffix(8)), ahead + "+01:30", utc + " UTC"] {
      _ = try studio.browser.value("studio.player.seek(0)")
      try goTo(studio, text)
      try studio.browser.wait(
        "\(text) is not gone to", until: "Math.abs(studio.state.position.time - \(wanted)) < 1000")
    }
    #expect(try studio.text("clock-zone") == "(America/New_York)")
    try studio.browser.wait(
      "the field does not show it", until: "document.getElementById('clock').value === '\(local)'")
    // What is no time, or not on the track, is refused in words.
    for text in ["noon", "2026-02-30 10:00", "1999-01-01 00:00"] {
      try goTo(studio, text)
      #expect(
        try studio.browser.value("document.getElementById('clock').validationMessage") as? String
          != "", "\(text)")
    }
  }

  @Test("A story's times are those of the session's zone, whichever zone is typed")
  func storyTimes() throws {
    let studio = try StudioPage { try $0.show(zone: "-05:00") }
    try studio.choose("liberty-bell-center")
    let published = "studio.edits.places.get('liberty-bell-center').published"
    for (text, iso) in [
      ("2026-03-04 12:00", "2026-03-04T17:00:00Z"), ("2026-03-04T12:00Z", "2026-03-04T12:00:00Z"),
      ("2026-03-04 12:00:05+01:00", "2026-03-04T11:00:05Z"), ("2026-03-04", "2026-03-04T05:00:00Z"),
    ] {
      try studio.waitForNextAnswer { try studio.type("published", in: "story", text) }
      #expect(try studio.browser.value(published) as? String == iso)
    }
    let field = "document.querySelector('#story [name=published]')"
    #expect(try studio.browser.value("\(field).value") as? String == "2026-03-04 00:00:00")
    #expect(
      try studio.browser.value("\(field).labels[0].innerText") as? String == "Published (-05:00)")
    try studio.type("published", in: "story", "soon")
    #expect(try studio.browser.value(published) as? String == "2026-03-04T05:00:00Z")
    try studio.waitForNextAnswer { try studio.type("published", in: "story", "") }
    #expect(try studio.browser.value("\(published) === undefined") as? Bool == true)
  }
}
