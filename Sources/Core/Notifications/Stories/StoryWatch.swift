import FencepostGeodesy
public import FencepostMonitoring

/// Decides which entries into stories alert, from fixes and the phone's region events.
///
/// It needs no clock, file or framework. ``StoryAlerts`` runs it in an app.
///
/// Entries have two sources. The *path* is the line between fixes, which the engine tests against
/// watched circles. The *phone* monitors the same circles itself; it reports late, and only the
/// nearest circles, but also between fixes. The first source to report an entry opens a visit. The
/// other source joins it silently while the first is inside, or within
/// ``StoryWatchOptions/joinMilliseconds``. A second entry from the same source opens a new visit.
public struct StoryWatch: Sendable {
  /// Why a fix was rejected.
  ///
  /// ``rejections`` counts them.
  public enum Rejection: String, Hashable, Sendable {
    /// The phone marked the fix as invalid, or its coordinates are out of range.
    case invalid
    /// The fix is not newer than the last one; phones often repeat an old fix at first.
    case notNewer
  }

  /// The rules.
  public let options: StoryWatchOptions
  /// The stories.
  public let stories: PlaceIndex
  /// The number of rejected fixes, by reason.
  public private(set) var rejections: [Rejection: Int] = [:]
  /// The last accepted fix.
  public internal(set) var lastFix: PhoneFix?

  var run: PathRun
  /// The visits that are not over, by story id.
  package var visits: [String: StoryVisit] = [:]
  /// The circle around the phone whose exit triggers a lookup.
  ///
  /// Nil before the first lookup, and if no further lookup is needed.
  package var tripwire: Tripwire?
  let fingerprint: UInt64

