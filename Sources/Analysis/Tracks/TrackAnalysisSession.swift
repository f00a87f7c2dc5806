public import Fencepost
public import Fixes
public import Notifications
public import Places

/// Analyses many tracks over the cores, in memory that does not grow with their number.
///
/// Every track is followed twice in one pass: as a phone with the rule's limits would, and with every
/// place monitored, the oracle. Each track begins with nothing monitored and no alert given.
public struct TrackAnalysisSession: Sendable {
  /// What an analysis does.
  public struct Options: Sendable {
    /// The rules of the device.
    public var session = TrackSession.Options()
    /// How bytes become fixes.
    public var fixes = FixStream.Options()
    /// Whose clock the hours of the day are.
    public var zone = ClockZone.utc
    /// How many tracks are analysed at a time, at least 1.
    public var jobs = 1
    /// How many vertices of each path are kept to draw it; 0 keeps none.
    public var drawnVertices = 0
    /// Whether the first bad track ends everything.
    public var isStrict = false

    /// Makes the defaults.
    public init() {}
  }

  /// What came of a track.
  public enum Outcome: Sendable {
    /// Everything that was found out about it.
    case analysis(TrackAnalysis)
    /// Why it is skipped.
    case failure(TrackFailure)
    /// It was given up when the user interrupted.
    case interrupted
  }

  private let index: StoryIndex
  private let options: Options
  private let makeSource: @Sendable () throws -> any PlaceSource

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - index: All places of the store.
  ///   - options: What to do.
  ///   - makeSource: Opens the store; called once for each worker.
  public init(
    index: StoryIndex, options: Options,
    makeSource: @escaping @Sendable () throws -> any PlaceSource
  ) {
    self.index = index
    self.options = options
    self.makeSource = makeSource
  }

  /// Makes a session over a store, of which it reads all places.
  ///
  /// - Throws: The store's error.
  public init(store: PlaceStore, options: Options) throws {
    self.init(index: try StoryIndex(store), options: options) {
      StoreSource(reader: try store.makeReader())
    }
  }

  /// The stories, in the order in which analyses number them.
  public var stories: [Story] { index.stories }

  /// Analyses tracks.
  ///
  /// - Parameters:
  ///   - paths: The tracks' files.
  ///   - handOver: Takes what came of each, in order. After a cancellation it is still given what
  ///     had been finished.
  /// - Throws: What a source throws that cannot be opened, what `handOver` throws, and with
  ///   ``Options/isStrict`` the first ``TrackFailure``, after it was handed over.
  public func run(
    _ paths: [String], handOver: (Outcome) throws -> Void
  ) async throws {
    let count = max(1, min(options.jobs, paths.count))
    let workers = try (0..<count).map { _ in
      TrackAnalyzer(index, source: try makeSource(), options: analyzerOptions)
    }
    let isStrict = options.isStrict
    try await OrderedWork(workers).run(count: paths.count) { worker, number in
      Self.analyze(paths[number], with: worker)
    } handOver: { _, outcome in
      try handOver(outcome)
      if case .failure(let failure) = outcome, isStrict { throw failure }
      return true
    }
  }

  private static func analyze(_ path: String, with worker: TrackAnalyzer) -> Outcome {
    do throws(TrackFailure) {
      let analysis = try worker.analyze(path) { Task.isCancelled }
      return analysis.map { .analysis($0) } ?? .interrupted
    } catch {
      return .failure(error)
    }
  }

  private var analyzerOptions: TrackAnalyzer.Options {
    TrackAnalyzer.Options(
      session: options.session, fixes: options.fixes, zone: options.zone,
      drawnVertices: options.drawnVertices)
  }
}

extension StoryIndex {
  /// Takes all places of a store.
  ///
  /// - Throws: `PlaceStoreError`.
  public init(_ store: PlaceStore) throws(PlaceStoreError) {
    var places: [Place] = []
    try store.makeReader().list { place in
      places.append(place)
      return true
    }
    self.init(places)
  }
}
