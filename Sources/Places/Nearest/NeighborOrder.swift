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
    neighbors.sort { $0.rankDistanceMeters < $1.rankDistanceMeters }
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
