package import FencepostTracks
package import FencepostMonitoring
package import Fencepost
import FencepostFixes
package import FencepostNotifications
package import FencepostPlaces

/// Analyses many tracks over the cores, in memory that does not grow with their number.
///
/// One pass over a track follows it twice: as a phone with the rule's limits would, and as the oracle, with every
/// place monitored. Each track begins with nothing monitored and no alert given.
package struct TrackAnalysisSession: Sendable {
  /// How tracks are analysed.
  package struct Options: Sendable {
    /// The rules of the device.
    package var session = TrackSession.Options()
    /// How bytes become fixes.
    package var fixes = FixStream.Options()
    /// Which fixes of the tracks are followed.
    package var selection = TrackSelection()
    /// The zone of the hours of the day.
    package var zone = ClockZone.utc
    /// How many tracks to analyse at a time, at least 1.
    package var jobs = 1
    /// How many vertices of each path to keep for drawing; 0 keeps none.
    package var drawnVertices = 0
    /// Whether every track's distance from every story is wanted; it costs stories × tracks.
    package var measuresAllStories = true
    /// The phones to simulate; nil for none.
    package var chance: ChanceOptions?
    /// Whether the first bad track ends the session.
    package var isStrict = false

    /// Makes the defaults.
    package init() {}
  }

  private let index: StoryIndex
  let options: Options
  private let makeSource: @Sendable () throws -> any PlaceSource

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - index: All places of the store.
  ///   - options: How tracks are analysed.
  ///   - makeSource: Opens the store; called once for each worker.
  package init(
    index: StoryIndex, options: Options,
    makeSource: @escaping @Sendable () throws -> any PlaceSource
  ) {
    self.index = index
    self.options = options
    self.makeSource = makeSource
  }

  /// Makes a session over all places of a store.
  ///
  /// - Throws: The store's error.
  package init(store: PlaceStore, options: Options) throws {
    self.init(index: try StoryIndex(store), options: options) {
      StoreSource(reader: try store.makeReader())
    }
  }

  /// The stories, in the order in which analyses number them.
  package var stories: [Story] { index.stories }

  /// Finds the nearest track of each story where tracks do not measure every story.
  package func makeNearestTracks() -> NearestTracks { NearestTracks(index) }

  /// Makes an analyzer with a source of its own.
  func makeAnalyzer() throws -> TrackAnalyzer {
    TrackAnalyzer(index, source: try makeSource(), options: options)
  }

  /// Analyses tracks, each alone.
  ///
  /// - Parameters:
  ///   - paths: The tracks' files.
  ///   - handOver: Called with the outcome of each, in order.
  /// - Throws: As for persons.
  package func run(
    _ paths: [String], handOver: (TrackOutcome<TrackAnalysis>) throws -> Void
  ) async throws {
    try await run(TrackGroup.alone(paths), handOver: handOver)
  }

  /// Analyses tracks that have been read, each alone.
  ///
  /// - Parameters:
  ///   - tracks: The tracks; all of their fixes are followed.
  ///   - handOver: Called with the outcome of each, in order; after a cancellation with those that were finished.
  /// - Throws: The error of a source that cannot be opened, and what `handOver` throws.
  package func run(
    _ tracks: [RecordedTrack], handOver: (TrackOutcome<TrackAnalysis>) throws -> Void
  ) async throws {
    let count = max(1, min(options.jobs, tracks.count))
    let workers = try (0..<count).map { _ in try makeAnalyzer() }
    try await OrderedTaskPool(workers).run(count: tracks.count) { worker, number in
      worker.analyze(tracks[number])
    } handOver: {
      try handOver($0)
    }
  }

  /// Analyses the tracks of persons: the alert policy goes on from one track of a person to the next.
  ///
  /// - Parameters:
  ///   - groups: The persons and their tracks.
  ///   - handOver: Called with the outcome of each, in order; after a cancellation with those that were
  ///     finished.
  /// - Throws: The error of a source that cannot be opened, what `handOver` throws, and with
  ///   ``Options/isStrict`` the first ``TrackFailure``, after handing it over.
  package func run(
    _ groups: [TrackGroup], handOver: (TrackOutcome<TrackAnalysis>) throws -> Void
  ) async throws {
    let count = max(1, min(options.jobs, groups.count))
    let workers = try (0..<count).map { _ in try makeAnalyzer() }
    let isStrict = options.isStrict
    try await OrderedTaskPool(workers).run(count: groups.count) { worker, number in
      worker.analyze(groups[number])
    } handOver: { outcomes in
      for outcome in outcomes {
        try handOver(outcome)
        if case .failure(let failure) = outcome, isStrict, !failure.isOutside { throw failure }
      }
    }
  }
}
