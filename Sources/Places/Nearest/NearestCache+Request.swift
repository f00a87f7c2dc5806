package import FencepostMonitoring

extension NearestCache {
  /// The regions that an engine asks for.
  ///
  /// - Throws: ``PlaceStoreError``.
  package func regions(_ request: CandidateRequest) throws(PlaceStoreError) -> [Region] {
    let neighbors =
      switch request.question {
      case .nearestCenters(let count):
        try nearest(to: request.coordinate, count: count, rank: .center)
      case .nearestEdges(let count, let margin):
        try nearest(to: request.coordinate, count: count, rank: .edge(exitMarginMeters: margin))
      case .containing:
        try containing(request.coordinate)
      }
    return neighbors.map { Region(key: $0.key, circle: $0.circle) }
  }
}
