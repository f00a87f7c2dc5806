import Geodesy

/// How near a path comes to every place of a store, while the path streams by.
///
/// Vertices are gathered into blocks, each block is put into a tree, and every place looks into it
/// with what it has found so far as its bound. Memory is that of a block and one number a place.
///
/// The point is chosen by the straight line and measured by the geodesic; from afar ``FarApproach``
/// then looks for what the straight line cannot tell. The distance is too great by half a
/// millimetre and 2 cm for each 1,000 km at most, above 200 km it is measured to a millimetre, and
/// beyond a chord of 11,000 km, where that search ends, it is too great by some ten metres.
struct NearestApproach {
  /// Where the path was nearest to a place.
  struct Found {
    /// Distance of the centre in metres; infinite where there is no path.
    var distanceMeters: Double
    /// Index of the fix that ends the segment.
    var fix: Int
    /// How far along the segment.
    var fraction: Double
    /// Where.
    var coordinate: Coordinate
  }

  private static let blockCount = 65_536

  private let index: StoryIndex
  /// Indices of the places that are asked about, neighbours in space being neighbours here.
  private let asked: [Int32]
  /// The squares of the least chords so far, in the order of ``asked``.
  private var chordsSquared: [Double]
  private(set) var distancesMeters: [Double]
  private var vertices: [PathBlock.Vertex] = []
  /// Number of vertices in the blocks before, less the one that is carried over.
  private var offset = 0
  /// Where one place was approached, for whoever asks about one.
  private var found: Found?

  /// Asks about all places of an index, or about one.
  init(_ index: StoryIndex, only story: Int? = nil) {
    self.index = index
    asked = story.map { [Int32($0)] } ?? index.order
    chordsSquared = Array(repeating: .infinity, count: asked.count)
    distancesMeters = Array(repeating: .infinity, count: index.count)
  }

  /// Forgets the path, for the next track.
  mutating func reset() {
    for number in chordsSquared.indices { chordsSquared[number] = .infinity }
    distancesMeters = Array(repeating: .infinity, count: index.count)
    vertices.removeAll(keepingCapacity: true)
    offset = 0
    found = nil
  }

  /// Takes the path's next vertex.
  mutating func take(_ coordinate: Coordinate, isJoined: Bool) {
    if vertices.count == Self.blockCount { flush() }
    vertices.append(.init(position: Position(coordinate), isJoined: isJoined))
  }

  /// The path has ended: all distances are complete.
  mutating func finish() -> Found? {
    flush()
    return found
  }

  private mutating func flush() {
    guard let last = vertices.last else { return }
    vertices[0].isJoined = false
    let block = PathBlock(vertices)
    var guess = 0
    for (number, story) in asked.enumerated() {
      let story = Int(story)
      let position = asked.count == 1 ? index.circles[story].center : index.centers[number]
      var nearest = PathBlock.Nearest(chordSquared: chordsSquared[number])
      // The neighbour's nearest vertex is a good bound to begin with.
      block.seed(&nearest, with: guess, to: position)
      _ = block.improve(&nearest, to: position)
      let isFromHere = nearest.chordSquared < chordsSquared[number]
      if isFromHere {
        chordsSquared[number] = nearest.chordSquared
        guess = nearest.vertex
      }
      if nearest.chordMeters > FarApproach.leastMeters {
        look(from: isFromHere ? nearest : nil, story, at: position, in: block)
      } else if isFromHere {
        let point = block.position(of: nearest.vertex, nearest.fraction)
        note(
          Geodesic.distanceMeters(position, point), nearest.vertex, nearest.fraction, of: story,
          in: block)
      }
    }
    offset += vertices.count - 1
    vertices.removeAll(keepingCapacity: true)
    // The next block begins where this one ends.
    vertices.append(last)
  }

  /// Looks at the block by geodesics.
  private mutating func look(
    from found: PathBlock.Nearest?, _ story: Int, at position: Position, in block: PathBlock
  ) {
    var nearest = found ?? PathBlock.Nearest()
    // What is nearest by the straight line may be in a block before: this one's own is asked for.
    if found == nil { _ = block.improve(&nearest, to: position) }
    var far = FarApproach(block, place: position, from: nearest)
    far.search()
    note(far.distanceMeters, far.vertex, far.fraction, of: story, in: block)
  }

  private mutating func note(
    _ distance: Double, _ vertex: Int, _ fraction: Double, of story: Int, in block: PathBlock
  ) {
    // An earlier block's point may be farther by the straight line and yet nearer.
    guard distance < distancesMeters[story] else { return }
    distancesMeters[story] = distance
    if asked.count == 1 {
      found = Found(
        distanceMeters: distance, fix: offset + vertex, fraction: fraction,
        coordinate: block.position(of: vertex, fraction).coordinate)
    }
  }
}
