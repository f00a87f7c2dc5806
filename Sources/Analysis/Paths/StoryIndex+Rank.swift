import FencepostGeodesy
import FencepostMonitoring

extension StoryIndex {
  /// The rank of a place, from 1, by the rule's distance from a position; ties by id.
  ///
  /// - Complexity: O(log n) and what is about as near as the place itself.
  func rank(of story: Int, from position: Position, by rank: MonitoringOptions.Rank) -> Int {
    let distance = distanceMeters(of: story, from: position, by: rank)
    var nearer = 0
    var stack: [Int32] = nodes.isEmpty ? [] : [0]
    while let index = stack.popLast() {
      let node = nodes[Int(index)]
      let bounds = bounds(of: node, from: position, by: rank)
      if bounds.least > distance { continue }
      if bounds.greatest < distance {
        nearer += Int(node.end - node.begin)
      } else if node.second > 0 {
        stack.append(index + 1)
        stack.append(node.second)
      } else {
        nearer += nearerCount(in: node, than: distance, story, from: position, by: rank)
      }
    }
    return nearer + 1
  }

  /// The rule's distance of a place from a position, in metres.
  func distanceMeters(
    of story: Int, from position: Position, by rank: MonitoringOptions.Rank
  ) -> Double {
    switch rank {
    case .center: circle(of: story).distanceMeters(from: position)
    case .edge: circle(of: story).edgeDistanceMeters(from: position)
    }
  }

  private func nearerCount(
    in node: Node, than distance: Double, _ story: Int, from position: Position,
    by rank: MonitoringOptions.Rank
  ) -> Int {
    // Places are in the order of their ids, so that an index decides a tie as the id does.
    order[Int(node.begin)..<Int(node.end)].count {
      let other = Int($0)
      let otherDistance = distanceMeters(of: other, from: position, by: rank)
      return (otherDistance, other) < (distance, story)
    }
  }

  /// What the rule's distance of the places of a node can be, in metres.
  private func bounds(
    of node: Node, from position: Position, by rank: MonitoringOptions.Rank
  ) -> (least: Double, greatest: Double) {
    let chord = lengthMeters(node.center - position.vector)
    let near = max(0, chord - node.radiusMeters)
    let far = Geodesic.greatestMeters(ofChord: chord + node.radiusMeters)
    switch rank {
    case .center:
      return (near, far)
    case .edge:
      return (
        max(0, near - node.greatestCircleMeters, node.leastCircleMeters - far),
        max(far - node.leastCircleMeters, node.greatestCircleMeters - near)
      )
    }
  }
}
