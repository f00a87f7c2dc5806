import Fencepost
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// What happens to one person on all of their tracks.
struct PersonRun: Sendable {
  /// What a story does.
  struct Story: Equatable {
    /// Entries with every place monitored.
    var entries = 0
    /// Alerts on the device.
    var alerts = 0
  }

  /// What is kept of one track.
  struct Track {
    /// The refreshes, and in a detailed run the entries and the stories that contained the first fix.
    var run = TrackRun()
    /// The greatest distance from a refresh at which a story changes anything, in metres.
    var influenceMeters = 0.0
  }

  private(set) var numbers = TrackNumbers()
  /// Alerts by local day, 0 for a day with fixes and without alerts.
  private(set) var alertsByDay: [Int: Int] = [:]
  /// The stories with entries, by id.
  private(set) var stories: [String: Story] = [:]
  private(set) var tracks: [Track] = []

  /// Number of stories that reach the person.
  var reached: Int { stories.values.count { $0.alerts > 0 } }

  /// Whether stories that come, go or change may change this run: false only if it certainly stays the same.
  ///
  /// The policy carries over from track to track, so that one track that may differ makes all differ.
  func maySee(_ circles: [Circle], on person: PersonTracks, rule: MonitoringOptions) -> Bool {
    zip(tracks, person.tracks).contains { kept, track in
      // Every refresh is on the path, which the hull contains.
      if GainBound.isPlain(rule), kept.influenceMeters.isFinite,
        !circles.contains(where: {
          track.hull.mayCome(within: kept.influenceMeters + 1, of: $0)
        })
      {
        return false
      }
      return kept.run.maySee(circles, on: track, rule: rule)
    }
  }

  /// Gives stories the numbers of other places, among which are all that the run knows, or it is replaced.
  mutating func renumber(from old: StoryIndex, to new: StoryIndex) {
    for index in tracks.indices {
      tracks[index].run.renumber { new.index(ofID: old.stories[$0].id) ?? $0 }
    }
  }

  /// Takes in the next track.
  fileprivate mutating func add(
    _ pass: TrackPass, _ days: DayCounter, ids: (Int) -> String, isDetailed: Bool
  ) {
    let device = pass.devices[0]
    for entry in device.entries {
      let id = ids(entry.story)
      if entry.cause != .extra { stories[id, default: Story()].entries += 1 }
      if entry.isAlert { stories[id, default: Story()].alerts += 1 }
    }
    numbers.lengthMillimeters += pass.account.lengthMillimeters
    numbers.add(device)
    alertsByDay.merge(days.alerts(of: device.entries), uniquingKeysWith: +)
    var track = Track()
    track.run.renewals = device.log?.renewals ?? []
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
  /// Follows all tracks of a person; the alert policy goes on from one to the next.
  ///
  /// - Parameters:
  ///   - person: The person's tracks.
  ///   - zone: The zone of the days.
  ///   - isDetailed: Whether to keep the entries and why circles were not monitored.
  ///   - onVertex: Called for each vertex of a track, by number, and whether it is joined to the one before.
  /// - Returns: What happens; nil if the task was cancelled.
  /// - Throws: ``TrackFailure``.
  func follow(
    _ person: PersonTracks, zone: ClockZone, isDetailed: Bool = false,
    onVertex: (Int, Coordinate, Bool) -> Void = { _, _, _ in }
  ) throws(TrackFailure) -> PersonRun? {
    var run = PersonRun()
    var course = PersonCourse()
    for (number, track) in person.tracks.enumerated() {
      var device = DeviceRun(
        stories, source: places, options: options, ranksMisses: isDetailed, state: course.device)
      if options.monitoring.limit != nil { device.log = RenewalLog() }
      var pass = TrackPass(
        .recorded(track), stories, source: places, rule: options, devices: [device],
        oracleState: course.oracle)
      var days = DayCounter(zone: zone)
      let isWhole = try pass.follow { point, isJoined in
        days.take(point.timeMilliseconds)
        onVertex(number, point.coordinate, isJoined)
      }
      guard isWhole else { return nil }
      (course.oracle, course.device) = (pass.oracle.policyState, pass.devices[0].policyState)
      run.add(pass, days, ids: { stories.stories[$0].id }, isDetailed: isDetailed)
    }
    return run
  }
}

/// The tracks of one person in time's order, or one track that stays alone.
public struct PersonTracks: Sendable {
  /// The person; nil for a track of nobody in particular.
  public let person: String?
  /// The tracks, at least one.
  public let tracks: [RecordedTrack]

  /// Makes a person's tracks.
  public init(person: String?, tracks: [RecordedTrack]) {
    self.person = person
    self.tracks = tracks
  }

  /// The person's name, or that of the track.
  var name: String { person ?? tracks[0].name }

  /// Most alerts of one story that the cool-down allows, whatever happens.
  ///
  /// Any two alerts of a story are at least the cool-down apart. Where the times run backwards between
  /// tracks, only a cool-down that is longer than all of them together bounds anything.
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

  /// More alerts than there can be, and few enough to be added up.
  static let unbounded = 1 << 40
}

extension Coordinate {
  /// The distance along the ellipsoid in metres.
  func distanceMeters(to other: Coordinate) -> Double { Geodesic.distanceMeters(self, other) }
}