  /// A circle around the point of the last lookup; leaving it means that another lookup is due.
  ///
  /// The phone monitors it like a story's circle, so that it wakes the app. The radius is the
  /// distance to the next lookup in meters, and at least
  /// ``StoryWatchOptions/minRegionRadiusMeters``.
  package struct Tripwire: Codable, Equatable, Sendable {
    var center: Coordinate
    var radiusMeters: Double

    private enum CodingKeys: String, CodingKey {
      case center, radiusMeters
    }

    init(center: Coordinate, radiusMeters: Double) {
      (self.center, self.radiusMeters) = (center, radiusMeters)
    }

    /// Reads a tripwire, also in the form of earlier versions.
    package init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      // Earlier versions wrote the center beside the radius.
      center =
        try values.decodeIfPresent(Coordinate.self, forKey: .center) ?? Coordinate(from: decoder)
      radiusMeters = try values.decode(Double.self, forKey: .radiusMeters)
    }
  }

  /// Creates a watch without any fixes.
  public init(stories: PlaceIndex, options: StoryWatchOptions = StoryWatchOptions()) {
    self.stories = stories
    self.options = options
    run = PathRun(options.monitoring, options.alerts)
    fingerprint = Self.fingerprint(of: stories, options.monitoring)
  }

  /// Follows the path to a fix.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The current time in milliseconds since 1970, if known. If the last fix is later than
  ///     this, the clock was set back, and an older fix is accepted.
  ///   - canAlert: The app's own condition. An entry into a story that it refuses does not count, so
  ///     it uses up no cooldown.
  /// - Returns: The entries on the way to the fix, in path order.
  public mutating func follow(
    _ fix: PhoneFix, nowMilliseconds now: Int64? = nil, canAlert: (Place) -> Bool = { _ in true }
  ) -> [StoryEntry] {
    if let rejection = rejection(of: fix, nowMilliseconds: now) {
      rejections[rejection, default: 0] += 1
      return []
    }
    let isVague = self.isVague(fix)
    advance(
      to: fix,
      startsSegment: isVague
        || (lastFix.map { last in
          self.isVague(last)
            || fix.timeMilliseconds - last.timeMilliseconds > options.maxGapMilliseconds
        } ?? false))
    var entered: Set<Crossing> = []
    for event in run.events {
      switch event {
      case .refresh(let refresh): note(refresh)
      case .dwell: break
      case .crossing(let crossing):
        guard let place = stories.place(forKey: crossing.key) else { continue }
        let isLate = isVague || isOld(crossing, nowMilliseconds: now)
        if opensVisit(place, crossing, at: fix, isIgnored: isLate), canAlert(place) {
          entered.insert(crossing)
        }
      }
    }
    let speed = speed(at: fix)
    let steps = run.steps(
      from: stories, speedMetersPerSecond: speed, asks: { entered.contains($0) })
    let entries = steps.compactMap { $0.notice?.decided }
      .map { StoryEntry($0, isReportedByPhone: false) }
    run.pass(speedMetersPerSecond: speed, atMilliseconds: fix.timeMilliseconds)
    lastFix = fix
    visits = visits.filter {
      !$0.value.isOver(
        atMilliseconds: fix.timeMilliseconds, joinMilliseconds: options.joinMilliseconds)
    }
    return entries
  }

  private func rejection(of fix: PhoneFix, nowMilliseconds now: Int64?) -> Rejection? {
    if !(fix.accuracyMeters >= 0) || !fix.coordinate.isValid { return .invalid }
    guard let last = lastFix, fix.timeMilliseconds <= last.timeMilliseconds else { return nil }
    if let now, last.timeMilliseconds - now > Self.clockErrorMilliseconds { return nil }
    return .notNewer
  }

  /// Satellites set the time of a fix, which may be this far ahead of the phone's clock.
  private static var clockErrorMilliseconds: Int64 { 60_000 }

  private func isVague(_ fix: PhoneFix) -> Bool {
    fix.accuracyMeters > options.maxAccuracyMeters
  }

  private func isOld(_ crossing: Crossing, nowMilliseconds now: Int64?) -> Bool {
    guard let now, let time = crossing.timeMilliseconds else { return false }
    return now - time > options.maxAgeMilliseconds
  }

  mutating func advance(to fix: PhoneFix, startsSegment: Bool) {
    let point = PathPoint(
      coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
      startsSegment: startsSegment)
    _ = run.follow([point], from: stories)
  }

  /// Returns the speed at a fix in m/s, from the phone or else from the path; NaN if unknown.
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
    guard crossing.isEntry else {
      visits[place.id]?.leave(.path, atMilliseconds: time)
      return false
    }
    if isIgnored { return false }
    return visits[place.id, default: StoryVisit()].enter(
      .path, atMilliseconds: time, joinMilliseconds: options.joinMilliseconds)
  }

  // MARK: The phone's own events

  /// Records the phone's report that it entered a story's circle.
  ///
  /// Phones report entries kilometers away after a relaunch. One that the last fix proves false is
  /// ignored.
  ///
  /// - Returns: The entry; empty if it joins a visit, is false, or if `canAlert` refuses it, or if
  ///   the story is unknown.
  public mutating func phoneEntered(
    storyID: String, atMilliseconds milliseconds: Int64, canAlert: (Place) -> Bool = { _ in true }
  ) -> [StoryEntry] {
    guard let story = stories.place(withID: storyID),
      isWithinReach(story, atMilliseconds: milliseconds),
      visits[storyID, default: StoryVisit()].enter(
        .phone, atMilliseconds: milliseconds, joinMilliseconds: options.joinMilliseconds),
      canAlert(story)
    else { return [] }
    let entries = run.decide([
      AlertEntry(
        story, timeMilliseconds: milliseconds,
        speedMetersPerSecond: lastFix?.speedMetersPerSecond ?? .nan)
    ])
    return entries.map { StoryEntry($0, isReportedByPhone: true) }
  }

  /// Whether the phone can have come from the last fix to a story's circle by now.
  private func isWithinReach(_ story: Place, atMilliseconds milliseconds: Int64) -> Bool {
    guard let fix = lastFix else { return true }
    let seconds = Double((milliseconds - fix.timeMilliseconds).magnitude) / 1000
    let meters = Geodesic.distanceMeters(fix.coordinate, story.coordinate) - story.radiusMeters
    return meters
      <= Self.noticedBeyondMeters + fix.accuracyMeters + Self.greatestSpeed * seconds
  }

  /// How far outside a circle phones notice an entry, at most.
  private static var noticedBeyondMeters: Double { 250 }
  /// In m/s; fast trains.
  private static var greatestSpeed: Double { 90 }

  /// Records the phone's report that it left a story's circle.
  public mutating func phoneLeft(storyID: String, atMilliseconds milliseconds: Int64) {
    guard stories.place(withID: storyID) != nil else { return }
    visits[storyID, default: StoryVisit()].leave(.phone, atMilliseconds: milliseconds)
  }

  /// Records the phone's report of whether it is inside a story's circle.
  ///
  /// The first report after monitoring begins is not an entry unless
  /// `MonitoringOptions.InitialState.enter` is set. A later report that contradicts the known side
  /// stands in for a lost crossing.
  public mutating func phoneFound(
    storyID: String, isInside: Bool, atMilliseconds milliseconds: Int64,
    canAlert: (Place) -> Bool = { _ in true }
  ) -> [StoryEntry] {
    guard stories.place(withID: storyID) != nil else { return [] }
    let side = visits[storyID]?.phoneSide ?? .unknown
    switch (side, isInside) {
    case (.unknown, true) where options.monitoring.initial == .silent:
      visits[storyID, default: StoryVisit()].phoneSide = .foundInside
    case (.unknown, true), (.outside, true):
      return phoneEntered(
        storyID: storyID, atMilliseconds: milliseconds, canAlert: canAlert)
    case (.unknown, false): visits[storyID, default: StoryVisit()].phoneSide = .outside
    case (.foundInside, false), (.inside, false):
      phoneLeft(storyID: storyID, atMilliseconds: milliseconds)
    case (.foundInside, true), (.inside, true), (.outside, false): break
    }
    return []
  }

  /// Forgets the phone's side of a circle that it stopped or only just began monitoring.
  public mutating func phoneStopped(storyID: String) { visits[storyID]?.phoneSide = .unknown }
}

