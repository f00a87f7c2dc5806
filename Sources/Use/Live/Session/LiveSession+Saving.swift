#if Command
package import FencepostSession
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
package import FencepostPlaces
import FencepostTracks
import FoundationEssentials

extension LiveSession {
  /// Saves owed deliveries, and the sessions from time to time.
  func save(_ deliveries: [OwedDelivery]) {
    // A rewrite must be complete, without pending input.
    guard journal.isKept, !(journal.mustRewrite && hasPending) else { return }
    let isWhole =
      mustSave || journal.mustRewrite
      || decoder.isLong(since: journal.end - journal.checkpointPosition)
    guard isWhole || !deliveries.isEmpty || !newlyTold.isEmpty else { return }
    var change = LiveState.Change()
    change.owed = deliveries
    if !deliveries.isEmpty { change.nextSequence = outlet.nextSequence }
    if isWhole {
      change.checkpoint = checkpoint()
      change.identity = journal.identity
      change.forgotten = forgotten
      for (name, device) in devices where device.isDirty || journal.mustRewrite {
        change.devices.append(name)
        let left = device.toldCount - device.followedCount
        if left > 0 { change.told[name] = left }
      }
      change.session = { name in self.devices[name].map { self.saved($0, name) } }
    } else {
      for name in newlyTold { change.told[name] = devices[name]?.followedCount }
    }
    let isMade = journal.commit(
      change, context: { self.decoder.openBytes }, outlet: outlet)
    guard isMade else { return }
    newlyTold.removeAll()
    guard isWhole else { return }
    mustSave = false
    forgotten.removeAll()
    for device in change.devices.compactMap({ devices[$0] }) {
      device.isDirty = false
      device.toldCount = max(0, device.toldCount - device.followedCount)
      device.followedCount = 0
    }
  }

  func saved(_ device: Device, _ name: String) -> LiveState.Session {
    LiveState.Session(
      session: device.session.keyedSnapshot, reminders: device.reminders?.snapshot,
      account: device.account, rank: roster[name])
  }

  func saveAll() {
    guard !places.isAbandoned else { return }
    mustSave = true
    save([])
  }

  private func checkpoint() -> LiveState.Checkpoint {
    var checkpoint = decoder.checkpoint(
      lastMilliseconds: devices[""]?.session.lastFix?.timeMilliseconds)
    checkpoint.unattributed = unattributed
    checkpoint.runMilliseconds = outlet.runMilliseconds
    return checkpoint
  }

  // MARK: After a restart

  /// Continues from a state file and returns sentences for the user; throws if new input is bad.
  func restore(
    _ contents: LiveState.Contents, now: LiveState.Identity
  ) throws(DecodeError) -> [String] {
    isRepeating = true
    defer { isRepeating = false }
    outlet.begin(
      nextSequence: contents.nextSequence, owed: contents.owed,
      runMilliseconds: contents.checkpoint?.runMilliseconds ?? 0)
    let change = contents.identity?.change(to: now)
    let isSameRule = change?.isRule != true
    hasOtherPlaces = change?.isPlaces == true
    var sentences = unserved(contents.owed)
    if let what = change?.what {
      sentences.append("the settings have changed since the state was saved: \(what)")
    }
    // The first checkpoint records the kind of stream.
    if !isSameRule || contents.checkpoint == nil { mustSave = true }
    toldBefore = contents.told
    for (name, saved) in contents.sessions {
      devices[name] = device(name, saved, isSameRule: isSameRule)
    }
    restoreRoster(contents.sessions)
    notifyRestored()
    let checkpoint = contents.checkpoint
    if isSameRule { unattributed = checkpoint?.unattributed ?? RejectionCounts() }
    if let account = checkpoint?.account { resume(device(""), "", account, isSameRule: isSameRule) }
    let start = checkpoint?.contextStart ?? contents.input.first?.offset ?? 0
    let chunks = contents.input.filter { $0.offset + $0.bytes.count > start }.map {
      Array($0.bytes.dropFirst(max(0, start - $0.offset)))
    }
    let bytes = Array(chunks.joined())
    journal.resume(
      end: start + bytes.count, last: bytes.last, checkpointPosition: checkpoint?.position ?? start)
    resumedCount = journal.end
    var seenCount = (checkpoint?.position ?? start) - start
    let isWhole = decoder.resume(
      checkpoint, start: start, seen: Array(bytes.prefix(seenCount)),
      lastFix: devices[""]?.session.lastFix)
    guard isWhole else {
      sentences.append("the saved input is damaged; decoding starts over")
      decoder.skip(max(0, bytes.count - seenCount))
      restartDecoder()
      return sentences
    }
    for chunk in chunks {
      try resume(with: Array(chunk.dropFirst(seenCount)))
      seenCount = max(0, seenCount - chunk.count)
    }
    return sentences
  }

  private func restoreRoster(_ sessions: [String: LiveState.Session]) {
    guard hasDevices else { return }
    // Earlier versions saved no ranks; the time of the last fix stands in for them.
    let last = devices.mapValues { $0.session.lastFix?.timeMilliseconds ?? .min }
    let names = last.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    for name in names {
      if let silent = roster.restore(name, sessions[name]?.rank) { forget(silent, for: name) }
    }
  }

  private func unserved(_ owed: [OwedDelivery]) -> [String] {
    LiveSinkKind.allCases.compactMap { kind in
      let count = owed.count { $0.sink == kind }
      guard count > 0, !outlet.kinds.contains(kind) else { return nil }
      return "the state file has \(count) not delivered to --\(kind.rawValue) yet. To send them, "
        + "start again with --\(kind.rawValue)."
    }
  }

