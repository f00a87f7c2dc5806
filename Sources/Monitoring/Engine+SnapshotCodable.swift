import FencepostGeodesy

extension Engine.Snapshot: Codable {
  static let version = 1

  private enum CodingKeys: String, CodingKey {
    case version, fixCount, lengthMeters, monitored, containing, doubtful, previous, anchor
    case exposure, uncertified, confirmation
    case neighborhoodCount = "neighbourhoodCount"
  }

  /// Decodes a snapshot, including the first form, which has no version number.
  ///
  /// - Throws: ``NewerVersionError``, or `DecodingError`, also if the snapshot contradicts itself.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version, newest: Self.version, of: "engine snapshot")
    fixCount = try values.decode(Int.self, forKey: .fixCount)
    lengthMeters = try values.decode(Double.self, forKey: .lengthMeters)
    monitored = try values.decode(Regions.self, forKey: .monitored)
    containing = try values.decode(Regions.self, forKey: .containing)
    doubtful = try values.decodeIfPresent(Regions.self, forKey: .doubtful)
    previous = try values.decodeIfPresent(Point.self, forKey: .previous)
    anchor = try values.decodeIfPresent(Anchor.self, forKey: .anchor)
    exposure = try values.decodeIfPresent(Exposure.self, forKey: .exposure)
    uncertified = try values.decode([Span].self, forKey: .uncertified)
    neighborhoodCount = try values.decode(Int.self, forKey: .neighborhoodCount)
    confirmation = try values.decodeIfPresent(Confirmation.self, forKey: .confirmation)
    if let fault {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "engine snapshot: \(fault)"))
    }
  }

  /// Encodes a snapshot with its version number.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(fixCount, forKey: .fixCount)
    try values.encode(lengthMeters, forKey: .lengthMeters)
    try values.encode(monitored, forKey: .monitored)
    try values.encode(containing, forKey: .containing)
    try values.encodeIfPresent(doubtful, forKey: .doubtful)
    try values.encodeIfPresent(previous, forKey: .previous)
    try values.encodeIfPresent(anchor, forKey: .anchor)
    try values.encodeIfPresent(exposure, forKey: .exposure)
    try values.encode(uncertified, forKey: .uncertified)
    try values.encode(neighborhoodCount, forKey: .neighborhoodCount)
    try values.encodeIfPresent(confirmation, forKey: .confirmation)
  }
}

// MARK: Faults

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
    guard points.allSatisfy(\.coordinate.isValid) else {
      return "a point is not on the globe"
    }
    guard confirmation.map({ $0.visits != nil }) ?? true else {
      return "circles with unconfirmed crossings are incomplete or out of order"
    }
    let lengths =
      [lengthMeters, anchor?.reachMeters, anchor?.tripMeters, exposure?.lengthMetersAtStart]
      .compactMap { $0 } + uncertified.map(\.lengthMeters)
    guard lengths.allSatisfy(\.isFinite) else { return "a length is not finite" }
    let fixes =
      [exposure?.fix].compactMap { $0 } + uncertified.flatMap { [$0.startFix, $0.endFix] }
    return fixes.allSatisfy { (0...fixCount).contains($0) } ? nil : "a fix is out of range"
  }

  private static func ascend(_ regions: [Region]) -> Bool {
    zip(regions, regions.dropFirst()).allSatisfy { $0.key < $1.key }
  }
}
