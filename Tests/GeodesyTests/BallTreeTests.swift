import FencepostGeodesy
import TestSupport
import Testing

@Suite("A tree of balls, against a look at every item")
struct BallTreeTests {
  private struct Nearest: BallSearch {
    let circles: [Circle]
    let here: Position
    var limitMeters = Double.infinity
    var found: Int?

    func leastMeters(to ball: Ball) -> Double {
      max(0, ball.chordMeters(from: here) - ball.radiusMeters)
    }

    mutating func look(at item: Int) {
      let meters = circles[item].distanceMeters(from: here)
      if meters < limitMeters { (found, limitMeters) = (item, meters) }
    }
  }

  @Test("finds the nearest, and counts what is within a distance", arguments: [0, 1, 4, 5, 500])
  func bruteForce(count: Int) {
    var random = SplitMix64(seed: 5)
    let all = (0..<count).map { _ in
      Circle(center: random.coordinate(), radiusMeters: random.scale(1, 1_000))
    }
    func ball(_ circle: Circle) -> Ball { Ball(center: circle.center.vector, radiusMeters: 0) }
    let circles = BallTree.order(of: all.map(ball)).map { all[Int($0)] }
    let tree = BallTree(circles.map(ball), leafCount: 4)
    for _ in 0..<50 {
      let here = Position(random.coordinate())
      let distances = circles.map { $0.distanceMeters(from: here) }
      var search = Nearest(circles: circles, here: here)
      tree.search(&search)
      #expect(search.found.map { distances[$0] } == distances.min())
      let limit = random.double(0...20_000_000)
      let near = tree.count {
        $0.chordMeters(from: here) - $0.radiusMeters > limit ? false : nil
      } where: {
        distances[$0] <= limit
      }
      #expect(near == distances.count { $0 <= limit })
    }
  }
}
