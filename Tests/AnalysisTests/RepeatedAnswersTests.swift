import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import Newsroom
import Testing

@Suite("Answers that a later run repeats")
struct RepeatedAnswersTests {
  /// Counts how often an index is asked.
  private final class Asked: PlaceSource {
    let index: PlaceIndex
    var count = 0

    init(_ index: PlaceIndex) { self.index = index }

    func answer(_ request: CandidateRequest) -> CandidateAnswer {
      count += 1
      return index.answer(request)
    }
    func place(forKey key: Int64) -> Place? { index.place(forKey: key) }
    var placeCount: Int { index.placeCount }
    var lastFailure: String? { nil }
  }

  private static let questions: [CandidateRequest.Question] = [
    .containing, .nearest(count: 20, rank: .center),
    .nearest(count: 65, rank: .edge(exitMarginMeters: 0)),
    .nearest(count: 21, rank: .edge(exitMarginMeters: 60)), .nearest(count: 1, rank: .center),
    .nearest(count: 1200, rank: .center),
  ]

  @Test(
    "They are those of the changed places, and most are repeated", arguments: 0..<4 as Range<UInt64>
  )
  func repeated(seed: UInt64) throws {
    let around = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
    let scene = AnalysisScene(seed: seed, around: around, placeCount: 1000)
    let requests = scene.path.flatMap { coordinate in
      Self.questions.map { CandidateRequest(question: $0, coordinate: coordinate) }
    }
    var random = SceneRandom(seed: seed)
    var places = scene.places
    var earlier: [CandidateRequest: RepeatedAnswers.Answer] = [:]
    var changed: [Circle] = []
    var (asked, steps) = (0, 0)
    for step in 0..<30 {
      let index = Asked(try PlaceIndex(places))
      let source = RepeatedAnswers(index, earlier: earlier, changed: changed)
      for request in requests {
        #expect(source.answer(request) == index.index.answer(request), "step \(step), \(request)")
      }
      if step > 0 { (asked, steps) = (asked + index.count, steps + 1) }
      earlier = source.given
      let number = Int.random(in: places.indices, using: &random)
      let before = places[number].circle
      places[number].coordinate.latitudeDegrees += .random(in: -0.01...0.01, using: &random)
      places[number].coordinate.longitudeDegrees += .random(in: -0.01...0.01, using: &random)
      if step % 3 == 0 { places[number].radiusMeters = .random(in: 20...2000, using: &random) }
      changed = [before, places[number].circle]
    }
    // Those that ask for more places than there are depend on each of them.
    #expect(asked < steps * requests.count / 3)
    #expect(asked >= steps * scene.path.count)
  }

  @Test("An answer that failed is not repeated")
  func failed() throws {
    final class Failing: PlaceSource {
      func answer(_ request: CandidateRequest) -> CandidateAnswer { .failed }
      func place(forKey key: Int64) -> Place? { nil }
      var placeCount: Int { 0 }
      var lastFailure: String? { "it was taken away" }
    }
    let here = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
    for question in Self.questions {
      let request = CandidateRequest(question: question, coordinate: here)
      let before = RepeatedAnswers(Failing())
      #expect(before.answer(request) == .failed)
      #expect(before.lastFailure == "it was taken away")
      let after = RepeatedAnswers(
        Asked(try PlaceIndex([])), earlier: before.given,
        changed: [Circle(center: here, radiusMeters: 1)])
      #expect(after.answer(request) == .found([]))
    }
  }
}
