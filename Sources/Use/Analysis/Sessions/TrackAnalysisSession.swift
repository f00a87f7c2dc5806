package import FencepostSession
import FencepostFixes
package import FencepostMonitoring
package import FencepostNotifications
package import FencepostPlaces
package import FencepostTracks

/// Analyzes many tracks in parallel, in memory that does not grow with their number.
///
/// Each track is followed as a phone with the rule's limits, and as one that watches every
/// place. It starts with no watched circles and only the person's own past alerts.
package struct TrackAnalysisSession: Sendable {
  private let index: StoryIndex
  let options: TrackAnalysisOptions
  private let makeSource: @Sendable () throws -> any PlaceSource

  /// Creates a session; `makeSource` is called once per worker.
  package init(
    index: StoryIndex, options: TrackAnalysisOptions,
    makeSource: @escaping @Sendable () throws -> any PlaceSource
  ) { (self.index, self.options, self.makeSource) = (index, options, makeSource) }

  /// Creates a session over all places of a store, which is read once and not needed afterward.
  ///
  /// - Throws: `PlaceStoreError` if the store cannot be read.
  package init(store: PlaceStore, options: TrackAnalysisOptions) throws {
    let index = try StoryIndex(store)
    self.init(index: index, options: options) { StorySource(index) }
  }

  /// The stories, in the order in which analyses number them.
  package var stories: [Story] { index.stories.array }
  /// The priorities of stories that have another one than 0.
  package var priorities: [Int: Int] { index.priorities }
  /// The dates of stories that have any; empty if the alert rules do not look at them.
  package var lifetimes: [Int: StoryLifetime] {
    options.session.alerts.dates == nil ? index.lifetimes : [:]
  }

  /// Returns a search for each story's nearest track, needed if tracks do not measure every story.
  package func makeNearestTracks() -> NearestTracks { NearestTracks(index) }

  func makeAnalyzer() throws -> TrackAnalyzer {
    TrackAnalyzer(index, source: try makeSource(), options: options)
  }

  /// Analyzes tracks without persons, and hands over their outcomes in order.
  ///
  /// - Throws: The same errors as for tracks with persons.
  package func run(
    _ paths: [String], handOver: (TrackOutcome<TrackAnalysis>) throws -> Void
  ) async throws { try await run(PersonTracks.alone(paths), handOver: handOver) }

  /// Analyzes tracks in memory, without persons, following all of their fixes.
  ///
  /// Outcomes are handed over in order; if the task is canceled, only those finished.
  ///
  /// - Throws: Errors from opening the store or from `handOver`.
  package func run(
    _ tracks: [RecordedTrack], handOver: (TrackOutcome<TrackAnalysis>) throws -> Void
  ) async throws {
    try await OrderedTaskPool(jobs: options.jobs, for: tracks.count, makeAnalyzer).run(
      { $0.analyze(tracks[$1]) }, handOver: handOver)
  }

  /// Analyzes tracks by person, carrying the alert policy over between a person's tracks.
  ///
  /// Outcomes are handed over in order; if the task is canceled, only those finished.
  ///
  /// - Throws: Errors from opening the store or from `handOver`, and with
  ///   ``TrackAnalysisOptions/isStrict`` the first ``TrackFailure``, after handing it over; one
  ///   outside the period or box ends nothing.
  package func run(
    _ groups: [PersonTracks<String>], handOver: (TrackOutcome<TrackAnalysis>) throws -> Void
  ) async throws {
    let pool = try OrderedTaskPool(jobs: options.jobs, for: groups.count, makeAnalyzer)
    try await pool.run {
      $0.analyze(groups[$1])
    } handOver: { outcomes in
      for outcome in outcomes {
        try handOver(outcome)
        if case .failure(let failure) = outcome, options.isStrict, !failure.isOutside {
          throw failure
        }
      }
    }
  }
}

/// The rules of an analysis, and how its tracks are read, chosen and assigned to persons.
///
/// One value serves all tracks of an analysis, since only then may their numbers be added.
package struct TrackAnalysisOptions: Sendable {
  /// The rules of monitoring and alerts.
  package var session = TrackSessionOptions()
  /// How tracks are decoded, and which fixes are accepted.
  package var fixes = FixStreamOptions()
  /// The fixes to follow.
  package var selection = TrackSelection()
  /// The time zone of days and hours.
  package var zone = ClockZone.utc
  /// The number of tracks to analyze in parallel, at least 1.
  package var jobs = 1
  /// The maximum number of vertices of each path to keep for drawing; 0 keeps none.
  package var drawnVertices = 0
  /// Whether to measure the distance of every track to every story, which is slow.
  package var measuresAllStories = true
  /// The phones to simulate along each track; nil for none.
  package var chance: ChanceOptions?
  /// Reminders that share the phone with the stories, to count what the stories cost them.
  package var reminders: ReminderWatchOptions?
  /// Whether the first track that cannot be read ends the analysis.
  package var isStrict = false

  /// Starts from the defaults: no phones, no reminders, and every story measured.
  package init() {}
}

extension TrackAnalysisSession {
  /// What a stream of tracks yields next.
  ///
  /// A person's stories come apart from the tracks: when a track is handed over, the stream may
  /// still bring more of the same person.
  package enum StreamedResult: Sendable {
    /// The outcome of the next track, without the stories that alerted the person.
    case outcome(TrackOutcome<TrackAnalysis>)
    /// The stories that alerted a person, after the person's last track, and the person's days by
    /// alerts on each simulated phone.
    case reached([StoryReach], phoneDays: [String: [Int: Int]])
  }

  /// Analyzes the tracks of a stream one by one, as soon as their bytes arrive.
  ///
  /// A person's tracks must be consecutive and in order of time, because the alert policy carries
  /// over between them.
  ///
  /// - Parameters:
  ///   - frames: The tracks.
  ///   - person: Returns the person of a track, by its name; nil leaves it ungrouped.
  ///   - handOver: Called with each result, before the next frame is read.
  /// - Throws: `TrackFrameError` if the stream cannot be read or a person's tracks are not
  ///   consecutive, errors from opening the store or from `handOver`, and with
  ///   ``TrackAnalysisOptions/isStrict`` the first ``TrackFailure``, after handing it over; one
  ///   outside the period or box ends nothing.
  package func run(
    _ frames: consuming TrackFrameReader, person: (String) -> String?,
    handOver: (StreamedResult) throws -> Void
  ) throws {
    let analyzer = try makeAnalyzer()
    var course = PersonCourse()
    var last: String?
    var names: Set<String> = []
    func end() throws {
      let days = analyzer.phoneDays(of: course)
      guard !course.reached.isEmpty || !days.isEmpty else { return }
      try handOver(.reached(course.reached, phoneDays: days))
    }
    while !Task.isCancelled, let frame = try frames.next() {
      let person = person(frame.track)
      if person == nil || person != last {
        if let person, !names.insert(person).inserted {
          throw TrackFrameError.damaged(
            "\(frame.track): tracks of \(person) must follow one another, but other tracks came in "
              + "between")
        }
        try end()
        (last, course) = (person, PersonCourse())
      }
      let outcome = analyzer.analyze(frame, of: person, &course)
      try handOver(.outcome(outcome))
      if case .failure(let failure) = outcome, options.isStrict, !failure.isOutside {
        try end()
        throw failure
      }
    }
    try end()
  }
}
