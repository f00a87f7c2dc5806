import FencepostGeodesy

extension Engine.Snapshot {
  /// Counts up to this can still double and grow.
  private static let greatestCount = Int.max / 4
  /// The engine never asks for more circles at once.
  private static let greatestNeighborhoodCount = 1 << 28

  /// A contradiction, as in a damaged snapshot, or nil.
  var fault: String? {
    guard let regions = monitored.regions, let around = containing.regions,
      (doubtful.map { $0.regions != nil }) ?? true
    else { return "circles are incomplete or not on the globe" }
    guard monitored.isInside.count == regions.count, Self.ascend(regions) else {
      return "monitored circles are out of order or lack a side"
    }
    guard Self.ascend(around), containing.isInside.isEmpty else {
      return "containing circles are out of order or have a side"
    }
    guard (0...Self.greatestCount).contains(fixCount), lengthMeters >= 0,
      (1...Self.greatestNeighborhoodCount).contains(neighborhoodCount)
    else { return "a count or length is out of range" }
    let points =
      [previous, anchor?.point, exposure?.point].compactMap { $0 }
      + uncertified.flatMap { [$0.start, $0.end] }
    guard points.allSatisfy({ $0.coordinate.isValid }) else {
      return "a point is not on the globe"
    }
    guard confirmation.map({ $0.visits != nil }) ?? true else {
      return "circles with unconfirmed crossings are incomplete or out of order"
    }
    let lengths =
      [lengthMeters, anchor?.reachMeters, anchor?.tripMeters, exposure?.lengthMetersAtStart]
      .compactMap { $0 } + uncertified.map { $0.lengthMeters }
    guard lengths.allSatisfy({ $0.isFinite }) else { return "a length is not finite" }
    let fixes =
      [exposure?.fix].compactMap { $0 } + uncertified.flatMap { [$0.startFix, $0.endFix] }
    return fixes.allSatisfy { (0...fixCount).contains($0) } ? nil : "a fix is out of range"
  }

  private static func ascend(_ regions: [Region]) -> Bool {
    zip(regions, regions.dropFirst()).allSatisfy { $0.key < $1.key }
  }
}
