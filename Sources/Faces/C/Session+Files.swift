import FencepostSession
import FencepostFixes
import FencepostFormats
import FencepostMonitoring
import FencepostPhones
import FencepostTracks

// What only the C interface offers: snapshots, and tracks in files.

extension Session {
  /// What ``Session/snapshot`` keeps: all of a session but its places and rules.
  ///
  /// It is written as JSON by `StateEncoder`, so it outlives the process.
  struct Snapshot: Codable {
    var name: String
    var device: String?
    var filter: FixFilter
    var rejected: RejectionCounts
    var track: TrackSession.Snapshot
  }

  /// Continues a track under the rules that it began with.
  ///
  /// From here on it is not whole and counts no misses.
  ///
  /// - Throws: An error if the snapshot contradicts itself or the places.
  convenience init(
    continuing saved: Snapshot, places: PlaceIndex, rules: SessionRules, selection: EventSelection
  ) throws {
    self.init(
      name: saved.name, device: saved.device, places: places, rules: rules, selection: selection,
      isWhole: false, countsMisses: false)
    try restore(saved.track, places: places)
    (filter, rejected) = (saved.filter, saved.rejected)
    filter.reorder(withinMilliseconds: rules.reorderMilliseconds)
    filter.maxAccuracyMeters = rules.session.maxAccuracyMeters
  }

  /// The state between two calls, from which another session can go on.
  var snapshot: Snapshot {
    get throws {
      Snapshot(
        name: track.name, device: track.device, filter: filter, rejected: rejected,
        track: try track.snapshot())
    }
  }

  /// Follows a file as a whole track.
  ///
  /// - Throws: `FixSourceError`, with the events up to it in ``output``.
  func follow(path: String) throws {
    var options = FixStreamOptions(
      keepsNullIsland: rules.keepsNullIsland, reorderMilliseconds: rules.reorderMilliseconds,
      maxAccuracyMeters: rules.session.maxAccuracyMeters)
    options.clock = rules.timeZone
    var reader = try FixReader(path: path, options: options)
    var failure: FixSourceError?
    do throws(FixSourceError) {
      while try reader.read(into: &batch) { track.follow(batch.fixes, emit: write) }
    } catch {
      failure = error
    }
    if reader.isNewestFirst { track.summary.order = .newestFirst }
    finish(
      rejected: reader.rejectionCounts, lateness: reader.lateness, error: failure?.description)
    if let failure { throw failure }
  }
}

extension SessionRules {
  /// The places as the phone of the rules notices them.
  func noticed(_ places: PlaceIndex) throws -> PlaceIndex {
    guard let profile else { return places }
    let text = Array(profile.utf8)
    let phone = PhoneRules(
      try text.withSpan { text throws(ProfileError) in try PhoneProfile(parsing: text) })
    return phone.changesCircles ? try PlaceIndex(phone.noticed(places.places)) : places
  }
}
