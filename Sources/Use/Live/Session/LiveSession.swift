#if Command
import FencepostSession
import FencepostFixes
import FencepostNotifications
import FencepostPlaces
import FencepostTracks
import FoundationEssentials
import Logging

/// Turns the input of a live source into deliveries.
///
/// It decodes and filters fixes, runs a `TrackSession` for each device and saves the state. The
/// events are those of a replay of the same input, in the same order. It uses no clock and no
/// connection; ``LiveRunner`` feeds it. Not thread-safe.
final class LiveSession {
  /// One path and what decides on it; a class, because a dictionary would copy 4 KB as it grows.
  ///
  /// The state file has one session for each.
  final class Device {
    var session: TrackSession
    /// The reminders that share the phone's slots with places, if any.
    var reminders: ReminderWatch?
    /// Judges its fixes and counts what becomes of them.
    var account: FixAccount
    var isDirty = false
    /// How many fixes were processed since the last save.
    var followedCount = 0
    /// How many of these were fully reported to the user before a restart.
    var toldCount = 0
    /// What was repeated after a restart; nil for a device that the state did not have.
    var seenBefore: SeenBefore?
    /// Whether its refusals were reported since the last accepted fix.
    var isRefusalSaid = false

    init(session: TrackSession, reminders: ReminderWatch?, account: FixAccount) {
      self.session = session
      self.reminders = reminders
      self.account = account
    }
  }

  /// Input that has come and is not processed yet.
  private enum Piece {
    case bytes([UInt8])
    /// Fixes, and how many bytes they have in the state file.
    case fixes([DeviceFix], byteCount: Int)
  }

  var options: LiveOptions
  let places: LivePlaces
  let outlet: LiveOutlet
  let observer: LiveObserver?
  let journal: LiveJournal

  var decoder: any LiveDecoder
  /// The devices by name; a stream of one device has only the empty name.
  var devices: [String: Device] = [:]
  var roster: DeviceRoster
  /// Devices that the state file may still have.
  var forgotten: Set<String> = []
  private var hasSaidForgotten = false
  /// The ``Device/toldCount`` of each device that is still to come.
  var toldBefore: [String: Int] = [:]
  /// Devices with reports to the user since the last change of the state file.
  var newlyTold: Set<String> = []
  /// Rejections of what names no device, or comes before the first fix of the only one.
  var unattributed = RejectionCounts()
  private var pending: [Piece] = []
  private(set) var isBusy = false
  var events: [Event] = []
  /// The fixes that a filter judges at a time.
  var batch = FixBatch()
  var waiting = WaitingDevices()
  /// Whether what the source sends makes sense.
  var watch = SourceWatch()
  /// The caller's monotonic clock in milliseconds, set before each call.
  var nowMilliseconds: Int64 = 0
  /// Whether to save the sessions because the input alone does not reproduce them.
  var mustSave = false
  var resumedCount = 0
  /// Whether saved input is processed again after a restart, so that its fixes were counted before.
  var isRepeating = false
  /// Whether the places come from another store than before the restart.
  var hasOtherPlaces = false

  var onRejection: ((Rejection, String?) -> Void)?
  /// Called with the verdict on each fix that has a line.
  var onVerdict: ((FixVerdict, Int32) -> Void)?
  /// Called with every line skipped because it is not part of a track.
  var onForeignLine: ((DecodeError) -> Void)?
  /// Called with sentences for the user, and the device if they are about one.
  private let say: (String, _ device: String?, Logger.Level) -> Void

  init(
    options: LiveOptions, places: LivePlaces, outlet: LiveOutlet, journal: LiveJournal,
    observer: LiveObserver?, say: @escaping (String, _ device: String?, Logger.Level) -> Void
  ) {
    self.say = say
    self.options = options
    self.places = places
    self.outlet = outlet
    self.journal = journal
    self.observer = observer
    roster = DeviceRoster(capacity: options.deviceCapacity)
    if let field = options.deviceField {
      decoder = DeviceLines(field: field, base: 0, clock: options.fixes.clock)
    } else {
      decoder = TrackInput(
        options: options.fixes, skipsForeignLines: options.skipsForeignLines,
        keepsContext: journal.hasFile)
    }
  }

