import FencepostGeodesy
public import FencepostMonitoring
public import FencepostNotifications

/// Stories, the engine that follows the phone's path among them, the phone's own regions and the alert policy,
/// joined to a value: fixes and the phone's events go in, entries come out.
///
/// It knows no framework, clock or file, so it serves any phone. ``StoryAlerts`` is the app around it.
///
/// Entries come from two sources. The *path* is the line between fixes, which the engine crosses with the circles
/// it monitors. The *phone* monitors the same circles itself and reports crossings, late and only of the nearest,
/// but also between fixes. The first of the two to report an entry opens a visit, which goes to the policy; the
/// other's entry joins it silently if it comes while the first is still inside, or within
/// ``Options/joinMilliseconds``. A second entry from the same source opens a new visit.
public struct StoryWatch: Sendable {
  /// The rules.
  public struct Options: Equatable, Sendable {
    /// Which circles are monitored, and when they are chosen anew.
    public var monitoring = MonitoringOptions()
    /// Which entries alert.
    public var alerts = AlertPolicy.Options()
    /// How long after a visit's last event the other source's entry may still belong to it; ten minutes by
    /// default.
    public var joinMilliseconds: Int64 = 600_000
    /// A fix that is less accurate chooses regions only; nothing is crossed on the way to it or from it.
    public var greatestAccuracyMeters = 200.0
    /// The longest time between two fixes that are joined by a straight line; two minutes by default.
    ///
    /// Across a longer one the way is unknown, and a circle is entered where the later fix is inside of it.
    public var greatestGapMilliseconds: Int64 = 120_000
    /// The greatest age at which an entry still alerts; five minutes by default.
    ///
    /// A phone may deliver fixes late.
    public var greatestAgeMilliseconds: Int64 = 300_000
    /// The radius below which phones do not monitor a region reliably: the least of the tripwire.
    public var leastRegionRadiusMeters = 100.0

    /// Makes the defaults.
    public init() {}
  }

  /// Why a fix was not taken.
  public enum Rejection: String, Hashable, Sendable {
    /// The phone marked it as invalid, or it is not on the globe.
    case invalid
    /// It is not newer than the last one; phones often repeat an old fix at first.
    case notNewer
  }

  /// The rules.
  public let options: Options
  /// The stories.
  public let stories: PlaceIndex
  /// How many fixes were not taken, by reason.
  public private(set) var rejections: [Rejection: Int] = [:]
  /// The last fix that was taken.
  public internal(set) var lastFix: PhoneFix?

  var engine: Engine
  var policy: AlertPolicy
  var visits: [String: StoryVisit] = [:]
  /// The circle whose exit wakes the phone to choose regions anew.
  var tripwire: Tripwire?
  /// Identifies the stories and the rule in a snapshot.
  let fingerprint: UInt64

  struct Tripwire: Codable, Equatable, Sendable {
    var latitudeDegrees: Double
    var longitudeDegrees: Double
    var radiusMeters: Double
  }

  /// Makes a watch that has seen no fix.
  public init(stories: PlaceIndex, options: Options = Options()) {
    self.stories = stories
    self.options = options
    engine = Engine(options: options.monitoring)
    policy = AlertPolicy(options: options.alerts)
    fingerprint = Self.fingerprint(of: stories, options.monitoring)
  }

  /// Takes a fix.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The present in milliseconds since 1970, if it is known. A fix that is older than the last one counts
  ///     if the last one lies in the future, because the phone's clock was set back.
  /// - Returns: The entries on the way to it, in order along the path.
  public mutating func take(_ fix: PhoneFix, nowMilliseconds now: Int64? = nil) -> [StoryEntry] {
    if let rejection = rejection(of: fix, nowMilliseconds: now) {
      rejections[rejection, default: 0] += 1
      return []
    }
    let isVague = self.isVague(fix)
    let found = advance(
      to: fix,
      startsSegment: isVague
        || (lastFix.map { self.isVague($0) || isGap(from: $0, to: fix) } ?? false))
    var entered: [(place: Place, crossing: Crossing)] = []
    for event in found {
      switch event {
      case .refresh(let refresh): note(refresh)
      case .dwell: break
      case .crossing(let crossing):
        guard let place = stories.place(forKey: crossing.key) else { continue }
        let isLate = isVague || isOld(crossing, nowMilliseconds: now)
        if opensVisit(place, crossing, at: fix, isIgnored: isLate) {
          entered.append((place, crossing))
        }
      }
    }
    let speed = speed(at: fix)
    let entries = decide(entered, speed: speed)
    policy.observe(speedMetersPerSecond: speed, atMilliseconds: fix.timeMilliseconds)
    lastFix = fix
    forgetOldVisits(atMilliseconds: fix.timeMilliseconds)
    return entries
  }

  private func rejection(of fix: PhoneFix, nowMilliseconds now: Int64?) -> Rejection? {
    if !(fix.accuracyMeters >= 0) || !fix.coordinate.isValid { return .invalid }
    guard let last = lastFix, fix.timeMilliseconds <= last.timeMilliseconds else { return nil }
    if let now, last.timeMilliseconds - now > Self.clockErrorMilliseconds { return nil }
    return .notNewer
  }

  /// Fixes are stamped by satellites and may be this much ahead of the phone's clock.
  private static var clockErrorMilliseconds: Int64 { 60_000 }

  private func isVague(_ fix: PhoneFix) -> Bool {
    fix.accuracyMeters > options.greatestAccuracyMeters
  }

  private func isGap(from last: PhoneFix, to fix: PhoneFix) -> Bool {
    fix.timeMilliseconds - last.timeMilliseconds > options.greatestGapMilliseconds
  }

