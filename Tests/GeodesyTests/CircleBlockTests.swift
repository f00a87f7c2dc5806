import FencepostGeodesy
import TestSupport
import Testing

@Suite("A block of circles")
struct CircleBlockTests {
  @Test("holds its circles in order", arguments: [0, 1, 3, 4, 5, 8, 51])
  func holds(count: Int) {
    var random = SplitMix64(seed: 5)
    let circles = (0..<count).map { _ in
      Circle(center: random.coordinate(), radiusMeters: random.double(1...1000))
    }
    let blocks = CircleBlock.blocks(of: circles)
    #expect(blocks.count == (count + 3) / 4)
    let point = Position(random.coordinate())
    for (index, circle) in circles.enumerated() {
      let block = blocks[index / CircleBlock.capacity]
      let place = index % CircleBlock.capacity
      let chord = circle.center.vector - point.vector
      #expect(block.sphere(place) == SIMD4(circle.center.vector, circle.radiusMeters))
      #expect(block.radiiMeters[place] == circle.radiusMeters)
      #expect(
        block.chordsSquared(from: point.vector)[place]
          == chord.x * chord.x + chord.y * chord.y + chord.z * chord.z)
    }
  }

  @Test("is near nothing where it has no circle")
  func gaps() {
    var block = CircleBlock()
    block.set(
      2, to: Circle(center: Coordinate(latitudeDegrees: 1, longitudeDegrees: 2), radiusMeters: 3))
    let squares = block.chordsSquared(from: SIMD3(1, 2, 3))
    for place in 0..<CircleBlock.capacity { #expect((squares[place] <= .infinity) == (place == 2)) }
  }
}
