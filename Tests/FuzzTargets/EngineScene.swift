import FencepostGeodesy
import Glibc
import FencepostMonitoring

/// Places and a path that bytes lay out around a point.
///
/// Two bytes choose the rule, one the part of the world and when the store fails, and one how many
/// places follow; a place is three bytes, and so is each vertex after them.
struct EngineScene: CustomStringConvertible {
  private(set) var options = MonitoringOptions()
  private(set) var regions: [Region] = []
  private(set) var path: [PathPoint] = []
  private let scale: Double
  private let failures: UInt8

  private static let origins = [
    Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16),
    Coordinate(latitudeDegrees: -43, longitudeDegrees: 179.999),
    Coordinate(latitudeDegrees: 89.995, longitudeDegrees: 30),
    Coordinate(latitudeDegrees: 0, longitudeDegrees: 0.001),
  ]
  private static let scales = [1.0, 11.3, 117, 3967]
  /// Of eight fixes in turn, those at which the store fails.
  private static let failures: [UInt8] = [0, 0, 0, 0b1, 0b10, 0b1110, 0b1010_1010, 0b1110_1110]
  private static let radii = [20.0, 50, 100, 150, 250, 400, 1300, 7]
  private static let mostVertices = 40

  /// Lays out a scene; nil of fewer bytes than one needs.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 10 else { return nil }
    var rest = bytes[...]
    func signed(_ byte: UInt8) -> Double { Double(Int8(bitPattern: byte)) }
    let (rule, slots, world) = (rest.removeFirst(), rest.removeFirst(), rest.removeFirst())
    let origin = EngineScene.origins[Int(world & 3)]
    scale = EngineScene.scales[Int(world >> 2 & 3)]
    failures = EngineScene.failures[Int(world >> 5)]
    setOptions(rule, slots)
    let hasTimes = world & 16 != 0
    let placeCount = 1 + Int(rest.removeFirst() % 16)
    for key in 1...placeCount where rest.count >= 6 {
      let (east, north) = (signed(rest.removeFirst()), signed(rest.removeFirst()))
      let radius = EngineScene.radii[Int(rest.removeFirst() & 7)]
      let center = place(origin, east * scale + 0.137, north * scale - 0.291)
      regions.append(
        Region(
          key: Int64(key),
          circle: Circle(center: center, radiusMeters: radius * max(1, scale / 20) + 0.0173)))
    }
    var (east, north, milliseconds) = (0.0, 0.0, Int64(0))
    while rest.count >= 3, path.count < EngineScene.mostVertices {
      east += signed(rest.removeFirst()) * scale
      north += signed(rest.removeFirst()) * scale
      let flags = rest.removeFirst()
      milliseconds += flags >> 2 == 63 ? -30_000 : 500 + Int64(flags >> 2) * 12_000
      path.append(
        PathPoint(
          coordinate: place(origin, east, north),
          timeMilliseconds: hasTimes && flags & 2 == 0 ? milliseconds : nil,
          startsSegment: flags & 1 != 0 && flags & 4 != 0))
    }
  }

  private mutating func setOptions(_ rule: UInt8, _ slots: UInt8) {
    options.limit = slots & 7 == 0 ? nil : Int(slots & 7)
    options.refresh = rule & 1 == 0 ? .fixed : .adaptive
    options.significantChangeMeters = [500, 250, 50, 0.5][Int(rule >> 1 & 3)]
    options.joinsSegments = rule & 8 != 0
    if rule & 16 != 0 { options.maxSpeedMetersPerSecond = nil }
    if rule & 32 != 0 { options.maxGapMilliseconds = nil }
    if options.refresh == .adaptive, rule & 64 != 0 { options.refreshFloorMeters = 100 }
    options.hasTripwire = options.refresh == .adaptive && rule & 128 != 0
    if slots & 8 != 0 { options.exitMarginMeters = 30 * max(1, scale / 20) + 0.0311 }
    if slots & 16 != 0 { options.minIntervalMilliseconds = 120_000 }
    if slots & 32 != 0 { options.rank = .edge }
    if slots & 64 != 0 { options.initial = .enter }
  }

  private func place(_ origin: Coordinate, _ east: Double, _ north: Double) -> Coordinate {
    let distance = (east * east + north * north).squareRoot()
    guard distance > 0 else { return origin }
    return Geodesic.direct(
      from: origin, azimuthDegrees: atan2(east, north) * 180 / .pi, distanceMeters: distance)
  }

  /// The rule as the oracle knows it: it monitors all, or what is nearest by the fixed rule.
  private var oracleOptions: MonitoringOptions {
    var oracle = options
    if options.refresh == .adaptive { oracle.limit = nil }
    return oracle
  }

  /// Whether the rule says of what it finds that it is all.
  var certifies: Bool { options.refresh == .adaptive || options.limit == nil }

  var storeFails: Bool { failures != 0 }

  /// What the rule should find.
  var expected: [RuleOracle.Met] { expected(oracleOptions, regions) }

  private func expected(_ options: MonitoringOptions, _ regions: [Region]) -> [RuleOracle.Met] {
    // What certifies says what may have been missed while the store failed; nothing is missed here.
    let failures = certifies ? 0 : failures
    let oracle = RuleOracle(options: options, regions: regions) { fix in
      EngineScene.fails(failures, at: fix)
    }
    return oracle.walk(path)
  }

  private static func fails(_ failures: UInt8, at fix: Int) -> Bool {
    failures >> (fix % 8) & 1 != 0
  }

  func run() -> Run {
    var run = Run(engine: Engine(options: options))
    for (fix, point) in path.enumerated() {
      let store = BruteForceStore(
        regions: regions, fails: EngineScene.fails(failures, at: fix))
      run.advance(to: point, store: store)
    }
    run.finish()
    return run
  }

  /// Whether a hand's breadth decides what is met.
  func isDelicate(_ expected: [RuleOracle.Met]) -> Bool {
    let breadthMeters = scale > 100 ? 1.5 : 0.05
    let plain = Encounters(expected)
    for change in [-breadthMeters, breadthMeters] {
      let changed = regions.map { region in
        let radius = max(0.001, region.circle.radiusMeters + change)
        return Region(
          key: region.key, circle: Circle(center: region.circle.center, radiusMeters: radius))
      }
      var other = oracleOptions
      let wider = self.expected(other, changed)
      other.significantChangeMeters += change
      other.maxSpeedMetersPerSecond = other.maxSpeedMetersPerSecond.map { $0 * (1 + change / 1000) }
      let later = self.expected(other, regions)
      if !plain.isAlike(Encounters(wider)) || !plain.isAlike(Encounters(later)) { return true }
    }
    return false
  }

  var description: String {
    let places = regions.map { region in
      "\(region.key): \(region.circle.center.coordinate) \(region.circle.radiusMeters)"
    }
    return ["\(options)"].joined() + "\n" + (places + path.map { "\($0)" }).joined(separator: "\n")
  }
}