/// The rules for watching and alerts.
///
/// By default, a fix must be accurate to 200 m and an entry no older than 5 minutes to alert.
public struct StoryWatchOptions: Equatable, Sendable {
  /// Which circles to watch, and when to look them up again.
  public var monitoring = MonitoringOptions()
  /// Which entries alert.
  public var alerts = AlertOptions()
  /// How long after a visit's last event the other source may join it; default: 10 minutes.
  public var joinMilliseconds: Int64 = 600_000
  /// Fixes less accurate than this update the watched circles, but cross none.
  public var maxAccuracyMeters = 200.0
  /// The longest time between two fixes joined by a straight line; default: 2 minutes.
  ///
  /// After a longer gap, the phone enters the circles that contain the later fix.
  public var maxGapMilliseconds: Int64 = 120_000
  /// The maximum age of an entry that still alerts; default: 5 minutes.
  public var maxAgeMilliseconds: Int64 = 300_000
  /// The smallest radius that phones monitor reliably, in meters; the minimum for the tripwire.
  public var minRegionRadiusMeters = 100.0

  /// Creates the default options.
  public init() {}
}

/// A new visit to a story's circle.
///
/// Only the first report of a visit makes one; a second report of the same entry joins the visit.
public struct StoryEntry: Equatable, Sendable {
  /// The story.
  public let story: Place
  /// When the path entered the circle or the phone reported it, in milliseconds since 1970.
  public let timeMilliseconds: Int64
  /// Whether the phone's region reported the entry before the path did.
  public let isReportedByPhone: Bool
  /// Whether the entry alerts, or why it is held back.
  public let decision: AlertDecision

  /// Whether the entry alerts; if not, ``decision`` has the reason.
  public var isAlert: Bool { decision.suppressionReason == nil }

