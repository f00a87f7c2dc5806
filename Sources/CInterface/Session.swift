import Fencepost
import FencepostFiles
import FencepostFixes
import FencepostFormats
import FencepostMonitoring
import FencepostOutput
import FencepostPhones
import FencepostTracks

/// A track that is followed fix by fix, and the events that wait for the caller.
final class Session {
  /// What ``snapshot`` keeps.
  struct Snapshot: Codable {
    var name: String
    var device: String?
    var filter: FixFilter
    var rejected: RejectionCounts
    var track: TrackSession.Snapshot
  }

  private var track: TrackSession
  private var filter: FixFilter
  private var rejected = RejectionCounts()
  /// Holds fixes of a whole track until it is clear whether they run backward in time.
  private var order: FixOrder?
  private let rules: SessionRules
  private let selection: EventSelection
  private var batch = FixBatch()
  /// The lines of the events since ``begin()``.
  private(set) var output = OutputBuffer()

  /// How many fixes become a batch at a time.
  static var batchCount: Int { 1 << 14 }

  /// Begins a track, or continues one.
  ///
  /// A whole track may run backward in time, and its fixes may wait for its end.
  init(
    name: String, device: String?, places: PlaceIndex, rules: SessionRules,
    selection: EventSelection, isWhole: Bool, countsMisses: Bool, snapshot: Snapshot? = nil
  ) throws {
    (self.rules, self.selection) = (rules, selection)
    let source = try Self.noticed(places, by: rules)
    if let snapshot {
      track = try TrackSession(
        name: snapshot.name, device: snapshot.device, source: source, options: rules.session,
        snapshot: snapshot.track)
      (filter, rejected) = (snapshot.filter, snapshot.rejected)
      filter.reorder(withinMilliseconds: rules.reorderMilliseconds)
    } else {
      track = TrackSession(name: name, device: device, source: source, options: rules.session)
      filter = FixFilter(
        keepsNullIsland: rules.keepsNullIsland, reorderMilliseconds: rules.reorderMilliseconds,
        isWhole: isWhole)
    }
    track.selection = selection
    if countsMisses { track.watchForMisses(in: source, collects: false) }
    if isWhole { order = FixOrder(name: name) }
  }

  private static func noticed(_ places: PlaceIndex, by rules: SessionRules) throws -> PlaceIndex {
    guard let profile = rules.profile else { return places }
    let text = Array(profile.utf8)
    let phone = PhoneRules(
      try text.withSpan { text throws(ProfileError) in try PhoneProfile(parsing: text) })
    return phone.changesCircles ? try PlaceIndex(phone.noticed(places.places)) : places
  }

  /// Forgets the lines of earlier calls.
  func begin() { output.removeAll() }

  /// Follows the next fixes, which `fill` appends to an empty array.
  func feed(_ fill: (inout [Fix]) -> Void) throws {
    batch.removeAll()
    fill(&batch.fixes)
    if order?.isPassing == false { try order?.hold(&batch.fixes) }
    filter.filter(&batch)
    follow()
  }

  /// Follows a file as a whole track.
  ///
  /// - Throws: `FixSourceError`, with the events up to it in ``output``.
  func follow(path: String) throws {
    var reader = try FixReader(
      path: path,
      options: FixStream.Options(
        keepsNullIsland: rules.keepsNullIsland, reorderMilliseconds: rules.reorderMilliseconds))
    var failure: FixSourceError?
    do throws(FixSourceError) {
      while try reader.read(into: &batch) { track.take(batch.fixes, emit: write) }
    } catch {
      failure = error
    }
    if reader.isNewestFirst { track.summary.order = .newestFirst }
    finish(
      rejected: reader.rejectionCounts, lateness: reader.lateness, error: failure?.description)
    if let failure { throw failure }
  }

  /// Follows other places from the last fix on.
  func replace(_ places: PlaceIndex) throws {
    let (name, device, saved) = (track.name, track.device, try track.snapshot())
    track = try TrackSession(
      name: name, device: device, source: try Self.noticed(places, by: rules),
      options: rules.session, snapshot: saved)
    track.selection = selection
    track.renew(emit: write)
  }

  /// Ends the track: judges the fixes that wait, and writes the summary.
  func finish() throws {
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

  private func finish(rejected: RejectionCounts, lateness: Lateness, error: String?) {
    if rules.reorderMilliseconds != nil { track.summary.lateness = lateness }
    track.finish(rejected: rejected.byName, error: error, emit: write)
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

  var snapshot: Snapshot {
    get throws {
      Snapshot(
        name: track.name, device: track.device, filter: filter, rejected: rejected,
        track: try track.snapshot())
    }
  }
}
