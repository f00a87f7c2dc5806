/// An endless journey through ``Metro`` with a fix a second.
struct Journey: Sequence, IteratorProtocol {
  /// How one travels.
  enum Kind: String, CaseIterable {
    /// By car at 0 … 30 m/s, with stops.
    case drive
    /// On foot at 1.4 m/s, in and about the core.
    case walk
  }

  /// One report of the receiver.
  struct Point {
    var point: GridPoint
    var timeMilliseconds: Int64
    var speedMetersPerSecond: Double
  }

  /// 2026-03-02T00:00:00Z.
  static let startMilliseconds: Int64 = 1_772_409_600_000

  private let kind: Kind
  private var random: SplitMix64
  private var timeMilliseconds = Journey.startMilliseconds
  private var east: Double
  private var north: Double
  private var headingEast = 1.0
  private var headingNorth = 0.0
  private var speed = 0.0
  private var cruise = 1.4
  private var standSeconds = 0
  private var isBraking = false
  private var goal: (east: Double, north: Double)

  init(kind: Kind, seed: UInt64) {
    self.kind = kind
    random = SplitMix64(seed: seed)
    (east, north) = Metro.coreSpot(&random)
    goal = Metro.coreSpot(&random)
  }

  mutating func next() -> Point? {
    let report = Point(
      point: Metro.plane.point(eastMeters: east, northMeters: north),
      timeMilliseconds: timeMilliseconds, speedMetersPerSecond: speed)
    timeMilliseconds += 1_000
    if kind == .walk { speed = 1.4 } else { drive() }
    steer()
    east += headingEast * speed
    north += headingNorth * speed
    return report
  }

  /// Slows for lights, stands at them, speeds up to what the road allows.
  private mutating func drive() {
    let isCore = east * east + north * north < Metro.coreMeters * Metro.coreMeters
    if standSeconds > 0 {
      standSeconds -= 1
      return
    }
    if isBraking {
      speed = Swift.max(0, speed - 2.5)
      guard speed == 0 else { return }
      isBraking = false
      standSeconds = Int(random.uniform(5, 40))
      return
    }
    if random.unit() < (isCore ? 1.0 / 60 : 1.0 / 400) { isBraking = true }
    if random.unit() < 0.02 { cruise = isCore ? random.uniform(6, 15) : random.uniform(15, 30) }
    speed =
      speed < cruise ? Swift.min(cruise, speed + 1.5) : Swift.max(cruise, speed - 1.5)
  }

  /// Turns towards the goal, as far as a second allows; takes a new goal where it is reached.
  private mutating func steer() {
    guard speed > 0 else { return }
    let aheadEast = goal.east - east
    let aheadNorth = goal.north - north
    let distance = (aheadEast * aheadEast + aheadNorth * aheadNorth).squareRoot()
    if distance < (kind == .walk ? 20 : 250) {
      goal =
        kind == .walk ? Metro.coreSpot(&random) : Metro.spot(&random, coreShare: 0.4)
      return
    }
    let across = (headingEast * aheadNorth - headingNorth * aheadEast) / distance
    let along = (headingEast * aheadEast + headingNorth * aheadNorth) / distance
    let wanted = along > 0 ? across : (across < 0 ? -1 : 1)
    let turn = Swift.max(-0.15, Swift.min(0.15, wanted * 0.2 + random.bell() * 0.03))
    let turnedEast = headingEast - headingNorth * turn
    let turnedNorth = headingNorth + headingEast * turn
    let length = (turnedEast * turnedEast + turnedNorth * turnedNorth).squareRoot()
    headingEast = turnedEast / length
    headingNorth = turnedNorth / length
  }
}
