import Geodesy

/// The order of an answer: by rank distance, and by place id where that is equal.
enum NeighborOrder {
  /// Sorts neighbours and keeps the first ones.
  ///
  /// - Parameters:
  ///   - neighbors: Those found, in any order; afterwards at most `count`, in order.
  ///   - count: How many to keep.
  ///   - id: The id of a key. It is asked for only where distances are equal.
  /// - Throws: What `id` throws.
  static func sort(
    _ neighbors: inout [Neighbor], keeping count: Int,
    id: (Int64) throws(PlaceStoreError) -> String
  ) throws(PlaceStoreError) {
    sort(&neighbors)
    var start = 0
    while start < min(count, neighbors.count) {
      let distance = neighbors[start].rankDistanceMeters
      var end = start + 1
      while end < neighbors.count, neighbors[end].rankDistanceMeters == distance { end += 1 }
      if end - start > 1 { try sortTie(&neighbors[start..<end], id: id) }
      start = end
    }
    if neighbors.count > count { neighbors.removeLast(neighbors.count - count) }
  }

  /// Sorts neighbours by rank distance alone.
  private static func sort(_ neighbors: inout [Neighbor]) {
    let isSorted = neighbors.indices.dropFirst().allSatisfy {
      neighbors[$0 - 1].rankDistanceMeters <= neighbors[$0].rankDistanceMeters
    }
    guard !isSorted else { return }
    // Pairs are quicker to sort than whole neighbours.
    var order: [(meters: Double, index: Int)] = []
    order.reserveCapacity(neighbors.count)
    for index in neighbors.indices { order.append((neighbors[index].rankDistanceMeters, index)) }
    order.sort { $0.meters < $1.meters }
    let unsorted = neighbors
    neighbors.removeAll(keepingCapacity: true)
    for entry in order { neighbors.append(unsorted[entry.index]) }
  }

  private static func sortTie(
    _ tie: inout ArraySlice<Neighbor>, id: (Int64) throws(PlaceStoreError) -> String
  ) throws(PlaceStoreError) {
    var named: [(id: String, neighbor: Neighbor)] = []
    named.reserveCapacity(tie.count)
    for neighbor in tie { named.append((try id(neighbor.key), neighbor)) }
    named.sort { $0.id < $1.id }
    for (index, entry) in zip(tie.indices, named) { tie[index] = entry.neighbor }
  }
}
