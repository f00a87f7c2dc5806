import FencepostSession
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
    #expect(sentences.why == "2 walks pass 18 m to 30 m outside")
  }

  @Test("A smaller radius says that the phone was already inside")
  func shrink() async throws {
    let place = Place(id: "a", coordinate: Self.point(200, 0), radiusMeters: 280)
    let proposal = try #require(try await advise(.radius, place).proposals.first)
    let sentences = AdviceSentences(proposal)
    #expect(sentences.change.wholeMatch(of: /Radius 280 m to 1\d\d m: a/) != nil)
    #expect(sentences.why.hasPrefix("The phone was already inside when it began to watch"))
  }

  @Test("It is said for which stories alerts count")
  func purpose() async throws {
    let place = Place(id: "a", title: "Arch", coordinate: Self.point(700, 130), radiusMeters: 100)
    let advice = try await advise(.radius, place) { $0.purpose = AdvicePurpose([place]) }
    let writer = AdviceWriter(advice)
    #expect(writer.lines.contains("Only alerts of 1 story count: 0 before, 2 after"))
    #expect(
      written { writer.writeNDJSON(to: &$0) }
        .contains(#""purpose":{"stories":1,"before":0,"after":2}"#))
  }

  @Test("A move says how far and whereto")
  func position() async throws {
    let place = Place(id: "a", title: "Arch", coordinate: Self.point(700, 130), radiusMeters: 100)
    let advice = try await advise(.position, place) { $0.mostChanges = 1 }
    let sentences = AdviceSentences(try #require(advice.proposals.first))
    #expect(sentences.change.wholeMatch(of: /Move 3[12](\.\d)? m south: Arch/) != nil)
    #expect(sentences.why.hasSuffix(" m outside"))
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

  @Test("On a narrow terminal a long change is cut, and a file has all of it")
  func narrow() async throws {
    let title = "The arch of the procession"
    let place = Place(id: "a", title: title, coordinate: Self.point(700, 130), radiusMeters: 100)
    let advice = try await advise(.radius, place)
    func lines(_ layout: TextLayout) -> [Substring] {
      written { AdviceWriter(advice).writeText(to: &$0, layout: layout) }.split(separator: "\n")
    }
    let narrow = lines(TextLayout(terminalColumns: 60))
    #expect(narrow[0].hasPrefix("Change") && narrow[0].count <= 60)
    #expect(narrow[1].hasPrefix("1  Radius 100 m to 135 m: The…") && narrow[1].count <= 60)
    #expect(lines(TextLayout())[1].hasPrefix("1  Radius 100 m to 135 m: \(title)  "))
  }

  @Test("Lengths are in feet if the user wants them so")
  func imperial() async throws {
    let place = Place(id: "a", title: "Arch", coordinate: Self.point(700, 130), radiusMeters: 100)
    let proposal = try #require(try await advise(.radius, place).proposals.first)
    ShownUnits.$current.withValue(.imperial) {
      let sentences = AdviceSentences(proposal)
      #expect(sentences.change == "Radius 328 ft to 443 ft: Arch")
      #expect(sentences.why.hasPrefix("2 walks pass 59 ft to 98 ft outside"))
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
