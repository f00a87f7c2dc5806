import FencepostTracks
import Fencepost
import FencepostGeodesy
import FencepostPlaces
import FencepostFixes
import Foundation
import FencepostMonitoring

/// Saving, and restoring after a restart.
extension LiveSession {
  /// How much input accumulates before the sessions of several devices are saved.
  private static var mostLineBytes: Int { 4 << 20 }

  /// Saves what cannot be derived from the input.
  func save(_ deliveries: [OwedDelivery]) {
    // A rewrite must be complete, without pending input.
    guard journal.isKept, !(journal.mustRewrite && hasPending) else { return }
    let isDue = mustSave || journal.mustRewrite || isLong
    guard isDue || !deliveries.isEmpty || !touched.isEmpty else { return }
    mustSave = false
    var change = LiveState.Change()
    change.owed = deliveries
    if !deliveries.isEmpty { change.nextSequence = outlet.nextSequence }
    let isFull = isDue || lines == nil
    for name in isFull ? Array(devices.keys) : Array(touched) {
      guard let device = devices[name],
        device.isDirty || touched.contains(name) || journal.mustRewrite
      else { continue }
      change.sessions.append((name, document(of: device)))
    }
    if isFull {
      if let stream = stream?.format { context.shorten(format: stream, options.fixes) }
      change.checkpoint = checkpoint
    }
    let isMade = journal.commit(
      change, contextStart: contextStart, context: { self.contextBytes }, outlet: outlet)
    guard isMade else { return }
    for (name, _) in change.sessions {
      devices[name]?.isDirty = false
      touched.remove(name)
    }
  }

  /// Saves everything, as before the end.
  func saveAll() {
    guard !places.isAbandoned else { return }
    mustSave = true
    save([])
  }

  private var isLong: Bool {
    lines == nil
      ? context.bytes.count > 2 * DecoderContext.mostBytes
        && journal.end - journal.checkpointPosition > DecoderContext.mostBytes
      : journal.end - journal.checkpointPosition > Self.mostLineBytes
  }

  private var position: Int { lines.map(\.lineStart) ?? context.end }
  private var contextStart: Int { lines.map(\.lineStart) ?? context.start }
  /// Needed only for a rewrite.
  private var contextBytes: [UInt8] { lines == nil ? context.bytes : lines?.openBytes ?? [] }

  private var checkpoint: LiveDocument.Checkpoint {
    LiveDocument.Checkpoint(
      contextStart: contextStart, header: Data(context.header), position: position,
      startDay: context.startDay,
      isEpochHandedOn: journal.isEpochHandedOn || (stream?.isEpochHandedOn ?? false),
      format: context.isShortened ? stream?.format?.rawValue : nil,
      hygiene: stream?.hygiene, unattributed: lines == nil ? nil : unattributed)
  }

  private func document(of device: Device) -> LiveDocument.Session {
    LiveDocument.Session(
      position: lines == nil ? position : device.position, session: device.session.keyedSnapshot,
      filter: lines == nil ? nil : device.filter, rejected: lines == nil ? nil : device.rejected)
  }

  // MARK: After a restart

  /// Continues where the contents of a state file leave off.
  ///
  /// - Returns: Sentences for the user.
  /// - Throws: `DecodeError` if input that was not processed before is bad.
  func restore(
    _ contents: LiveState.Contents, now: LiveDocument.Identity
  ) throws(DecodeError) -> [String] {
    outlet.begin(nextSequence: contents.nextSequence, owed: contents.owed)
    let change = contents.identity?.change(to: now)
    let isSameRule = change?.isRule != true
    hasOtherPlaces = change?.isPlaces == true
    var sentences = unserved(contents.owed)
    if let sentence = change?.sentence { sentences.append(sentence) }
    if !isSameRule { mustSave = true }
    for (name, document) in contents.sessions {
      devices[name] = device(name, document, isSameRule: isSameRule)
    }
    notifyRestored()
    let input = contents.input
    let start = contents.checkpoint?.contextStart ?? input.first?.offset ?? 0
    var bytes: [UInt8] = []
    for (offset, chunk) in input where offset + chunk.count > start {
      bytes.append(contentsOf: chunk.dropFirst(max(0, start - offset)))
    }
    journal.resume(
      input.map { ($0.offset, $0.bytes.count) }, end: start + bytes.count, last: bytes.last)
    journal.checkpointPosition = contents.checkpoint?.position ?? start
    resumedCount = journal.end
    if let field = options.deviceField {
      if isSameRule { unattributed = contents.checkpoint?.unattributed ?? RejectionCounts() }
      lines = DeviceLines(field: field, base: start)
      try resume(with: bytes)
    } else {
      let seen = (contents.checkpoint?.position ?? start) - start
      var checkpoint = contents.checkpoint
      if !isSameRule { checkpoint?.hygiene?.countAnew() }
      guard restoreDecoder(checkpoint, Array(bytes.prefix(seen)), start) else {
        sentences.append("the saved input is damaged: decoding begins anew")
        restartDecoder()
        return sentences
      }
      try resume(with: Array(bytes.dropFirst(seen)))
    }
    return sentences
  }