  // MARK: Input

  var consumedCount: Int { journal.end }
  var isResumed: Bool { resumedCount > 0 }
  /// How often the input made sense: a fix, or a receiver's report that it has none.
  var senseCount = 0
  var notices: [String] { decoder.notices }
  var receiverSentence: String? { decoder.receiverSentence }
  var format: TrackFormat? { decoder.format }
  /// What the decoder knows of the input, for ``watch``.
  var watchedInput: SourceWatch.Input {
    // A device's format is taken for granted, so that noise at first does no harm.
    let assumed = options.fixes.format
    return SourceWatch.Input(
      holdsPosition: decoder.holdsPosition,
      hasFormat: hasDevices || decoder.format != nil && assumed == nil,
      reason: decoder.notices.first ?? assumed.map { "not \($0.name)" })
  }
  /// Whether a crossing without a time could not be held as long as the rule requires.
  private(set) var lacksTimesToHold = false
  /// How many fixes of a stream of one device were accepted.
  var acceptedCount: Int { devices[""]?.session.fixCount ?? 0 }
  /// Whether the state file is up to date; true without one.
  var isSaved: Bool { !journal.hasFile || !journal.mustRewrite }
  var hasPending: Bool { !pending.isEmpty }

  /// Processes the next bytes, or stores them during a wait; throws if the input cannot continue.
  func receive(_ bytes: [UInt8]) throws(DecodeError) {
    guard !bytes.isEmpty else { return }
    watch.receive(bytes, now: nowMilliseconds)
    journal.append(bytes)
    try resume(with: bytes)
  }

  /// Processes decoded fixes, or stores them while the session waits for the store.
  func receive(_ fixes: [DeviceFix]) throws(DecodeError) {
    let bytes = journal.hasFile ? DeviceFix.bytes(of: fixes) : []
    journal.append(bytes)
    pending.append(.fixes(fixes, byteCount: bytes.count))
    try takePending()
  }

  /// Processes input that is already in the state file.
  func resume(with bytes: [UInt8]) throws(DecodeError) {
    guard !bytes.isEmpty else { return }
    if hasDevices, let fixes = DeviceFix.fixes(in: bytes) {
      pending.append(.fixes(fixes, byteCount: bytes.count))
    } else {
      pending.append(.bytes(bytes))
    }
    try takePending()
  }

  /// Processes input that arrived while the session waited for the store.
  func takePending() throws(DecodeError) {
    guard !isBusy else { return }
    while !pending.isEmpty, !places.isAbandoned {
      let (piece, hasRest) = takePiece()
      do throws(DecodeError) {
        try work { () throws(DecodeError) in try self.process(piece) }
      } catch {
        // Drop the rest of the bad chunk.
        if hasRest, case .bytes(let dropped) = pending.removeFirst() { decoder.skip(dropped.count) }
        restartDecoder()
        throw error
      }
    }
  }

  /// The next chunk, or part of it if compressed, and whether more of the chunk follows.
  private func takePiece() -> (piece: Piece, hasRest: Bool) {
    let piece = pending.removeFirst()
    guard case .bytes(let chunk) = piece else { return (piece, false) }
    let count = decoder.pieceCount(of: chunk.span)
    guard count < chunk.count else { return (piece, false) }
    pending.insert(.bytes(Array(chunk[count...])), at: 0)
    return (.bytes(Array(chunk[..<count])), true)
  }

