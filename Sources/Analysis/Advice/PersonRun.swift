import Fencepost
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones

struct PersonRun: SummedTracks, Sendable {
  struct Story: Equatable {
    /// Entries if every place is watched.
    var entries = 0
    /// Alerts if every place is watched.
    var oracleAlerts = 0
    var alerts = 0
  }

  struct Track {
    /// The lookups; in a detailed run also the entries and the stories around the first fix.
    var run = TrackRun()
    /// Stories farther than this from each lookup, in meters, cannot affect the run.
    var influenceMeters = 0.0
  }

  var sums = TrackSums()
  /// Alerts by local day, including days with fixes but no alerts.
  private(set) var alertsByDay: [Int: Int] = [:]
  private(set) var stories: [String: Story] = [:]
  private(set) var tracks: [Track] = []
  /// The alerts of the simulated phone; nil if no phone was asked.
  fileprivate(set) var simulated: SimulatedAlerts?

  var reached: Int { stories.values.count { $0.alerts > 0 } }

  func excess(over most: Int) -> Int { alertsByDay.values.reduce(0) { $0 + max(0, $1 - most) } }

  /// Returns whether changing stories may change this run; false only if it certainly cannot.
  ///
  /// The alert policy carries over between tracks, so one affected track affects the whole run.
  func maySee(_ circles: [Circle], on person: PersonTracks, rule: MonitoringOptions) -> Bool {
    zip(tracks, person.tracks).contains { kept, track in
      // The hull contains the path, and lookups happen on the path.
      if GainBound.isPlain(rule), kept.influenceMeters.isFinite,
        !circles.contains(where: { track.hull.mayCome(within: kept.influenceMeters + 1, of: $0) })
      {
        return false
      }
      return kept.run.maySee(circles, on: track, rule: rule)
    }
  }

  /// Replaces the story numbers with those of another index.
  ///
  /// A story missing from `new` keeps its old number. Its run must then be replaced.
  mutating func renumber(from old: StoryIndex, to new: StoryIndex) {
    for index in tracks.indices {
      tracks[index].run.renumber { new.index(ofID: old.stories[$0].id) ?? $0 }
    }
  }

  fileprivate mutating func add(
    _ pass: TrackPass, _ days: DayCounter, ids: (Int) -> String, isDetailed: Bool
  ) {
    let device = pass.devices[0]
    for entry in device.entries {
      sums.counts.add(entry)
      let id = ids(entry.story)
      if entry.cause != .extra { stories[id, default: Story()].entries += 1 }
      if entry.isOracleAlert { stories[id, default: Story()].oracleAlerts += 1 }
      if entry.isAlert { stories[id, default: Story()].alerts += 1 }
    }
    sums.refreshes += device.refreshes
    sums.lengthMillimeters += pass.account.sums.lengthMillimeters
    alertsByDay.merge(days.alerts(of: device.entries), uniquingKeysWith: +)
    var track = Track()
    track.run.renewals = device.renewals ?? []
    for renewal in track.run.renewals {
      track.influenceMeters = max(
        track.influenceMeters, renewal.hasFailed ? .infinity : renewal.influenceMeters)
    }
    if isDetailed {
      track.run.entries = device.entries
      track.run.insideAtStart = pass.oracle.insideAtStart
    } else {
      for index in track.run.renewals.indices {
        (track.run.renewals[index].added, track.run.renewals[index].removed) = ([], [])
      }
    }
    tracks.append(track)
  }
}

extension Trial {
  /// Follows all tracks of a person, carrying the alert policy over between tracks.
  ///
  /// A detailed run keeps the entries and why circles were not watched. `onVertex` receives the
  /// track's index, each vertex, and whether it joins the previous one. With `chance`, the first of
  /// its profiles is simulated too, on stories with an entry, under this trial's rule; `weight` says
  /// what its alert of a story counts, given the story's id.
  ///
  /// - Returns: The run; nil if the task was canceled.
  func follow(
    _ person: PersonTracks, zone: ClockZone, isDetailed: Bool = false,
    chance: ChanceOptions? = nil, weight: (String) -> Int = { _ in 1 },
    onVertex: (Int, Coordinate, Bool) -> Void = { _, _, _ in }
  ) throws(TrackFailure) -> PersonRun? {
    var run = PersonRun()
    var course = PersonCourse()
    let rule = options.monitoring
    let simulator = chance.map {
      TrackSimulator(
        $0.following(rule, refreshMeters: rule.significantChangeMeters), stories, source: places,
        session: options, zone: zone)
    }
    if simulator != nil { run.simulated = SimulatedAlerts() }
    for (number, track) in person.tracks.enumerated() {
      let device = DeviceRun(
        stories, source: places, options: options, ranksMisses: isDetailed, logsRenewals: true,
        state: course.device)
      var pass = TrackPass(
        track.name, stories, source: places, rule: options, devices: [device],
        oracleState: course.oracle)
      var days = DayCounter(zone: zone)
      var recorder = PathRecorder()
      let isWhole = try pass.follow(track) { point, isJoined in
        if simulator != nil { recorder.take(point, isJoined: isJoined) }
        days.take(point.timeMilliseconds)
        onVertex(number, point.coordinate, isJoined)
      }
      guard isWhole else { return nil }
      (course.oracle, course.device) = (pass.oracle.policyState, pass.devices[0].policyState)
      run.add(pass, days, ids: { stories.stories[$0].id }, isDetailed: isDetailed)
      guard let simulator else { continue }
      let scene = TrackScene(recorder, entries: pass.devices[0].entries, nearestMeters: [])
      func counting(_ story: Int) -> Int { weight(stories.stories[story].id) }
      guard let chances = simulator.run(scene, &course.phones, weight: counting).first,
        !Task.isCancelled
      else { return nil }
      run.simulated?.add(chances) { stories.stories[$0].id }
    }
    return run
  }
}

/// The tracks of one person in order of time, or a single track without a person.
package struct PersonTracks: Sendable {
  package let person: String?
  /// The tracks, at least one.
  package let tracks: [RecordedTrack]

  package init(person: String?, tracks: [RecordedTrack]) {
    self.person = person
    self.tracks = tracks
  }

  var name: String { person ?? tracks[0].name }

  /// Returns the most alerts that one story can give under a cool-down.
  ///
  /// Two alerts of a story are at least one cool-down apart. If times run backward, the count is
  /// bounded only by a cool-down longer than the whole time span.
  func mostAlerts(under cooldown: Cooldown) -> Int {
    switch cooldown {
    case .none: return Self.unbounded
    case .forever: return 1
    case .seconds(let seconds):
      var (least, greatest, last) = (Int64.max, Int64.min, Int64.min)
      var runsBackwards = false
      for fix in tracks.lazy.flatMap(\.fixes) {
        guard let time = fix.timeMilliseconds else { return Self.unbounded }
        runsBackwards = runsBackwards || time < last
        (least, greatest, last) = (min(least, time), max(greatest, time), time)
      }
      let span = greatest - least
      let cooldown = seconds.multipliedReportingOverflow(by: 1000)
      if cooldown.overflow || span < cooldown.partialValue { return 1 }
      guard cooldown.partialValue > 0, !runsBackwards else { return Self.unbounded }
      return 1 + Int(span / cooldown.partialValue)
    }
  }

  /// More alerts than can occur, but small enough to add up without overflow.
  static let unbounded = 1 << 40
}

extension Coordinate {
  func distanceMeters(to other: Coordinate) -> Double { Geodesic.distanceMeters(self, other) }
}