  private func isOld(_ crossing: Crossing, nowMilliseconds now: Int64?) -> Bool {
    guard let now, let time = crossing.timeMilliseconds else { return false }
    return now - time > options.greatestAgeMilliseconds
  }

  mutating func advance(to fix: PhoneFix, startsSegment: Bool) -> [EngineEvent] {
    var found: [EngineEvent] = []
    let point = PathPoint(
      coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
      startsSegment: startsSegment)
    engine.advance(along: [point], from: stories, into: &found)
    return found
  }

  /// The speed on the way to a fix in metres a second, the phone's or else the path's; NaN if unknown.
  private func speed(at fix: PhoneFix) -> Double {
    if let speed = fix.speedMetersPerSecond { return speed }
    guard options.alerts.maxAlertSpeedMetersPerSecond != nil, let last = lastFix,
      fix.timeMilliseconds > last.timeMilliseconds
    else { return .nan }
    let meters = Geodesic.distanceMeters(last.coordinate, fix.coordinate)
    return meters * 1000 / Double(fix.timeMilliseconds - last.timeMilliseconds)
  }

  // MARK: Visits

  private mutating func opensVisit(
    _ place: Place, _ crossing: Crossing, at fix: PhoneFix, isIgnored: Bool
  ) -> Bool {
    let time = crossing.timeMilliseconds ?? fix.timeMilliseconds
    guard crossing.isEnter else {
      visits[place.id]?.leave(.path, atMilliseconds: time)
      return false
    }
    if isIgnored { return false }
    return visits[place.id, default: StoryVisit()].enter(
      .path, atMilliseconds: time, joinMilliseconds: options.joinMilliseconds)
  }

  private mutating func forgetOldVisits(atMilliseconds milliseconds: Int64) {
    visits = visits.filter {
      !$0.value.isOver(
        atMilliseconds: milliseconds, joinMilliseconds: options.joinMilliseconds)
    }
  }

  private mutating func decide(
    _ entered: [(place: Place, crossing: Crossing)], speed: Double
  ) -> [StoryEntry] {
    // The engine breaks ties by key; the policy's order is that of ids.
    let ordered = entered.sorted {
      ($0.crossing.fraction, $0.place.id) < ($1.crossing.fraction, $1.place.id)
    }
    let entries = policy.decide(
      ordered.map { AlertPolicy.Entry($0.place, $0.crossing, speedMetersPerSecond: speed) })
    return entries.map { StoryEntry($0, isReportedByPhone: false) }
  }
}

// MARK: The phone's own events

extension StoryWatch {
  /// Takes the phone's report that it came into a story's circle.
  ///
  /// - Returns: The entry, unless it belongs to a visit that is known or no story has the id.
  public mutating func phoneEntered(
    storyID: String, atMilliseconds milliseconds: Int64
  ) -> [StoryEntry] {
    guard let story = stories.place(withID: storyID),
      visits[storyID, default: StoryVisit()].enter(
        .phone, atMilliseconds: milliseconds, joinMilliseconds: options.joinMilliseconds)
    else { return [] }
    let entries = policy.decide([
      AlertPolicy.Entry(
        story, timeMilliseconds: milliseconds,
        speedMetersPerSecond: lastFix?.speedMetersPerSecond ?? .nan)
    ])
    return entries.map { StoryEntry($0, isReportedByPhone: true) }
  }

  /// Takes the phone's report that it left a story's circle.
  public mutating func phoneLeft(storyID: String, atMilliseconds milliseconds: Int64) {
    guard stories.place(withID: storyID) != nil else { return }
    visits[storyID, default: StoryVisit()].leave(.phone, atMilliseconds: milliseconds)
  }

  /// Takes the phone's answer on which side of a story's circle it is.
  ///
  /// The first answer since the circle is monitored is only noted, unless
  /// `MonitoringOptions.InitialState.enter` is set. A later one that contradicts what is known stands for a
  /// crossing whose report was lost, as when the app was ended while it came.
  public mutating func phoneFound(
    storyID: String, isInside: Bool, atMilliseconds milliseconds: Int64
  ) -> [StoryEntry] {
    guard stories.place(withID: storyID) != nil else { return [] }
    let side = visits[storyID]?.phoneSide ?? .unknown
    switch (side, isInside) {
    case (.unknown, true) where options.monitoring.initial == .silent:
      visits[storyID, default: StoryVisit()].phoneSide = .foundInside
    case (.unknown, true), (.outside, true):
      return phoneEntered(storyID: storyID, atMilliseconds: milliseconds)
    case (.unknown, false):
      visits[storyID, default: StoryVisit()].phoneSide = .outside
    case (.foundInside, false), (.inside, false):
      phoneLeft(storyID: storyID, atMilliseconds: milliseconds)
    case (.foundInside, true), (.inside, true), (.outside, false): break
    }
    return []
  }

  /// Forgets the side that the phone reported: it does not monitor the circle any more, or a new one.
  public mutating func phoneStopped(storyID: String) {
    visits[storyID]?.phoneSide = .unknown
  }
}

/// A visit to a story's circle that has just begun.
public struct StoryEntry: Equatable, Sendable {
  /// The story.
  public let story: Place
  /// When the circle was entered, in milliseconds since 1970: on the path, or when the phone reported it.
  public let timeMilliseconds: Int64
  /// Whether the phone's region reported it first, and not the path.
  public let isReportedByPhone: Bool
  /// What the policy made of it.
  public let decision: AlertDecision

  init(_ entry: AlertPolicy.Entry, isReportedByPhone: Bool) {
    story = entry.place
    timeMilliseconds = entry.crossing.timeMilliseconds ?? 0
    self.isReportedByPhone = isReportedByPhone
    decision = entry.decision
  }
}