  /// Runs `body`, then saves and delivers its events, also those before an error.
  func work<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) {
    isBusy = true
    let start = ContinuousClock.now
    defer {
      isBusy = false
      options.metrics.note(ContinuousClock.now - start, deviceCount: devices.count)
    }
    let result = Result { () throws(Failure) in try body() }
    // An abandoned query voids the results, but their input is in the state file.
    if places.isAbandoned { events.removeAll() }
    options.metrics.count(events)
    let deliveries = outlet.prepare(events)
    events.removeAll(keepingCapacity: true)
    if !places.isAbandoned { save(deliveries) }
    outlet.send(deliveries)
    try result.get()
  }

  private func process(_ piece: Piece) throws(DecodeError) {
    if places.takeUpReplacement() { refreshMonitored() }
    switch piece {
    case .fixes(let fixes, let byteCount):
      for one in fixes { take(one.fix, of: one.device) }
      decoder.skip(byteCount)
    case .bytes(let chunk):
      try decode { (decoder, records) throws(DecodeError) in
        try decoder.feed(chunk, into: &records)
      }
    }
  }

  /// Runs a step of the decoder and takes its records, also those before an error.
  private func decode<Failure: Error>(
    _ step: (inout any LiveDecoder, inout [DeviceRecord]) throws(Failure) -> Void
  ) throws(Failure) {
    var records: [DeviceRecord] = []
    let result = Result { () throws(Failure) in try step(&decoder, &records) }
    for error in decoder.takeForeignLines() {
      mustSave = true
      onForeignLine?(error)
    }
    take(records)
    if case .failure = result { rejectHeld() }
    try result.get()
  }

  // MARK: Devices

  /// Whether the source has many devices, each with a name.
  var hasDevices: Bool { options.deviceField != nil }

  /// The name of a device for the user; nil for that of a stream of one device.
  func own(_ name: String) -> String? { hasDevices ? name : nil }

  /// The device with a name, at the start of its path if it is new.
  func device(_ name: String) -> Device {
    if let device = devices[name] { return device }
    let device = makeDevice(name)
    devices[name] = device
    return device
  }

  /// Forgets a device that has given way to another.
  func forget(_ silent: String, for name: String) {
    // What waited to be put in order still counts.
    if let device = devices[silent], device.account.waitingCount > 0 { release(silent) }
    noteWaiting(0, silent)
    devices[silent] = nil
    newlyTold.remove(silent)
    toldBefore[silent] = nil
    forgotten.insert(silent)
    // The input until the next save may name it again.
    mustSave = true
    guard !hasSaidForgotten else { return }
    hasSaidForgotten = true
    say(
      "more than \(options.deviceCapacity) devices: forgot “\(silent)” to follow “\(name)”. From now "
        + "on each new device replaces one. To follow more, use --max-devices.", silent, .warning)
  }

  func makeReminders() -> ReminderWatch? {
    options.reminders.map {
      ReminderWatch(options: $0, source: places, monitoring: options.session.monitoring)
    }
  }

  func makeDevice(_ name: String) -> Device {
    let reminders = makeReminders()
    var session = TrackSession(
      name: options.track, device: own(name),
      source: reminders?.source ?? places,
      options: ReminderWatch.rules(options.session, beside: reminders))
    session.observer = reminders
    session.watchForMisses(in: places, collects: true)
    let device = Device(
      session: session, reminders: reminders, account: FixAccount(options.fixes))
    device.toldCount = toldBefore.removeValue(forKey: name) ?? 0
    return device
  }

  func note(_ rejection: Rejection, _ name: String?) {
    if !isRepeating { options.metrics.reject(rejection) }
    onRejection?(rejection, name)
  }

  func follow(_ fix: Fix, _ name: String?, _ device: Device) {
    if !isRepeating { options.metrics.accept(fix) }
    observer?(.position(fix, device: name))
    let asked = places.askCount
    let eventCount = events.count
    device.isDirty = true
    device.followedCount += 1
    // Events of fixes that were already processed before a restart are in the state file.
    let isNew = device.followedCount > device.toldCount
    let misses = follow(fix, in: &device.session, isNew: isNew)
    if isNew {
      options.metrics.count(missed: misses.count)
      for miss in misses {
        let sentence = miss.sentence(at: miss.timeMilliseconds.map(options.zone.text))
        say("\(name ?? options.addressName): \(sentence)", name, .notice)
      }
      if events.count > eventCount || !misses.isEmpty { newlyTold.insert(name ?? "") }
    }
    guard places.askCount != asked || events.count > eventCount else { return }
    notifyObserver(from: eventCount, device.session, name)
  }

  /// Follows a fix and returns the misses; with one access, since reading a session copies it.
  private func follow(_ fix: Fix, in session: inout TrackSession, isNew: Bool) -> [Miss] {
    session.follow(fix) { if isNew { events.append($0) } }
    if session.lacksTimesToHold { lacksTimesToHold = true }
    return session.takeMisses()
  }

  private static let longRunCount = 60

  /// Reports once that a device's fixes are refused, unless they came before a restart.
  func note(_ run: RefusedRun?, of device: Device, _ name: String?) {
    guard let run else { return device.isRefusalSaid = false }
    guard run.count >= Self.longRunCount, !device.isRefusalSaid else { return }
    device.isRefusalSaid = true
    guard device.seenBefore?.hasNew != false else { return }
    let first = options.zone.text(milliseconds: run.firstMilliseconds)
    let blocking = options.zone.text(milliseconds: run.blockingMilliseconds)
    say(
      "\(name ?? options.addressName): \(run.count) fixes in a row were refused as late, "
        + "starting at \(first): a fix of \(blocking) came before them. If its clock was wrong, "
        + "the correct fixes count as soon as they outnumber the wrong ones.", name, .warning)
  }

  /// Counts a line that names no device, and reports the first, since all may lack it.
  func noteUnattributed(_ rejection: Rejection) {
    // The rejection handler also reports it.
    if unattributed.total == 0, onRejection == nil {
      let line = rejection.line.map { "line \($0): " } ?? ""
      let reason = rejection.detail ?? rejection.reason.rawValue
      say(
        "\(options.addressName): \(line)\(reason); such lines are counted in the summary", nil,
        .notice)
    }
    unattributed.add(rejection.reason)
  }

  func notifyObserver(from eventCount: Int, _ session: TrackSession, _ name: String?) {
    guard let observer else { return }
    for event in events[eventCount...] { observer(.event(event)) }
    observer(.monitored(session.monitoredRegions, device: name))
  }

  func notifyRestored() {
    guard let observer else { return }
    for name in devices.keys.sorted() {
      guard let session = devices[name]?.session else { continue }
      if let fix = session.lastFix { observer(.restored(fix, device: own(name))) }
      notifyObserver(from: events.count, session, own(name))
    }
  }

  // MARK: Pauses and the end

  /// Why fixes are held without a date; nil if none is.
  var undatedReason: String? { decoder.undatedReason }

  /// Processes the current epoch if it looks complete; call it when the source pauses.
  func pause() {
    guard !isBusy else { return }
    var records: [DeviceRecord] = []
    decoder.flush(into: &records)
    guard !records.isEmpty else { return }
    work { self.take(records) }
  }

  /// Takes the date from a clock, in milliseconds since 1970, if the receiver reports none.
  func assumeDate(nowMilliseconds: Int64) {
    guard !isBusy else { return }
    var records: [DeviceRecord] = []
    guard decoder.assumeDate(nowMilliseconds: nowMilliseconds, into: &records) else { return }
    mustSave = true
    work { self.take(records) }
  }

  /// Ends an incomplete line of the previous connection.
  func beginConnection() throws(DecodeError) {
    watch.begin()
    // Posts are whole.
    guard !options.isIntake, journal.end > 0, journal.lastByte != UInt8(ascii: "\n") else { return }
    try receive([UInt8(ascii: "\n")])
  }

  /// Ends the input; throws if it ended too early, after delivering its good part.
  func endInput() throws(DecodeError) {
    mustSave = true
    try work { () throws(DecodeError) in
      defer { self.releaseAll() }
      try self.decode { (decoder, records) throws(DecodeError) in
        try decoder.finish(into: &records)
      }
    }
  }

  /// Starts a decoder anew if the input goes on in a format that it does not read.
  func expect(_ format: TrackFormat) {
    guard let former = decoder.format, !former.sharesDecoder(with: format) else { return }
    restartDecoder()
  }

  /// Creates a decoder for the next input, but keeps the devices.
  func restartDecoder() {
    decoder.restart()
    mustSave = true
  }
}
#endif
