import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones
import FencepostTime

/// One track as the simulated phones see it, with what they share of the work.
///
/// Profiles and trials that look up equally many stories at a fix share the answer, and all share
/// the path past each story.
final class TrackScene {
  /// A lookup that trials may share: so many nearest stories, at a fix.
  struct Lookup: Hashable {
    var fix: Int
    var count: Int
  }

  /// The fixes with times, on a clock that starts at the first.
  let fixes: [PhonePath.Fix]
  /// The same as a path, along which the phone's position can be computed.
  let path: PhonePath
  /// Identifies the track in the random numbers; see ``PathRecorder/key``.
  let key: UInt64
  /// The entries of each story that has any, in order of time.
  let entries: [Int: [PhoneEntry]]
  /// The stories with an entry that alerts if every place is watched.
  let due: Set<Int>
  /// The number of stories whose entries the alert rules all hold back.
  let heldBack: Int
  /// The distance from the path to each story's center, in meters.
  let nearestMeters: [Double]
  /// The local days with a fix, in days since 1970.
  let days: Set<Int>
  /// The nearest stories of each lookup so far.
  var found: [Lookup: [Int]] = [:]
  /// The path past each story that was asked for.
  private var passages: [Int: StoryPassage] = [:]
  private let recorder: PathRecorder
  /// The speeds up to each fix in m/s; NaN if unknown.
  private let speeds: [Double]

  /// Takes what was recorded of a track, with its entries if every place is watched.
  init(
    _ recorder: PathRecorder, entries records: [EntryRecord], nearestMeters: [Double],
    days: Set<Int> = []
  ) {
    (self.recorder, self.nearestMeters, self.days) = (recorder, nearestMeters, days)
    fixes = recorder.fixes
    path = PhonePath(fixes)
    key = recorder.key
    var entries: [Int: [PhoneEntry]] = [:]
    let end = fixes.last?.seconds ?? 0
    // An entry without a time, between fixes without one, cannot be simulated.
    for record in records where record.cause != .extra {
      guard let time = record.enteredMilliseconds ?? record.timeMilliseconds else { continue }
      let seconds = recorder.seconds(atMilliseconds: time)
      let left =
        record.enteredMilliseconds == nil
        ? seconds : record.leftMilliseconds.map { recorder.seconds(atMilliseconds: $0) } ?? end
      entries[record.story, default: []].append(
        .init(seconds: seconds, endSeconds: left, isDue: record.isDue))
    }
    self.entries = entries
    due = Set(entries.lazy.filter { $0.value.contains { $0.isDue } }.map { $0.key })
    heldBack = entries.count - due.count
    speeds = zip(fixes, [fixes.first].compactMap { $0 } + fixes).map { fix, last in
      guard fix.isJoined, fix.seconds > last.seconds else { return .nan }
      return Geodesic.distanceMeters(fix.coordinate, last.coordinate)
        / (fix.seconds - last.seconds)
    }
  }

  /// The path past a story of an index, with its own circle.
  func passage(_ story: Int, in index: StoryIndex) -> StoryPassage {
    if let known = passages[story] { return known }
    let its = index.stories[story]
    let passage = StoryPassage(
      PhoneStory(
        key: subjectKey(its.id), coordinate: its.coordinate, radiusMeters: its.radiusMeters,
        entries: entries[story] ?? []), on: path)
    passages[story] = passage
    return passage
  }

  /// An instant on the path's clock, in milliseconds since 1970.
  func milliseconds(atSeconds seconds: Double) -> Int64 {
    recorder.milliseconds(atSeconds: seconds)
  }

  /// The speed on the way to the first fix at or after a time, in m/s; NaN if unknown.
  func speed(atMilliseconds time: Int64) -> Double {
    let index = firstFix(after: recorder.seconds(atMilliseconds: time - 1))
    return index < speeds.count ? speeds[index] : .nan
  }

  /// The time of the last fix before a time, and within two minutes, that was faster than a limit.
  func lastFast(beforeMilliseconds time: Int64, above limit: Double) -> Int64? {
    let seconds = recorder.seconds(atMilliseconds: time)
    var index = firstFix(after: seconds) - 1
    while index >= 0, fixes[index].seconds > seconds - 121 {
      if speeds[index] > limit { return milliseconds(atSeconds: fixes[index].seconds) }
      index -= 1
    }
    return nil
  }

  /// The index of the first fix after a time on the path's clock; O(log n).
  private func firstFix(after seconds: Double) -> Int {
    fixes.partitioningIndex { $0.seconds > seconds }
  }
}

/// Collects what simulated phones need to know of a path, while it is followed.
///
/// Explanations need the distance to every story, too, since a phone may alert for one that the
/// path only passes.
struct SceneRecorder {
  private var path = PathRecorder()
  private var approach: TrackApproach

  init(_ index: StoryIndex) { approach = TrackApproach(index, measuresAll: true) }

  mutating func take(_ point: PathPoint, isJoined: Bool) {
    path.take(point, isJoined: isJoined)
    approach.take(point.coordinate, isJoined: isJoined)
  }

  /// Ends the path, on which a perfect phone finds these entries.
  mutating func finish(entries: [EntryRecord]) -> TrackScene {
    TrackScene(path, entries: entries, nearestMeters: approach.finish().nearestMeters)
  }
}

/// Collects the fixes with times, along which a phone can be simulated.
///
/// A phone lives in time, so fixes without one are left out, and so are those that go back.
struct PathRecorder {
  /// The fixes, strictly ascending by time, on a clock that starts at the first.
  private(set) var fixes: [PhonePath.Fix] = []
  /// The time of the first of them, in milliseconds since 1970.
  private(set) var firstMilliseconds: Int64 = 0
  /// Whether the path had a break since the last fix that was kept.
  private var isBroken = false

  /// Adds a vertex, unless it has no time or is not later than the last one.
  mutating func take(_ point: PathPoint, isJoined: Bool) {
    isBroken = isBroken || !isJoined
    guard let time = point.timeMilliseconds else { return }
    if fixes.isEmpty { firstMilliseconds = time }
    let seconds = seconds(atMilliseconds: time)
    guard seconds > fixes.last?.seconds ?? -.infinity else { return }
    fixes.append(
      PhonePath.Fix(
        seconds: seconds, coordinate: point.coordinate,
        accuracyMeters: Double(point.accuracyMeters), isJoined: !isBroken))
    isBroken = false
  }

  /// An instant, in milliseconds since 1970, on the path's clock.
  func seconds(atMilliseconds time: Int64) -> Double { Double(time - firstMilliseconds) / 1000 }

  /// A time on the path's clock, in milliseconds since 1970.
  func milliseconds(atSeconds seconds: Double) -> Int64 {
    firstMilliseconds + Int64((seconds * 1000).rounded())
  }

  /// Identifies the track in the random numbers by its first fix, whatever its file is called.
  var key: UInt64 {
    guard let first = fixes.first?.coordinate else { return 0 }
    func digits(_ degrees: Double) -> Int { Int((degrees * 1e7).rounded()) }
    return subjectKey(
      "\(firstMilliseconds) \(digits(first.latitudeDegrees)) \(digits(first.longitudeDegrees))")
  }
}
