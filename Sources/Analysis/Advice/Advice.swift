public import Fencepost
public import FencepostMonitoring
public import FencepostNotifications

/// The changes that were chosen, and what they do.
public struct Advice: Sendable {
  /// What is known of the tracks before and after changes.
  public struct Effect: Equatable, Sendable {
    /// What happened before.
    public var before: AdviceTally
    /// What happens with the change.
    public var after: AdviceTally

    /// Makes an effect.
    public init(before: AdviceTally, after: AdviceTally) {
      self.before = before
      self.after = after
    }

    /// Alerts that are gained.
    public var alerts: Int { after.counts.alerts - before.counts.alerts }
    /// Persons that stories reach in addition; a person counts once for each story.
    public var persons: Int { after.reached - before.reached }
    /// Refreshes that it costs in addition.
    public var refreshes: Int { after.refreshes - before.refreshes }
  }

  /// One change.
  public struct Proposal: Equatable, Sendable {
    /// What to change.
    public var change: AdviceChange
    /// Why, as far as it is not in the effects.
    public var reason: AdviceReason
    /// What it does after the proposals before it, on the tracks that it was chosen by.
    public var effect: Effect
    /// What it does on the tracks that were kept back; nil if none were.
    public var keptBack: Effect?
  }

  /// What might be changed.
  public let options: AdviceOptions
  /// The changes, in the order in which they were chosen: each gains most after those before it.
  public internal(set) var proposals: [Proposal]
  /// What all changes do on the tracks that they were chosen by.
  public internal(set) var effect: Effect
  /// What they do on the tracks that were kept back; nil if none were.
  public internal(set) var keptBack: Effect?
  /// The places after all changes, in the order of the ids.
  public internal(set) var places: [Place]
  /// The rules after all changes.
  public internal(set) var session: TrackSession.Options
  /// Number of changes whose gain was worked out by runs.
  public internal(set) var tried = 0
  /// Whether the search was interrupted, so that there may be more to gain.
  public internal(set) var isInterrupted = false

  /// What all changes do on all tracks.
  public var whole: Effect {
    guard let keptBack else { return effect }
    return Effect(
      before: effect.before.adding(keptBack.before), after: effect.after.adding(keptBack.after))
  }

  /// The ids of the stories that are gone after all changes, ascending.
  public var removedIDs: [String] {
    proposals.flatMap { $0.change.removed.map(\.id) }.sorted()
  }

  /// The stories that alert more or less often than before on all tracks: the ids, ascending.
  public var changedStories: [String] {
    let (before, after) = (whole.before.stories, whole.after.stories)
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }
}

/// What may be changed, and within which bounds.
public struct AdviceOptions: Sendable {
  /// The kinds of changes, in the order in which ties are decided.
  public enum Kind: String, CaseIterable, Sendable {
    /// Another radius of a circle.
    case radius
    /// Another position of a story.
    case position
    /// Several stories at one spot become one.
    case merge
    /// Stories that nobody can meet go.
    case drop
    /// Another rule of the device.
    case rule
  }

  /// The rules of the device, to begin with.
  public var session = TrackSession.Options()
  /// The zone of the days.
  public var zone = ClockZone.utc
  /// The kinds of changes that are wanted.
  public var kinds = Set(Kind.allCases)
  /// Most changes to propose, at least 1.
  public var mostChanges = 10
  /// The fewest alerts that a change must gain, at least 1.
  public var leastGain = 1
  /// The radii that may be proposed, in metres.
  public var radiusRangeMeters = 100.0...300.0
  /// How far a story may be moved, in metres; 0 for not at all.
  public var moveWithinMeters = 50.0
  /// Most alerts a person-day; nil for no bound.
  ///
  /// A day that had more before any change must not get more still. Tracks without times have no days.
  public var mostAlertsPerDay: Int?
  /// Most places that the phone monitors at a time; nil if it has no limit.
  public var mostRegions: Int? = SweepRow.phoneLimit
  /// The least significant change that the phone notices, in metres.
  public var leastSignificantChangeMeters = 500.0
  /// The share of the persons whose tracks are kept back from the advice, 0 up to but without 1.
  public var testShare = 0.0
  /// What the choice of these persons is made from.
  public var seed: UInt64 = 1
  /// How many changes to try at a time, at least 1.
  public var jobs = 1
  /// Whether changes that provably cannot win are passed over; a test switches it off.
  package var skipsHopeless = true

