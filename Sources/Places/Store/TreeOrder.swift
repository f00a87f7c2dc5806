import FencepostGeodesy
import Glibc

/// Orders places for a packed tree: near ones together, large radii apart from small ones.
///
/// Within a class of radii, this is the order of a kd-tree cut at multiples of what a node's
/// subtree holds. Packing node by node from the left then gives exactly those subtrees.
struct TreeOrder {
  private struct Item {
    var longitude: Float
    var latitude: Float
    var radiusMeters: Float
    var index: UInt32
  }

  /// Limits in meters between classes of radii, which share no nodes.
  ///
  /// A node reaches as far as its largest circle. One circle of 50 km would make searches visit all
  /// its neighbors from 50 km away.
  private static let classLimits: [Float] = [500, 4_000, 32_000, 256_000, 2_000_000]

  /// Orders circles for nodes of `capacity` cells, and returns the ranges of the classes, too.
  static func order(
    _ circles: [(center: Coordinate, radiusMeters: Double)], capacity: Int
  ) -> (order: [Int], groups: [Range<Int>]) {
    var items = circles.enumerated().map { index, circle in
      Item(
        longitude: Float(circle.center.longitudeDegrees),
        latitude: Float(circle.center.latitudeDegrees),
        radiusMeters: Float(circle.radiusMeters), index: UInt32(index))
    }
    var start = 0
    var groups: [Range<Int>] = []
    for limit in classLimits + [.infinity] {
      let rest = items[start...].partition { $0.radiusMeters > limit }
      order(&items, start..<rest, capacity: capacity)
      groups.append(start..<rest)
      start = rest
    }
    return (items.map { Int($0.index) }, groups)
  }

  private static func order(_ items: inout [Item], _ range: Range<Int>, capacity: Int) {
    var subtree = capacity
    while subtree < range.count { subtree *= capacity }
    order(&items, range, subtree: subtree, capacity: capacity)
  }

  private static func order(
    _ items: inout [Item], _ range: Range<Int>, subtree: Int, capacity: Int
  ) {
    var subtree = subtree
    while range.count <= subtree, subtree > capacity { subtree /= capacity }
    let parts = (range.count + subtree - 1) / subtree
    guard parts > 1 else { return }
    let middle = range.lowerBound + parts / 2 * subtree
    if isWider(items, range) {
      select(&items, range, middle) { $0.longitude }
    } else {
      select(&items, range, middle) { $0.latitude }
    }
    order(&items, range.lowerBound..<middle, subtree: subtree, capacity: capacity)
    order(&items, middle..<range.upperBound, subtree: subtree, capacity: capacity)
  }

  /// Whether items extend farther east-west than north-south, on the ground.
  private static func isWider(_ items: [Item], _ range: Range<Int>) -> Bool {
    var west = Float.infinity
    var east = -Float.infinity
    var south = Float.infinity
    var north = -Float.infinity
    for index in range {
      west = min(west, items[index].longitude)
      east = max(east, items[index].longitude)
      south = min(south, items[index].latitude)
      north = max(north, items[index].latitude)
    }
    let middle = (south + north) / 2
    return (east - west) * cos(middle * .pi / 180) > north - south
  }

  /// Moves the items with the least values before `middle`.
  ///
  /// Quickselect: C. A. R. Hoare, "Algorithm 65: Find", 1961.
  private static func select(
    _ items: inout [Item], _ range: Range<Int>, _ middle: Int, _ value: (Item) -> Float
  ) {
    var low = range.lowerBound
    var high = range.upperBound - 1
    while low < high {
      let pivot = median(
        value(items[low]), value(items[low + (high - low) / 2]), value(items[high]))
      var left = low
      var right = high
      while left <= right {
        while value(items[left]) < pivot { left += 1 }
        while value(items[right]) > pivot { right -= 1 }
        if left <= right {
          items.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if middle <= right { high = right } else if middle >= left { low = left } else { return }
    }
  }

  private static func median(_ a: Float, _ b: Float, _ c: Float) -> Float {
    max(min(a, b), min(max(a, b), c))
  }
}