  /// Refreshes the places if a monitored circle differs from the store's, for example after an edit.
  func reconcilePlaces() {
    let hasChanged = devices.values.contains { device in
      device.session.monitoredRegions.contains { region, _ in
        guard !ReminderWatch.isCircle(region.key) else { return false }
        // If the store fails here, the next refresh reports it.
        guard let place = try? places.place(forKey: region.key) else { return true }
        return place.coordinate != region.circle.center.coordinate
          || place.radiusMeters != region.circle.radiusMeters
      }
    }
    if hasChanged, !isBusy {
      work {
        _ = self.places.takeUpReplacement()
        self.refreshMonitored()
      }
    }
    guard hasOtherPlaces else { return }
    for device in devices.values { device.session.forgetEverMonitored() }
  }

  /// Continues a device's path, or begins it anew with the memory of past alerts if the rules differ.
  func restore(
    _ device: Device, _ name: String, _ saved: LiveState.Session, isSameRule: Bool
  ) {
    let source = device.reminders?.source ?? places
    let rules = ReminderWatch.rules(options.session, beside: device.reminders)
    var isRestored = false
    if isSameRule,
      let session = TrackSession(
        name: options.track, device: own(name), source: source, options: rules, keyed: saved.session
      )
    {
      device.session = session
      isRestored = true
    } else {
      device.session = TrackSession(
        name: options.track, device: own(name), source: source, options: rules,
        policy: saved.session.policy)
      device.isDirty = true
      mustSave = true
    }
    if let reminders = saved.reminders {
      device.reminders?.restore(reminders, isSameRule: isRestored)
    }
    device.session.observer = device.reminders
    device.session.watchForMisses(in: places, collects: true)
  }

  private func device(_ name: String, _ saved: LiveState.Session, isSameRule: Bool) -> Device {
    let device = makeDevice(name)
    restore(device, name, saved, isSameRule: isSameRule)
    device.seenBefore = SeenBefore(heldCount: 0)
    if let account = saved.account { resume(device, name, account, isSameRule: isSameRule) }
    return device
  }

  private func resume(
    _ device: Device, _ name: String, _ saved: FixAccount, isSameRule: Bool
  ) {
    var account = saved
    if !isSameRule { account.countAnew() }
    account.resume(options.fixes)
    device.account = account
    device.seenBefore = SeenBefore(heldCount: account.heldCount)
    noteWaiting(account.waitingCount, name)
  }

  /// Queries the store again for every device, because the places may have changed.
  func refreshMonitored() {
    mustSave = true
    for name in devices.keys.sorted() {
      let device = device(name)
      let eventCount = events.count
      device.session.refresh { events.append($0) }
      device.isDirty = true
      notifyObserver(from: eventCount, device.session, own(name))
    }
  }

  /// Takes up other rules and stories and looks up the nearest stories of every device again.
  ///
  /// Every device keeps its path, its filter and its memory of alerts.
  ///
  /// - Returns: Sentences about what has changed.
  func reload(_ reload: LiveReload) -> [String] {
    // The runner asks between two pieces of input.
    guard !isBusy else { return [] }
    var sentences: [String] = []
    work {
      if !self.places.takeUpReplacement(), let store = reload.places {
        sentences += self.replacePlaces(by: store)
      }
      if let rules = reload.rules { sentences += self.replaceRules(by: rules) }
      self.refreshMonitored()
    }
    if sentences.isEmpty { sentences.append("looked up the nearest stories again") }
    return sentences
  }

  private func replacePlaces(by store: PlaceStore) -> [String] {
    do throws(PlaceStoreError) {
      // A count that fails is only not said.
      let before = (try? places.placeCount).map(String.init) ?? "unknown"
      let reader = try store.makeReader()
      let count = try reader.count()
      // A key may mean another story now, so the sessions name their stories before.
      let named = devices.mapValues { try? $0.session.snapshot() }
      places.replace(with: reader)
      for (name, snapshot) in named {
        guard let device = devices[name],
          let keyed = try? snapshot?.keyed(by: device.reminders?.source ?? places)
        else { continue }
        var saved = saved(device, name)
        saved.session = keyed
        restore(device, name, saved, isSameRule: true)
      }
      observer?(.places(store))
      return ["\(store.path): read \(count) stories (before: \(before))"]
    } catch {
      return ["\(error); the stories stay the same"]
    }
  }

  private func replaceRules(by rules: TrackSessionOptions) -> [String] {
    guard let before = journal.identity else { return [] }
    var options = options
    options.session = rules
    let now = LiveState.Identity(instance: before.instance, settings: options.settings)
    let change = before.change(to: now)
    guard let what = change.what else { return [] }
    for name in devices.keys.sorted() {
      let device = device(name)
      // The old rules decide what the snapshot of reminders contains.
      let snapshot = saved(device, name)
      self.options = options
      device.reminders = makeReminders()
      restore(device, name, snapshot, isSameRule: !change.isRule)
      device.isDirty = true
      guard change.isRule else { continue }
      device.account.countAnew()
    }
    if change.isRule, !hasDevices { unattributed = RejectionCounts() }
    self.options = options
    journal.identity = now
    mustSave = true
    return ["the rules have changed: \(what)"]
  }
}

/// What a running session takes up from its options and files.
///
/// A signal or an edit on the page of stories causes one. What is nil stays as it is, and the
/// nearest stories are looked up again in any case.
package struct LiveReload: Sendable {
  /// The rules; nil to keep them.
  package var rules: TrackSessionOptions?
  /// A copy of the stories that replaces the former; nil for a store that is read as it is.
  package var places: PlaceStore?

  /// Creates a reload; without arguments, only the lookup is repeated.
  package init(rules: TrackSessionOptions? = nil, places: PlaceStore? = nil) {
    self.rules = rules
    self.places = places
  }
}
#endif
