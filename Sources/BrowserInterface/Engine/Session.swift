import Fencepost
import FencepostFixes
import FencepostFormats
import FencepostMonitoring
import FencepostTracks

/// A track that is followed, and the lines of its events.
final class Session {
  private var track: TrackSession
  private var filter: FixFilter
  private var rejected = RejectionCounts()
  /// Holds fixes of a whole track until it is clear whether they run backward in time.
  private var order: FixOrder?
  let rules: SessionRules
  private let selection: EventSelection
  private let countsMisses: Bool
  private var batch = FixBatch()
  /// The lines of the events since ``begin()``.
  private(set) var output = OutputBuffer()

  /// Begins a track; a whole one may run backward in time, and its fixes may wait for its end.
  init(
    name: String, places: PlaceIndex, rules: SessionRules, selection: EventSelection,
    isWhole: Bool, countsMisses: Bool
  ) {
    (self.rules, self.selection, self.countsMisses) = (rules, selection, countsMisses)
    track = TrackSession(name: name, source: places, options: rules.session)
    track.selection = selection
    if countsMisses { track.watchForMisses(in: places, collects: false) }
    filter = FixFilter(
      keepsNullIsland: rules.keepsNullIsland, reorderMilliseconds: rules.reorderMilliseconds,
      isWhole: isWhole)
    if isWhole { order = FixOrder(name: name) }
  }

  /// Forgets the lines of earlier calls.
  func begin() { output.removeAll() }

  /// Follows the next fixes.
  func feed(_ fixes: [Fix]) {
    batch.removeAll()
    batch.fixes = fixes
    // Nothing can fail in memory.
    if order?.isPassing == false { try? order?.hold(&batch.fixes) }
    filter.filter(&batch)
    follow()
  }

  /// Follows other places from the last fix on.
  func replace(_ places: PlaceIndex) {
    guard let saved = try? track.snapshot(),
      let followed = try? TrackSession(
        name: track.name, source: places, options: rules.session, snapshot: saved)
    else { return }
    track = followed
    track.selection = selection
    if countsMisses { track.watchForMisses(in: places, collects: false) }
    track.renew(emit: write)
  }

  /// Ends the track: judges the fixes that wait, and writes the summary.
  func finish() {
    batch.removeAll()
    while order?.isPassing == false, let held = try? order?.takeHeld(), !held.isEmpty {
      batch.fixes = held
      filter.filter(&batch)
      follow()
      batch.removeAll()
    }
    filter.finish(into: &batch)
    follow()
    if order?.isNewestFirst == true { track.summary.order = .newestFirst }
    if rules.reorderMilliseconds != nil { track.summary.lateness = filter.lateness }
    track.finish(rejected: rejected.byName, emit: write)
  }

  private func follow() {
    for rejection in batch.rejections { rejected.add(rejection.reason) }
    track.take(batch.fixes, emit: write)
  }

  private func write(_ event: Event) {
    guard selection.includes(event) else { return }
    output.append(jsonObject: event)
    output.append(UInt8(ascii: "\n"))
  }
}
