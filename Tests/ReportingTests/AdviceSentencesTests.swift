import Fencepost
import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostReporting
import Testing

@Suite("Advice in words")
struct AdviceSentencesTests {
  private static let start = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)

  private static func point(_ east: Double, _ north: Double) -> Coordinate {
    let along = Geodesic.direct(from: start, azimuthDegrees: 90, distanceMeters: east)
    return Geodesic.direct(from: along, azimuthDegrees: 0, distanceMeters: north)
  }

  /// Advice about a story north of two walks to the east.
  private func advise(
    _ kind: AdviceOptions.Kind, _ place: Place, _ change: (inout AdviceOptions) -> Void = { _ in }
  ) async throws -> Advice {
    let persons = [0.0, 12].map { north in
      let fixes = stride(from: 0.0, through: 1500, by: 50).map {
        Fix(coordinate: Self.point($0, north), timeMilliseconds: Int64($0) * 1000)
      }
      return PersonTracks(
        person: nil, tracks: [RecordedTrack(name: "walk \(north)", fixes: fixes)])
    }
    var options = AdviceOptions()
    options.kinds = [kind]
    change(&options)
    return try await Advisor(places: [place], persons: persons, options: options).advise()
  }

  @Test("A greater radius names the tracks that pass, and at which distance")
  func radius() async throws {
    let place = Place(id: "a", title: "Arch", coordinate: Self.point(700, 130), radiusMeters: 100)
    let proposal = try #require(try await advise(.radius, place).proposals.first)
    let sentences = AdviceSentences(proposal)
    #expect(sentences.change == "Radius 100 m to 135 m: Arch")
    #expect(
      sentences.why
        == "2 walks pass it at 118 m to 130 m, outside its circle of 100 m; a radius of 135 m reaches them"
    )
  }

  @Test("A smaller radius says that the phone was already inside")
  func shrink() async throws {
    let place = Place(id: "a", coordinate: Self.point(200, 0), radiusMeters: 280)
    let proposal = try #require(try await advise(.radius, place).proposals.first)
    let sentences = AdviceSentences(proposal)
    #expect(sentences.change.wholeMatch(of: /Radius 280 m to 1\d\d m: a/) != nil)
    #expect(sentences.why.hasPrefix("The phone was already inside when it began to watch"))
  }

  @Test("Other dates say by when to publish and until when to keep a story")
  func dates() async throws {
    // The walks are on 1970-01-01.
    var place = Place(id: "a", title: "Arch", coordinate: Self.point(700, 0))
    place.publishedMilliseconds = 86_400_000
    let later = AdviceSentences(try #require(try await advise(.dates, place).proposals.first))
    #expect(later.change == "Publish by 1970-01-01: Arch")
    #expect(
      later.why == "2 entries were held back, because the story is published on 1970-01-02")
    place.expiresMilliseconds = 0
    let both = AdviceSentences(try #require(try await advise(.dates, place).proposals.first))
    #expect(both.change == "Publish by 1970-01-01 and keep to the end of 1970-01-01: Arch")
    #expect(
      both.why.hasSuffix("because the story is published on 1970-01-02 and expired on 1970-01-01"))
    let silent = try await advise(.radius, place)
    #expect(
      AdviceWriter(silent).lines.contains(
        "The dates of stories held back 2 entries. To see which other dates would help: "
          + "--only dates"))
  }

  @Test("Shorter quiet hours say how many entries the old ones held back")
  func hours() async throws {
    // The walks enter at 9:10 in Tokyo.
    let zone = try #require(ClockZone(identifier: "Asia/Tokyo"))
    let start = try #require(TimeOfDay(secondOfDay: 8 * 3600))
    let end = try #require(TimeOfDay(secondOfDay: 10 * 3600))
    let place = Place(id: "a", title: "Arch", coordinate: Self.point(700, 0))
    let advice = try await advise(.hours, place) {
      $0.session.alerts.quietHours = QuietHours(start: start, end: end, zone: zone)
    }
    let sentences = AdviceSentences(try #require(advice.proposals.first))
    #expect(sentences.change == "Quiet hours: 08:00-09:00")
    #expect(
      sentences.why
        == "The quiet hours held back 2 entries at times that are no longer quiet. "
        + "From 22:00 to 07:00 nothing changes")
    let writer = AdviceWriter(advice)
    #expect(writer.optionsOfRule == ["--quiet-hours", "08:00-09:00"])
    #expect(written { writer.writeNDJSON(to: &$0) }.contains(#""quietHours":"08:00-09:00""#))
  }

  @Test("Losses name the days with too many, and what these had to lose at least")
  func losses() async throws {
    let place = Place(id: "a", title: "Arch", coordinate: Self.point(700, 0))
    let advice = try await advise(.drop, place) { $0.mostAfterwards = 0 }
    let sentences = AdviceSentences(try #require(advice.proposals.first), advice.options)
    #expect(sentences.change == "Drop: Arch")
    #expect(
      sentences.why
        == "Its alerts on days with more than 0: 2 of 2. "
        + "Alerts beyond 0 per reader and day: 2 before, 0 after")
    let lines = AdviceWriter(advice).lines
    #expect(
      lines.contains(
        "The days with too many had to lose at least 2; with these changes 2 alerts are lost in all"
      ))
    let none = try await advise(.drop, place) { $0.mostAfterwards = 1 }
    #expect(
      AdviceWriter(none).lines.first
        == "No day has more than 1 alert; keep the stories as they are")
  }

  @Test("The best possible is stated, and for which stories")
  func best() async throws {
    let place = Place(id: "a", title: "Arch", coordinate: Self.point(700, 130), radiusMeters: 100)
    let advice = try await advise(.radius, place) { $0.purpose = AdvicePurpose([place]) }
    let lines = AdviceWriter(advice).lines
    #expect(
      lines.contains(
        "No 10 changes of these kinds can bring more weighted alerts: this is the best possible"))
    #expect(lines.contains("Only alerts of 1 story count: 0 before, 2 after"))
    #expect(
      written { AdviceWriter(advice).writeNDJSON(to: &$0) }
        .contains(
          #""purpose":{"stories":1,"before":0,"after":2},"best":{"reached":2,"bound":2}"#))
    // Too far for any radius, but within reach of a move that is not allowed.
    let far = Place(id: "a", coordinate: Self.point(700, 320), radiusMeters: 100)
    let none = AdviceWriter(try await advise(.radius, far)).lines
    #expect(none.contains { $0.hasPrefix("No 10 changes of these kinds can bring more alerts") })
  }

  @Test("A move says how far and whereto")
  func position() async throws {
    let place = Place(id: "a", title: "Arch", coordinate: Self.point(700, 130), radiusMeters: 100)
    let advice = try await advise(.position, place) { $0.mostChanges = 1 }
    let sentences = AdviceSentences(try #require(advice.proposals.first))
    #expect(sentences.change.wholeMatch(of: /Move 3[12](\.\d)? m south: Arch/) != nil)
    #expect(sentences.why.contains("outside its circle of 100 m; from there the same circle"))
  }

  @Test("Without a proposal a sentence says so, in every form there is a line for it")
  func nothing() async throws {
    let place = Place(id: "a", coordinate: Self.point(700, 0), radiusMeters: 100)
    let advice = try await advise(.radius, place)
    var text = OutputBuffer()
    var lines = OutputBuffer()
    AdviceWriter(advice).writeText(to: &text, layout: TextLayout())
    AdviceWriter(advice).writeNDJSON(to: &lines)
    #expect(text.text.hasPrefix("No change within your limits gains an alert"))
    #expect(lines.text.hasPrefix("{\"type\":\"advice\",\"proposals\":0"))
  }

  @Test("On a narrow terminal a long change has a line of its own, and a file has one row for it")
  func narrow() async throws {
    let title = "The arch of the procession"
    let place = Place(id: "a", title: title, coordinate: Self.point(700, 130), radiusMeters: 100)
    let advice = try await advise(.radius, place)
    func lines(_ layout: TextLayout) -> [Substring] {
      written { AdviceWriter(advice).writeText(to: &$0, layout: layout) }.split(separator: "\n")
    }
    let narrow = lines(TextLayout(terminalColumns: 60))
    #expect(narrow[0].hasPrefix("Change") && narrow[0].count <= 60)
    #expect(narrow[1] == "1  Radius 100 m to 135 m: \(title)")
    #expect(narrow[2].hasPrefix(" ") && narrow[2].count <= 60)
    #expect(lines(TextLayout())[1].hasPrefix("1  Radius 100 m to 135 m: \(title)  "))
  }

  @Test("Lengths are in feet if the user wants them so")
  func imperial() async throws {
    let place = Place(id: "a", title: "Arch", coordinate: Self.point(700, 130), radiusMeters: 100)
    let proposal = try #require(try await advise(.radius, place).proposals.first)
    ShownUnits.$current.withValue(.imperial) {
      let sentences = AdviceSentences(proposal)
      #expect(sentences.change == "Radius 328.08 ft to 442.91 ft: Arch")
      #expect(sentences.why.hasPrefix("2 walks pass it at 387 ft to 427 ft, "))
    }
  }

  @Test("The options of a changed rule are those that make it of the other")
  func arguments() {
    let rule = MonitoringOptions()
    var other = rule
    #expect(other.arguments(insteadOf: rule).isEmpty)
    other.refresh = .adaptive
    other.limit = 10
    #expect(other.arguments(insteadOf: rule) == ["--limit", "10", "--refresh", "adaptive"])
    other = rule
    other.significantChangeMeters = 250
    other.rank = .edge
    #expect(
      other.arguments(insteadOf: rule) == ["--significant-change", "250", "--rank", "edge"])
  }
}
