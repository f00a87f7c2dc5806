import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostReporting
import Testing

@Suite("The story that a name means")
struct StoryChoiceTests {
  private let choice = StoryChoice(
    [
      ("bell", "Liberty Bell Center"), ("bellevue", "The Bellevue"), ("hall", "City Hall"),
      ("hall-2", "City Hall"), ("museum", "hall"), ("tower", "Temple Bell Tower"), ("x", ""),
    ].map { id, title in
      Story(
        id: id, title: title, category: "",
        coordinate: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0), radiusMeters: 50)
    })

  @Test(
    "A name matches by id, then title, then either in any case, then a part of either",
    arguments: [
      ("bell", 0), ("hall", 2), ("Liberty Bell Center", 0), ("liberty bell center", 0),
      ("BELLEVUE", 1), ("liberty", 0), ("bell center", 0), ("hall-", 3), ("temple", 5), ("X", 6),
    ])
  func found(text: String, index: Int) throws {
    #expect(try choice.index(of: text) == index)
  }

  @Test(
    "A name that fits several stories is refused",
    arguments: [
      ("City Hall", "“City Hall” matches 2 stories: hall (City Hall), hall-2 (City Hall)"),
      ("city", "“city” matches 2 stories: hall (City Hall), hall-2 (City Hall)"),
      (
        "Bell ",
        "“Bell ” matches 2 stories: bell (Liberty Bell Center), tower (Temple Bell Tower)"
      ),
    ])
  func ambiguous(text: String, sentence: String) {
    let failure = #expect(throws: StoryChoice.Failure.self) { try choice.index(of: text) }
    #expect(failure?.description == sentence)
  }

  @Test("A name without a match lists stories that share a word")
  func unknown() {
    for (text, sentence) in [
      ("nowhere", "no story matches “nowhere”. To list all: fencepost places list"),
      ("", "no story matches “”. To list all: fencepost places list"),
      (
        "bell tower road",
        "no story matches “bell tower road”. Similar: tower (Temple Bell Tower), "
          + "bell (Liberty Bell Center)"
      ),
    ] {
      let failure = #expect(throws: StoryChoice.Failure.self) { try choice.index(of: text) }
      #expect(failure?.description == sentence)
      #expect(failure?.fittingCount == 0)
    }
  }

  @Test("A name that fits many stories lists some and counts the rest")
  func many() {
    let stories = (0..<20).map {
      Story(
        id: "p\($0)", title: "", category: "",
        coordinate: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0), radiusMeters: 50)
    }
    let failure = #expect(throws: StoryChoice.Failure.self) {
      try StoryChoice(stories).index(of: "P")
    }
    #expect(
      failure?.description == "“P” matches 20 stories: p0, p1, p2, p3, p4, p5, p6, p7 and 12 more")
  }
}

@Suite("Reasons that do not lose a fix")
struct HarmlessReasonTests {
  @Test("The harmless reasons are reasons of decoders")
  func exist() {
    let reasons = Set(Rejection.Reason.allCases.map(\.rawValue))
    #expect(FixLoss.harmlessReasons.isSubset(of: reasons))
    #expect(
      FixLoss.harmlessReasons
        == Set([Rejection.Reason.void, .duplicate, .time, .inaccurate].map(\.rawValue)))
  }
}
