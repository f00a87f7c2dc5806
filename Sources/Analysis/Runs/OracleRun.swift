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
  private let source: any PlaceSource
  private var engine: Engine
  private var policy: EntryPolicy
  private var events: [EngineEvent] = []
  private let alertsOn: AlertTrigger

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
    self.source = source
    engine = Engine(options: options.monitoring.withoutLimit)
    policy = EntryPolicy(options: options.alerts, state: state)
    alertsOn = options.alertsOn
    overlaps = OverlapTracker(slots: options.monitoring.slots)
  }

  /// What the policy remembers.
  var policyState: AlertPolicy.State { policy.policy.state }

  /// Whether a crossing without time could not be held as long as the rule wants.
  var lacksTimesToHold: Bool { engine.lacksTimesToHold }

  /// Length of the joined path so far, in metres.
  var lengthMeters: Double { engine.lengthMeters }

  /// Follows the path through a batch.
  ///
  /// - Parameters:
  ///   - batch: The vertices.
  ///   - onVertex: Called for each vertex and whether it is joined to the one before.
  mutating func take(_ batch: PathBatch, onVertex: (PathPoint, Bool) -> Void) {
    meetings.removeAll(keepingCapacity: true)
    for offset in batch.points.indices {
      let point = batch.points[offset]
      advance(to: point)
      if !events.isEmpty { note(batch, at: offset) }
      policy.observe(speed: batch.speed(at: offset), atMilliseconds: point.timeMilliseconds)
      onVertex(point, engine.isJoined)
    }
  }

  /// Ends the path.
  mutating func finish() {
    overlaps.finish()
  }

  private mutating func advance(to point: PathPoint) {
    events.removeAll(keepingCapacity: true)
    let isFirst = engine.fixCount == 0
    var request = engine.advance(to: point, into: &events)
    while let asked = request {
      let answer = source.answer(asked)
      if case .failed = answer { failure = source.lastFailure ?? "the store did not answer" }
      if isFirst, asked.question == .containing, case .found(let regions) = answer {
        insideAtStart = regions.compactMap { index.index(ofKey: $0.key) }.sorted()
        overlaps.begin(with: insideAtStart.count, at: point.coordinate)
      }
      request = engine.resume(with: answer, into: &events)
    }
  }

  private mutating func note(_ batch: PathBatch, at offset: Int) {
    let first = meetings.count
    for event in events {
      guard let (crossing, kind) = event.encounter else { continue }
      // A place that came into the store since the index was made is not part of the analysis.
      guard let story = index.index(ofKey: crossing.key) else { continue }
      meetings.append(
        Meeting(fix: batch.firstFix + offset, story: story, crossing: crossing, kind: kind))
    }
    guard first < meetings.count else { return }
    meetings[first...].sort {
      ($0.crossing.fraction, $0.story, $0.kind.order)
        < ($1.crossing.fraction, $1.story, $1.kind.order)
    }
    decide(first, speed: batch.speed(at: offset))
    overlaps.take(meetings[first...])
  }

  private mutating func decide(_ first: Int, speed: Double) {
    let entries = (first..<meetings.count).filter { meetings[$0].kind == alertsOn }
    guard !entries.isEmpty else { return }
    let decisions = policy.decide(
      entries.map {
        (place: index.place(of: meetings[$0].story), crossing: meetings[$0].crossing)
      },
      speed: speed)
    for (meeting, decision) in zip(entries, decisions) {
      meetings[meeting].isAlert = decision.suppressionReason == nil
    }
  }
}
