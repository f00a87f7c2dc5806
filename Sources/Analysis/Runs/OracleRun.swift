import Fencepost
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// Follows a path with every place monitored, as a phone without limits would.
struct OracleRun {
  /// A crossing of a circle's edge.
  struct Meeting {
    /// Index of the fix that ends the path's segment, counted over the track.
    var fix: Int
    var story: Int
    var crossing: Crossing
    var kind: AlertTrigger
    /// Whether this alerts.
    var isAlert = false
  }

  /// The crossings of the last batch, in order along the path.
  private(set) var meetings: [Meeting] = []
  /// The stories that contained the first fix.
  private(set) var insideAtStart: [Int] = []
  /// Why the store last failed to answer; nil if it never did.
  private(set) var failure: String?
  /// The circles that contain the device.
  private(set) var overlaps: OverlapTracker

  private let index: StoryIndex
  private let alertsOn: AlertTrigger
  private var follower: Follower

  /// Begins a track.
  ///
  /// - Parameters:
  ///   - index: All places.
  ///   - source: Finds the near places for the engine.
  ///   - options: The rules of the device.
  ///   - state: What the policy remembers of earlier tracks.
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

  /// What the policy remembers.
  var policyState: AlertPolicy.State { follower.policy.state }

  /// Whether a crossing without time could not be held as long as the rule wants.
  var lacksTimesToHold: Bool { follower.engine.lacksTimesToHold }

  /// Length of the joined path so far, in metres.
  var lengthMeters: Double { follower.engine.lengthMeters }

  /// Follows the path through a batch.
  ///
  /// - Parameters:
  ///   - batch: The vertices.
  ///   - onVertex: Called for each vertex and whether it is joined to the one before.
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

  /// Ends the path.
  mutating func finish() {
    overlaps.finish()
  }

  /// Finds the stories that contain the first fix.
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
      // A place that came into the store since the index was made is not part of the analysis.
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