  /// Sentences about deliveries owed to sinks that this session lacks.
  private func unserved(_ owed: [OwedDelivery]) -> [String] {
    LiveSinkKind.allCases.compactMap { kind in
      let count = owed.count { $0.sink == kind }
      guard count > 0, !outlet.kinds.contains(kind) else { return nil }
      return "the state keeps \(count) undelivered for --\(kind.rawValue), which was not given"
    }
  }

  /// Renews the places if a monitored circle differs from the store's, as after an edit.
  func reconcilePlaces() {
    let hasChanged = devices.values.contains { device in
      device.session.monitoredRegions.contains { region, _ in
        // A store that fails here is reported at the next refresh.
        guard let place = try? places.place(forKey: region.key) else { return true }
        return place.coordinate != region.circle.center.coordinate
          || place.radiusMeters != region.circle.radiusMeters
      }
    }
    if hasChanged { renewPlaces() }
    guard hasOtherPlaces else { return }
    for name in devices.keys { update(name) { $0.session.forgetEverMonitored() } }
  }

  private func device(
    _ name: String, _ document: LiveDocument.Session, isSameRule: Bool
  ) -> Device {
    var device = makeDevice(name)
    let own = options.deviceField == nil ? nil : name
    if isSameRule,
      let session = TrackSession(
        name: options.track, device: own, source: places, options: options.session,
        keyed: document.session)
    {
      device.session = session
    } else {
      device.session = TrackSession(
        name: options.track, device: own, source: places, options: options.session,
        policy: document.session.policy)
      touched.insert(name)
    }
    device.session.watchForMisses(in: places, collects: true)
    device.position = document.position
    device.seenBefore = SeenBefore(heldCount: document.filter?.heldCount ?? 0)
    if var filter = document.filter {
      if !isSameRule { filter.countAnew() }
      filter.reorder(withinMilliseconds: options.fixes.reorderMilliseconds)
      filter.forgetLines()
      device.filter = filter
      noteWaiting(device, name)
    }
    if isSameRule, let rejected = document.rejected { device.rejected = rejected }
    return device
  }

  private func restoreDecoder(
    _ checkpoint: LiveDocument.Checkpoint?, _ seen: [UInt8], _ start: Int
  ) -> Bool {
    context = DecoderContext(
      start: start, header: checkpoint.map { Array($0.header) } ?? [], bytes: seen,
      startDay: checkpoint?.startDay)
    var base = options.fixes
    if let format = checkpoint?.format.flatMap(TrackFormat.init) { base.format = format }
    context.isShortened = checkpoint?.format != nil
    do throws(DecodeError) {
      var processed = FixBatch()
      var stream = try context.makeStream(
        base, isEpochHandedOn: checkpoint?.isEpochHandedOn ?? false, into: &processed)
      if var hygiene = checkpoint?.hygiene {
        hygiene.resume(reorderMilliseconds: options.fixes.reorderMilliseconds)
        stream.hygiene = hygiene
      }
      self.stream = consume stream
      noteWaitingStream()
      devices[""]?.seenBefore = SeenBefore(heldCount: self.stream?.heldCount ?? 0)
      isStreamUntouched = seen.isEmpty
      return true
    } catch {
      return false
    }
  }
}
