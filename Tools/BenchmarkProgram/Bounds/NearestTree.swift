import FencepostGeodesy

/// A kd-tree in memory over points in earth-centred metres: the bound of the nearest query.
///
/// It ranks by the straight chord, which on the surface is the order of the distance but for
/// millimetres, knows neither radii nor ids, and holds every point in memory: what a query
/// costs when nothing else is asked.
struct NearestTree {
  private struct Point {
    var vector: SIMD3<Double>
    var index: Int32
  }

  private static let leafCount = 12
  private var points: [Point]
  private var random = SplitMix64(seed: 3)

  init(_ coordinates: [Coordinate]) {
    points = coordinates.enumerated().map {
      Point(vector: Position($0.element).vector, index: Int32($0.offset))
    }
    sort(0, points.count, axis: 0)
  }

  /// Numbers of the nearest points, nearest first.
  func nearest(to coordinate: Coordinate, count: Int) -> [Int] {
    var best: [(square: Double, index: Int32)] = []
    best.reserveCapacity(count + 1)
    search(0, points.count, axis: 0, from: Position(coordinate).vector, count, &best)
    return best.map { Int($0.index) }
  }

  private func search(
    _ low: Int, _ high: Int, axis: Int, from here: SIMD3<Double>, _ count: Int,
    _ best: inout [(square: Double, index: Int32)]
  ) {
    if high - low <= Self.leafCount {
      for index in low..<high { offer(points[index], from: here, count, &best) }
      return
    }
    let middle = (low + high) / 2
    let next = axis == 2 ? 0 : axis + 1
    let aside = here[axis] - points[middle].vector[axis]
    if aside < 0 {
      search(low, middle, axis: next, from: here, count, &best)
    } else {
      search(middle + 1, high, axis: next, from: here, count, &best)
    }
    if best.count == count, aside * aside >= best[count - 1].square { return }
    offer(points[middle], from: here, count, &best)
    if aside < 0 {
      search(middle + 1, high, axis: next, from: here, count, &best)
    } else {
      search(low, middle, axis: next, from: here, count, &best)
    }
  }

  @inline(__always)
  private func offer(
    _ point: Point, from here: SIMD3<Double>, _ count: Int,
    _ best: inout [(square: Double, index: Int32)]
  ) {
    let apart = point.vector - here
    let square = (apart * apart).sum()
    if best.count == count {
      guard square < best[count - 1].square else { return }
      best.removeLast()
    }
    var slot = best.count
    best.append((square, point.index))
    while slot > 0, best[slot - 1].square > square {
      best[slot] = best[slot - 1]
      slot -= 1
    }
    best[slot] = (square, point.index)
  }

  private mutating func sort(_ low: Int, _ high: Int, axis: Int) {
    guard high - low > Self.leafCount else { return }
    let middle = (low + high) / 2
    select(middle, low, high - 1, axis: axis)
    sort(low, middle, axis: axis == 2 ? 0 : axis + 1)
    sort(middle + 1, high, axis: axis == 2 ? 0 : axis + 1)
  }

  /// Puts at `rank` what belongs there along an axis, and lesser ones before it.
  ///
  /// Quickselect: C. A. R. Hoare, "Algorithm 65: find", 1961.
  private mutating func select(_ rank: Int, _ first: Int, _ last: Int, axis: Int) {
    var low = first
    var high = last
    while low < high {
      let pivot = points[low + random.index(below: high - low + 1)].vector[axis]
      var left = low
      var right = high
      while left <= right {
        while points[left].vector[axis] < pivot { left += 1 }
        while points[right].vector[axis] > pivot { right -= 1 }
        if left <= right {
          points.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if rank <= right { high = right } else if rank >= left { low = left } else { return }
    }
  }
}