  init(_ entry: AlertEntry, isReportedByPhone: Bool) {
    story = entry.place
    timeMilliseconds = entry.crossing.timeMilliseconds ?? 0
    self.isReportedByPhone = isReportedByPhone
    decision = entry.decision
  }
}

extension StoryWatch {
  /// The identifier of the phone's region for a story.
  public static func regionIdentifier(ofStory id: String) -> String { storyPrefix + id }

  /// Returns the id of a region's story; nil for the tripwire and foreign regions.
  public static func storyID(ofRegion identifier: String) -> String? {
    identifier.hasPrefix(storyPrefix) ? String(identifier.dropFirst(storyPrefix.count)) : nil
  }

  /// Forgets the phone's side of a region that it no longer monitors.
  package mutating func phoneStopped(regionIdentifier: String) {
    if let story = Self.storyID(ofRegion: regionIdentifier) { phoneStopped(storyID: story) }
  }

  private static let storyPrefix = RegionMirror.prefix + "story."
  /// The identifier of the circle around the phone whose exit triggers a lookup.
  public static let tripwireIdentifier = RegionMirror.prefix + "tripwire"

  /// The regions that the phone should monitor, most important first.
  ///
  /// The tripwire comes first, if there is one, then the watched stories, nearest edge first.
  public var regions: [PhoneRegion] {
    let here = lastFix.map { Position($0.coordinate) }
    let stories = run.engine.monitoredRegions.compactMap { monitored -> (Double, PhoneRegion)? in
      let circle = monitored.region.circle
      guard let story = self.stories.place(forKey: monitored.region.key) else { return nil }
      let region = PhoneRegion(
        identifier: Self.regionIdentifier(ofStory: story.id), center: story.coordinate,
        radiusMeters: circle.radiusMeters)
      return (here.map(circle.edgeDistanceMeters(from:)) ?? 0, region)
    }
    let ordered = stories.sorted { ($0.0, $0.1.identifier) < ($1.0, $1.1.identifier) }.map(\.1)
    guard options.monitoring.hasTripwire, let tripwire else { return ordered }
    let wire = PhoneRegion(
      identifier: Self.tripwireIdentifier, center: tripwire.center,
      radiusMeters: tripwire.radiusMeters)
    return [wire] + ordered
  }

  mutating func note(_ refresh: Refresh) {
    for key in refresh.removed {
      if let story = stories.place(forKey: key) { visits[story.id]?.isInsideByPath = false }
    }
    guard !refresh.hasFailed else { return }
    let reach = refresh.reachMeters ?? options.monitoring.significantChangeMeters
    let radius = max(reach, options.minRegionRadiusMeters)
    tripwire =
      radius.isFinite
      ? Tripwire(center: refresh.coordinate, radiusMeters: radius)
      : nil
  }
}

extension StoryWatchOptions {
  /// The former name of ``maxAccuracyMeters``.
  @available(*, deprecated, renamed: "maxAccuracyMeters")
  public var greatestAccuracyMeters: Double {
    get { maxAccuracyMeters }
    set { maxAccuracyMeters = newValue }
  }

  /// The former name of ``maxGapMilliseconds``.
  @available(*, deprecated, renamed: "maxGapMilliseconds")
  public var greatestGapMilliseconds: Int64 {
    get { maxGapMilliseconds }
    set { maxGapMilliseconds = newValue }
  }

  /// The former name of ``maxAgeMilliseconds``.
  @available(*, deprecated, renamed: "maxAgeMilliseconds")
  public var greatestAgeMilliseconds: Int64 {
    get { maxAgeMilliseconds }
    set { maxAgeMilliseconds = newValue }
  }

  /// The former name of ``minRegionRadiusMeters``.
  @available(*, deprecated, renamed: "minRegionRadiusMeters")
  public var leastRegionRadiusMeters: Double {
    get { minRegionRadiusMeters }
    set { minRegionRadiusMeters = newValue }
  }
}

extension StoryWatch {
  /// The former name of ``StoryWatchOptions``.
  @available(*, deprecated, renamed: "StoryWatchOptions")
  public typealias Options = StoryWatchOptions
}
