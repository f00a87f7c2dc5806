import Fencepost
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// Follows a path with every place watched, like a phone without limits.
struct OracleRun {
  struct Meeting {
    /// The fix that ends the path segment, counted over the whole track.
    var fix: Int
    var story: Int
    var crossing: Crossing
    var kind: AlertTrigger
    var isAlert = false
  }

  /// The crossings in the last batch, in path order.
  private(set) var meetings: [Meeting] = []
  private(set) var insideAtStart: [Int] = []
  /// The store's last error message; nil if it never failed.
  private(set) var failure: String?
  private(set) var overlaps: OverlapTracker

  private let index: StoryIndex
  private let alertsOn: AlertTrigger
  private var follower: Follower

  /// Starts a track, ignoring the limit; `state` is the alert policy's memory of earlier tracks.
  init(
    _ index: StoryIndex, source: any PlaceSource, options: TrackSession.Options,
    state: AlertPolicy.State = AlertPolicy.State()
  ) {
    self.index = index
    follower = Follower(
      options.monitoring.withoutLimit, options.alerts, source: source, memory: state)
    alertsOn = options.alertsOn
    overlaps = OverlapTracker(slots: options.monitoring.slots)
  }

  var policyState: AlertPolicy.State { follower.policy.state }

  /// Whether a confirmation could not be timed because a crossing has no time.
  var lacksTimesToHold: Bool { follower.engine.lacksTimesToHold }

  var lengthMeters: Double { follower.engine.lengthMeters }

  /// Follows the path through a batch and reports each vertex and whether it is joined.
  mutating func take(_ batch: PathBatch, onVertex: (PathPoint, Bool) -> Void) {
    meetings.removeAll(keepingCapacity: true)
    if batch.firstFix == 0, let first = batch.points.first { begin(at: first.coordinate) }
    for offset in batch.points.indices {
      _ = follower.follow(batch, offset..<offset + 1)
      if !follower.found.isEmpty { note(batch, at: offset) }
      follower.pass(offset, of: batch)
      onVertex(batch.points[offset], follower.engine.isJoined)
    }
  }

  mutating func finish() { overlaps.finish() }

  private mutating func begin(at coordinate: Coordinate) {
    guard
      case .found(let regions) = follower.source.answer(
        CandidateRequest(question: .containing, coordinate: coordinate))
    else { return }
    insideAtStart = regions.compactMap { index.index(ofKey: $0.key) }.sorted()
    overlaps.begin(with: insideAtStart.count, at: coordinate)
  }

  private mutating func note(_ batch: PathBatch, at offset: Int) {
    let first = meetings.count
    for event in follower.found {
      if case .refresh(let refresh) = event, refresh.hasFailed {
        failure = follower.source.lastFailure ?? "the store did not answer"
      }
      // Ignore places added to the store after the index was made.
      guard let (crossing, kind) = event.encounter, let story = index.index(ofKey: crossing.key)
      else { continue }
      meetings.append(
        Meeting(fix: batch.firstFix + offset, story: story, crossing: crossing, kind: kind))
    }
    guard first < meetings.count else { return }
    meetings[first...].sort {
      ($0.crossing.fraction, $0.story, $0.kind.order)
        < ($1.crossing.fraction, $1.story, $1.kind.order)
    }
    decide(first, speed: follower.speed(at: offset, of: batch))
    overlaps.take(meetings[first...])
  }

  private mutating func decide(_ first: Int, speed: Double) {
    let entries = (first..<meetings.count).filter { meetings[$0].kind == alertsOn }
    guard !entries.isEmpty else { return }
    let decided = follower.decide(
      entries.map { (index.place(of: meetings[$0].story), meetings[$0].crossing) }, speed: speed)
    for (meeting, entry) in zip(entries, decided) { meetings[meeting].isAlert = entry.isAlert }
  }
}

/// Counts the circles that contain the phone and records where there are more than it can watch.
struct OverlapTracker {
  /// The point inside the most circles, for each stretch of the path inside too many.
  private(set) var crowds: [CrowdedSpot] = []
  private(set) var mostCircles = 0

  private let slots: Int
  private var count = 0
  private var current: CrowdedSpot?

  init(slots: Int?) { self.slots = slots ?? .max }

  mutating func begin(with count: Int, at coordinate: Coordinate) {
    self.count = count
    look(at: coordinate)
  }

  mutating func take(_ meetings: ArraySlice<OracleRun.Meeting>) {
    var start = meetings.startIndex
    while start < meetings.endIndex {
      let fraction = meetings[start].crossing.fraction
      let end =
        meetings[start...].firstIndex { $0.crossing.fraction != fraction } ?? meetings.endIndex
      // Across a gap, many crossings share one point. Only their sum counts.
      for meeting in meetings[start..<end] where meeting.kind != .dwell {
        count += meeting.kind == .enter ? 1 : -1
      }
      look(at: meetings[start].crossing.coordinate)
      start = end
    }
  }

  mutating func finish() {
    if let current { crowds.append(current) }
    current = nil
  }

  private mutating func look(at coordinate: Coordinate) {
    mostCircles = max(mostCircles, count)
    if count > slots {
      if count > current?.circles ?? 0 {
        // As a report writes it, so that reading it back gives the same cell.
        current = CrowdedSpot(coordinate: coordinate.rounded(toStepsPerDegree: 1e7), circles: count)
      }
    } else if let ended = current {
      crowds.append(ended)
      current = nil
    }
  }
}

extension Coordinate {
  /// Rounded to a step of one in `steps` of a degree.
  func rounded(toStepsPerDegree steps: Double) -> Coordinate {
    Coordinate(
      latitudeDegrees: (latitudeDegrees * steps).rounded() / steps,
      longitudeDegrees: (longitudeDegrees * steps).rounded() / steps)
  }
}

/// Finds one story's unconfirmed crossings by following the path without confirmation.
struct UnconfirmedCrossings {
  private var oracle: OracleRun
  private var history: StoryHistory

  /// Returns nil if the rule does not confirm crossings.
  init?(_ story: Int, _ index: StoryIndex, source: any PlaceSource, options: TrackSession.Options) {
    guard options.monitoring.confirmation.isNeeded else { return nil }
    var options = options
    options.monitoring.confirmation = ConfirmationOptions()
    oracle = OracleRun(index, source: source, options: options)
    history = StoryHistory(story: story)
  }

  mutating func take(_ batch: PathBatch) {
    oracle.take(batch) { _, _ in }
    for meeting in oracle.meetings { history.note(meeting) }
  }

  /// Returns the crossings with a time that are not among the confirmed ones.
  func edges(besides confirmed: [StoryExplanation.Edge]) -> [StoryExplanation.Edge] {
    history.edges.filter { edge in
      edge.timeMilliseconds != nil
        && !confirmed.contains {
          $0.kind == edge.kind && $0.crossedMilliseconds == edge.crossedMilliseconds
        }
    }.map { edge in
      var edge = edge
      edge.isConfirmed = false
      return edge
    }
  }
}
