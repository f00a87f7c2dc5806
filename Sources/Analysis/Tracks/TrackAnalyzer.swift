import Fencepost
import Fixes
import Geodesy
import Monitoring
import Notifications

/// Analyses tracks one after the other, with memory that it keeps.
///
/// Not for two tasks at once: each worker has its own, with a source of its own.
final class TrackAnalyzer {
  /// What an analysis does.
  struct Options: Sendable {
    var session = TrackSession.Options()
    var fixes = FixStream.Options()
    /// Whose clock hours of the day are.
    var zone = ClockZone.utc
    /// How many vertices of a path are kept to draw it.
    var drawnVertices = 0
  }

  private let index: StoryIndex
  private let source: any PlaceSource
  private let options: Options
  private var approach: NearestApproach

  init(_ index: StoryIndex, source: any PlaceSource, options: Options) {
    self.index = index
    self.source = source
    self.options = options
    approach = NearestApproach(index)
  }

  /// Analyses one track.
  ///
  /// - Parameters:
  ///   - path: The track's file.
  ///   - shouldStop: Asked between batches whether to give up.
  /// - Returns: Everything about it, or nil when it was given up.
  /// - Throws: ``TrackFailure`` where it cannot be read to its end.
  func analyze(
    _ path: String, shouldStop: () -> Bool
  ) throws(TrackFailure) -> TrackAnalysis? {
    var oracle = OracleRun(index, source: source, options: options.session)
    var device = DeviceRun(index, source: source, options: options.session, ranksMisses: true)
    var sketch = PathSketch(mostVertices: options.drawnVertices)
    var clock = TravelClock()
    var account = TrackAccount(track: path)
    approach.reset()
    let isWhole = try TrackReading(options.fixes, watchesSpeed: options.session.watchesSpeed)
      .read(path, into: &account, shouldStop: shouldStop) { batch in
        oracle.take(batch) { point, isJoined in
          approach.take(point.coordinate, isJoined: isJoined)
          sketch.take(point.coordinate, isJoined: isJoined)
          clock.take(point.timeMilliseconds, isJoined: isJoined)
        }
        device.take(batch, meetings: oracle.meetings)
      }
    guard isWhole else { return nil }
    oracle.finish()
    device.finish()
    _ = approach.finish()
    if let failure = oracle.failure { throw TrackFailure(path: path, kind: .store(failure)) }
    account.note(clock)
    return assemble(oracle, device, account, lines: sketch.finish())
  }

  private func assemble(
    _ oracle: OracleRun, _ device: DeviceRun, _ account: TrackAccount, lines: [[Coordinate]]
  ) -> TrackAnalysis {
    var account = account
    account.note(oracle, device)
    account.alertsByHour = hours(of: device.entries)
    let crossed = StoryVerdict.all(of: device.entries, insideAtStart: oracle.insideAtStart)
    account.note(crossed, of: account.fixes > 0 ? index.count : 0)
    return TrackAnalysis(
      account: account, nearestMeters: approach.distancesMeters, crossed: crossed,
      entries: device.entries, moments: AlertMoments.of(device.entries),
      crowds: oracle.crowds.crowds, lines: lines)
  }

  /// Alerts by hour of the day, on the clock that counts.
  private func hours(of entries: [EntryRecord]) -> [Int] {
    var hours = [Int](repeating: 0, count: 24)
    for entry in entries where entry.isAlert {
      guard let time = entry.deliveryMilliseconds ?? entry.timeMilliseconds else { continue }
      hours[Int(options.zone.secondOfDay(atMilliseconds: time) / 3600) % 24] += 1
    }
    return hours
  }
}

extension TrackSession.Options {
  var watchesSpeed: Bool { alerts.maxAlertSpeedMetersPerSecond != nil }
}

/// Counts the time between joined fixes.
struct TravelClock {
  private(set) var firstMilliseconds: Int64?
  private(set) var lastMilliseconds: Int64?
  private(set) var travelMilliseconds = 0
  private var previous: Int64?

  mutating func take(_ time: Int64?, isJoined: Bool) {
    defer { previous = time }
    guard let time else { return }
    firstMilliseconds = min(firstMilliseconds ?? time, time)
    lastMilliseconds = max(lastMilliseconds ?? time, time)
    if isJoined, let previous { travelMilliseconds += max(0, Int(time - previous)) }
  }
}

extension TrackAccount {
  /// Takes the times.
  mutating func note(_ clock: TravelClock) {
    firstMilliseconds = clock.firstMilliseconds
    lastMilliseconds = clock.lastMilliseconds
    travelMilliseconds = clock.travelMilliseconds
  }

  /// Takes the numbers of the runs.
  mutating func note(_ oracle: OracleRun, _ device: DeviceRun) {
    lengthMillimeters = Int((oracle.lengthMeters * 1000).rounded())
    refreshes = device.refreshes
    failedRefreshes = device.failedRefreshes
    mostCircles = oracle.crowds.mostCircles
    isCertified = device.isCertified
    for entry in device.entries { counts.add(entry) }
  }

  /// Takes the verdicts, all stories that are not among them being never crossed.
  mutating func note(_ crossed: [StoryVerdict], of storyCount: Int) {
    stories[.neverCrossed] = storyCount - crossed.count
    for verdict in crossed {
      stories[verdict.verdict] += 1
      guard verdict.counts.oracleAlerts > 0 else { continue }
      oracleStories += 1
      if verdict.counts.alerts > 0 { foundStories += 1 }
    }
  }
}

extension StoryVerdict {
  /// The verdicts on all stories whose circle the path was inside of, ascending by story.
  static func all(of entries: [EntryRecord], insideAtStart: [Int]) -> [StoryVerdict] {
    var indices: [Int: [Int]] = [:]
    for (offset, entry) in entries.enumerated() { indices[entry.story, default: []].append(offset) }
    let inside = Set(insideAtStart)
    for story in inside where indices[story] == nil { indices[story] = [] }
    return indices.sorted { $0.key < $1.key }.map { story, entriesOfStory in
      StoryVerdict(
        story: story, entries: entries, indices: entriesOfStory,
        isInsideAtStart: inside.contains(story))
    }
  }
}