  /// Makes the defaults.
  public init() {}
}

/// One change, of some stories or of the rule.
public struct AdviceChange: Hashable, Sendable {
  /// What is changed.
  public let kind: AdviceOptions.Kind
  /// The stories as they are now, ascending by id; the first is the one that stays of those that are merged.
  public let before: [Place]
  /// The story that remains; nil if none does, or if the rule is changed.
  public let after: Place?
  /// The new rule; nil if stories are changed.
  public let rule: MonitoringOptions?

  init(_ kind: AdviceOptions.Kind, _ before: [Place], after: Place?) {
    self.kind = kind
    self.before = before
    self.after = after
    rule = nil
  }

  init(rule: MonitoringOptions) {
    kind = .rule
    before = []
    after = nil
    self.rule = rule
  }

  /// The stories that are gone afterwards.
  public var removed: [Place] {
    before.filter { $0.id != after?.id }
  }

  /// Adds this change to earlier ones.
  func apply(to changes: inout PlaceChanges) {
    for place in before { changes.byID[place.id] = .some(nil) }
    if let after { changes.byID[after.id] = .some(after) }
  }

  /// How much is changed, by which ties between changes of one kind are decided: the least goes first.
  var extent: Double {
    switch kind {
    case .radius: abs((after?.radiusMeters ?? 0) - before[0].radiusMeters)
    case .position: after.map { $0.coordinate.distanceMeters(to: before[0].coordinate) } ?? 0
    case .merge, .drop: Double(before.count)
    case .rule: 0
    }
  }
}

/// What happens on all tracks: integers, so that those of persons add up exactly.
@dynamicMemberLookup
public struct AdviceTally: Equatable, Sendable {
  /// How often one story alerts.
  public struct Story: Equatable, Sendable {
    /// Number of its alerts.
    public var alerts = 0
    /// Number of persons whom it reaches; a track of nobody in particular counts as one.
    public var persons = 0

    /// Makes a story's numbers.
    public init(alerts: Int = 0, persons: Int = 0) {
      self.alerts = alerts
      self.persons = persons
    }
  }

  /// Number of tracks.
  public private(set) var tracks = 0
  /// Number of persons; a track of nobody in particular counts as one.
  public private(set) var persons = 0
  /// Counts of entries, refreshes and length of all tracks; the other numbers stay 0.
  public private(set) var numbers = TrackNumbers()
  /// Number of persons that stories reach, summed over the stories: a person counts once for each story.
  public private(set) var reached = 0
  /// The stories that alert, by id.
  public private(set) var stories: [String: Story] = [:]
  private var daysByAlerts: [Int: Int] = [:]

  /// Makes a tally of nothing.
  public init() {}

  /// Adds a person.
  mutating func add(_ run: PersonRun) {
    tracks += run.tracks.count
    persons += 1
    numbers += run.numbers
    reached += run.reached
    for (id, story) in run.stories where story.alerts > 0 {
      stories[id, default: Story()].alerts += story.alerts
      stories[id, default: Story()].persons += 1
    }
    for alerts in run.alertsByDay.values { daysByAlerts[alerts, default: 0] += 1 }
  }

  /// The tally with another's tracks.
  public func adding(_ other: AdviceTally) -> AdviceTally {
    var sum = self
    sum.tracks += other.tracks
    sum.persons += other.persons
    sum.numbers += other.numbers
    sum.reached += other.reached
    for (id, story) in other.stories {
      sum.stories[id, default: Story()].alerts += story.alerts
      sum.stories[id, default: Story()].persons += story.persons
    }
    sum.daysByAlerts.merge(other.daysByAlerts, uniquingKeysWith: +)
    return sum
  }

  /// The alerts a person-day.
  public var fatigue: Fatigue { Fatigue(daysByAlerts: daysByAlerts) }

  /// One of the ``numbers``.
  public subscript<Number>(dynamicMember path: KeyPath<TrackNumbers, Number>) -> Number {
    numbers[keyPath: path]
  }
}
