import FencepostSession
import FencepostFiles
import FencepostFixes
import FencepostMonitoring
import FencepostOutput
import FencepostTracks

/// A track that is followed fix by fix, and the lines of the events that wait for the caller.
///
/// It serves the C interface and, as Embedded Swift, pages in browsers.
///
/// Each call first forgets the lines of the one before, then appends its own to ``output``. A
/// session belongs to one thread at a time.
final class Session {
  /// The rules at work: the engine, the alert policy and the summary so far.
  var track: TrackSession
  /// Decides which fixes count, in the order in which they are given.
  var filter: FixFilter
  /// How many fixes were rejected so far, by reason.
  var rejected = RejectionCounts()
  /// Holds fixes of a whole track until it is clear whether they run backward in time.
  private var order: FixOrder?
  let rules: SessionRules
  private let selection: EventSelection
  /// Whether a second run with every place watched counts the missed entries.
  private let countsMisses: Bool
  /// The fixes at work, kept between calls so that its memory is used again.
  var batch = FixBatch()
  /// The lines of the events since ``begin()``.
  private(set) var output = OutputBuffer()

  /// How many fixes become a batch at a time.
  static var batchCount: Int { 1 << 14 }

  /// Begins a track among places as the phone of the rules notices them.
  ///
  /// A whole track may run backward in time, and its fixes may wait for its end.
  init(
    name: String, device: String?, places: PlaceIndex, rules: SessionRules,
    selection: EventSelection, isWhole: Bool, countsMisses: Bool
  ) {
    (self.rules, self.selection, self.countsMisses) = (rules, selection, countsMisses)
    track = TrackSession(name: name, device: device, source: places, options: rules.session)
    filter = FixFilter(
      keepsNullIsland: rules.keepsNullIsland, reorderMilliseconds: rules.reorderMilliseconds,
      maxAccuracyMeters: rules.session.maxAccuracyMeters, isWhole: isWhole)
    if isWhole { order = FixOrder(name: name) }
    begin(in: places)
  }

  /// Reports the chosen events, and watches for misses if they count.
  private func begin(in places: PlaceIndex) {
    track.selection = selection
    if countsMisses { track.watchForMisses(in: places, collects: false) }
  }

  /// Forgets the lines of earlier calls.
  func begin() { output.removeAll() }

  /// Follows the next fixes, which `fill` appends to an empty array.
  func feed(_ fill: (inout [Fix]) -> Void) throws(ByteSourceError) {
    batch.removeAll()
    fill(&batch.fixes)
    if order?.isPassing == false { try order?.hold(&batch.fixes) }
    filter.filter(&batch)
    follow()
  }

  /// Goes on among other places where a snapshot was taken.
  func restore(_ saved: TrackSession.Snapshot, places: PlaceIndex) throws {
    track = try TrackSession(
      name: track.name, device: track.device, source: places, options: rules.session,
      snapshot: saved)
    begin(in: places)
  }

  /// Follows other places, as the phone of the rules notices them, from the last fix on.
  func replace(_ places: PlaceIndex) throws {
    try restore(try track.snapshot(), places: places)
    track.refresh(emit: write)
  }

  /// Ends the track: judges the fixes that wait, and writes the summary.
  func finish() throws(ByteSourceError) {
    batch.removeAll()
    while order?.isPassing == false, let held = try order?.takeHeld(), !held.isEmpty {
      batch.fixes = held
      filter.filter(&batch)
      follow()
      batch.removeAll()
    }
    filter.finish(into: &batch)
    follow()
    if order?.isNewestFirst == true { track.summary.order = .newestFirst }
    finish(rejected: rejected, lateness: filter.lateness, error: nil)
  }

  /// Ends the track and writes its summary.
  ///
  /// `lateness` tells how late fixes came and is reported only if fixes are sorted. `error` is the
  /// sentence that ends a damaged track.
  func finish(rejected: RejectionCounts, lateness: Lateness, error: String?) {
    if rules.reorderMilliseconds != nil { track.summary.lateness = lateness }
    track.finish(rejected: rejected.byName, error: error, emit: write)
  }

  /// Counts the rejections of the batch, and follows its fixes.
  private func follow() {
    for rejection in batch.rejections { rejected.add(rejection.reason) }
    track.follow(batch.fixes, emit: write)
  }

  /// Appends the line of an event, unless the caller did not choose its kind.
  func write(_ event: Event) {
    guard selection.includes(event) else { return }
    output.append(jsonObject: event)
    output.append(UInt8(ascii: "\n"))
  }
}
