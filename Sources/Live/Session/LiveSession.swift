import FencepostTracks
import Fencepost
import FencepostFixes
import Foundation
import FencepostPlaces

/// Turns the bytes of a live source into deliveries: decoding, hygiene, a ``TrackSession`` for each
/// device, and the saved state.
///
/// Yields the same events as a replay of the same bytes, in the same order. Uses no clock and no
/// connection; ``LiveRunner`` feeds it. Not thread-safe.
final class LiveSession {
  /// One device of the stream.
  struct Device {
    var session: TrackSession
    var filter: FixFilter
    var rejected = RejectionCounts()
    /// The offset behind the last byte that the session has seen.
    var position: Int
    /// Whether it changed since it was last saved.
    var isDirty = false
    /// What of it came again after a restart; nil for a device that the state did not have.
    var seenBefore: SeenBefore?
    /// Whether it was said that its fixes are refused, since the last one that was not.
    var isRefusalSaid = false
  }

  let options: LiveOptions
  let places: LivePlaces
  let outlet: LiveOutlet
  let observer: LiveObserver?
  let journal: LiveJournal

  /// The decoder of a stream of one device, nil for several.
  var stream: FixStream?
  var context = DecoderContext(start: 0)
  /// The decoder of a stream of several devices, nil for one.
  var lines: DeviceLines?
  var devices: [String: Device] = [:]
  /// Devices with changes that the state file cannot derive from the input.
  var touched: Set<String> = []
  /// Rejections of lines that name no device.
  var unattributed = RejectionCounts()
  /// Input that was saved and not processed yet.
  private var pending: [[UInt8]] = []
  /// Whether input is being processed, so that new bytes must wait.
  private(set) var isBusy = false
  private var events: [Event] = []
  var batch = FixBatch()
  /// Which devices have fixes that wait to be put in order.
  var waiting = WaitingDevices()
  /// How many fixes of a stream of one device have waited or wait.
  var streamArrivedCount = 0
  /// The caller's monotonic clock in milliseconds, set before each call.
  var nowMilliseconds: Int64 = 0
  /// Whether a checkpoint must be written even without deliveries.
  var mustSave = false
  /// How many bytes had been received before the restart; 0 without one.
  var resumedCount = 0
  /// Whether the places are those of another store than before the restart.
  var hasOtherPlaces = false

  /// Called with every rejection and its device.
  var onRejection: ((Rejection, String?) -> Void)?
  /// Called with the verdict on each line of a stream of several devices, and the offset behind it.
  ///
  /// Once per line, or twice if it was held at first.
  var onVerdict: ((LineVerdict, Int) -> Void)?
  /// The offset behind each line whose fix is held, by line number.
  var heldEnds: [Int32: Int] = [:]
  /// Called with every entry that was missed because of the limit, and its device.
  var onMiss: ((Miss, String?) -> Void)?
  /// Called once with a run of refused fixes that has become long, and its device.
  var onRefusedRun: ((RefusedRun, String?) -> Void)?
  /// Called with every line that is skipped as no track.
  var onForeignLine: ((DecodeError) -> Void)?
  /// Called with the first line that names no device, as all may lack it.
  var onUnattributed: ((Rejection) -> Void)?
  /// Whether the input is within a line that is no track.
  private var isInForeignLine = false

  init(
    options: LiveOptions, places: LivePlaces, outlet: LiveOutlet, journal: LiveJournal,
    observer: LiveObserver?
  ) {
    self.options = options
    self.places = places
    self.outlet = outlet
    self.journal = journal
    self.observer = observer
    if let field = options.deviceField {
      lines = DeviceLines(field: field, base: 0)
    } else {
      stream = FixStream(options: options.fixes)
    }
  }

  /// Whether the decoder has not received a byte yet.
  var isStreamUntouched = true

  // MARK: Input

  /// How many bytes have been received, including those before a restart.
  var consumedCount: Int { journal.end }

  /// Whether the session goes on after a restart.
  var isResumed: Bool { resumedCount > 0 }

  /// How often the input made sense so far: a fix, or a receiver's report that it has none.
  var senseCount = 0

  /// Notices about the whole input, once it has ended.
  private(set) var notices: [String] = []

  /// Whether a crossing without time could not be held as long as the rule wants.
  private(set) var lacksTimesToHold = false

  /// The number of fixes of a stream of one device.
  var acceptedCount: Int { stream?.acceptedCount ?? 0 }

  /// Takes the next bytes of the input; only saves them while the session waits for the store.
  ///
  /// - Throws: `DecodeError` if the input cannot continue; its good part has been delivered.
  func take(_ bytes: [UInt8]) throws(DecodeError) {
    guard !bytes.isEmpty else { return }
    journal.append(bytes)
    pending.append(bytes)
    guard !isBusy else { return }
    try drain()
  }

  /// Processes input that is in the state file already.
  func resume(with bytes: [UInt8]) throws(DecodeError) {
    guard !bytes.isEmpty else { return }
    pending.append(bytes)
    try drain()
  }

  /// Processes input that arrived while the session waited for the store.
  func takePending() throws(DecodeError) {
    guard !isBusy else { return }
    try drain()
  }

  /// Whether the state file is up to date; true without one.
  var isSaved: Bool { !journal.hasFile || !journal.mustRewrite }

  /// Whether there is unprocessed input.
  var hasPending: Bool { !pending.isEmpty }

  private func drain() throws(DecodeError) {
    while !pending.isEmpty, !places.isAbandoned {
      let (piece, hasRest) = takePiece()
      var failure: DecodeError?
      work { () in
        do throws(DecodeError) {
          try self.process(piece)
        } catch {
          failure = error
        }
      }
      if let failure {
        // The rest of the faulty chunk is dropped.
        if hasRest { pending.removeFirst() }
        restartDecoder()
        throw failure
      }
    }
  }

  /// The next chunk, or a piece of it if compressed, and whether the rest of the chunk follows.
  private func takePiece() -> (piece: [UInt8], hasRest: Bool) {
    let chunk = pending.removeFirst()
    let count = stream?.pieceCount(of: chunk.span) ?? chunk.count
    guard count < chunk.count else { return (chunk, false) }
    pending.insert(Array(chunk[count...]), at: 0)
    return (Array(chunk[..<count]), true)
  }

  /// Runs `body`, then saves and delivers its events.
  func work(_ body: () -> Void) {
    isBusy = true
    body()
    settle()
    isBusy = false
  }

  private func process(_ chunk: [UInt8]) throws(DecodeError) {
    if places.takeUpReplacement() { renewMonitored() }
    if lines != nil { return processLines(chunk) }
    var rest = skippingForeignLine(chunk[...])
    if rest.count < chunk.count { context = DecoderContext(start: offset(before: rest)) }
    while !rest.isEmpty {
      do throws(DecodeError) {
        return try feed(rest)
      } catch {
        let isUnrecognised = stream?.format == nil && stream?.isCompressed == false
        guard options.skipsForeignLines, isUnrecognised else { throw error }
        onForeignLine?(error)
        // A track may follow, even in the same chunk.
        isInForeignLine = true
        rest = skippingForeignLine(rest)
        restartDecoder(before: rest)
      }
    }
  }

  /// Skips the rest of a foreign line, across chunks; returns what follows it.
  private func skippingForeignLine(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard isInForeignLine else { return bytes }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return [] }
    isInForeignLine = false
    return bytes[(end + 1)...]
  }

  private func feed(_ bytes: ArraySlice<UInt8>) throws(DecodeError) {
    // Without a file nothing needs or shortens the context.
    if journal.hasFile { try remember(bytes) }
    isStreamUntouched = false
    // Fixes before an error count.
    defer { takeBatch() }
    try stream?.feed(bytes.span, into: &batch)
  }

  /// The offset in the input of the last bytes of the present chunk.
  private func offset(before rest: ArraySlice<UInt8>) -> Int {
    journal.end - pending.reduce(0) { $0 + $1.count } - rest.count
  }

  private func remember(_ bytes: ArraySlice<UInt8>) throws(DecodeError) {
    context.append(bytes.span)
    guard context.isTooLong else { return }
    let lastTime = devices[""]?.session.lastFix?.timeMilliseconds
    guard !context.abridge(format: stream?.format, lastMilliseconds: lastTime) else { return }
    let most = DecoderContext.greatestBytes >> 20
    throw DecodeError(
      "more than \(most) MiB of what is no text of lines cannot be followed with a state file")
  }

  /// Passes the batch's fixes to the stream's session.
  func takeBatch() {
    noteWaitingStream()
    senseCount += batch.fixes.count
    for rejection in batch.rejections where rejection.makesSense { senseCount += 1 }
    if let onRejection { for rejection in batch.rejections { onRejection(rejection, nil) } }
    devices[""]?.seenBefore?.note(batch)
    if !batch.fixes.isEmpty {
      let position = context.end
      update("") { device in
        for fix in batch.fixes { self.follow(fix, nil, &device) }
        device.position = position
      }
    }
    if let index = devices.index(forKey: "") {
      note(stream?.refusedRun, of: &devices.values[index], nil)
    }
    batch.removeAll()
  }

  /// How many fixes refused in a row are worth a sentence.
  private static let longRunCount = 60

  /// Says once that a device's fixes are refused, unless they are those that came before a restart.
  func note(_ run: RefusedRun?, of device: inout Device, _ name: String?) {
    guard let run else { return device.isRefusalSaid = false }
    guard run.count >= Self.longRunCount, !device.isRefusalSaid else { return }
    device.isRefusalSaid = true
    if device.seenBefore?.hasNew != false { onRefusedRun?(run, name) }
  }

  /// Changes a device in place, creating it if new.
  func update(_ name: String, _ body: (inout Device) -> Void) {
    if let index = devices.index(forKey: name) {
      body(&devices.values[index])
    } else {
      var device = makeDevice(name)
      body(&device)
      devices[name] = device
    }
  }

  func makeDevice(_ name: String) -> Device {
    var session = TrackSession(
      name: options.track, device: options.deviceField == nil ? nil : name, source: places,
      options: options.session)
    session.watchForMisses(in: places, collects: true)
    return Device(session: session, filter: options.fixes.filter, position: 0)
  }

  func follow(_ fix: Fix, _ name: String?, _ device: inout Device) {
    observer?(.position(fix, device: name))
    let asked = places.askCount
    let eventCount = events.count
    device.session.take(fix) { events.append($0) }
    if device.session.lacksTimesToHold { lacksTimesToHold = true }
    for miss in device.session.takeMisses() { onMiss?(miss, name) }
    device.isDirty = true
    guard places.askCount != asked || events.count > eventCount else { return }
    touched.insert(name ?? "")
    notifyObserver(from: eventCount, device.session, name)
  }

  private func notifyObserver(from eventCount: Int, _ session: TrackSession, _ name: String?) {
    guard let observer else { return }
    for event in events[eventCount...] { observer(.event(event)) }
    observer(.monitored(session.monitoredRegions, device: name))
  }

  /// Notifies the observer of each restored device's position and monitored set.
  func notifyRestored() {
    guard let observer else { return }
    for name in devices.keys.sorted() {
      guard let session = devices[name]?.session else { continue }
      let own = options.deviceField.map { _ in name }
      if let fix = session.lastFix { observer(.restored(fix, device: own)) }
      notifyObserver(from: events.count, session, own)
    }
  }

  /// Saves and delivers the events.
  private func settle() {
    // Results of an abandoned query are void; their input is in the state file.
    guard !places.isAbandoned else { return events.removeAll() }
    let deliveries = outlet.prepare(events)
    events.removeAll(keepingCapacity: true)
    save(deliveries)
    outlet.send(deliveries)
  }

  // MARK: Pauses

  /// Whether fixes are held because the receiver has not reported the date yet.
  var holdsUndatedFixes: Bool { stream?.holdsUndatedFixes ?? false }

  /// Processes the current epoch if it looks complete; call when the source pauses.
  func pause() {
    guard stream != nil, !isBusy else { return }
    stream?.flush(into: &batch)
    guard !batch.isEmpty else { return }
    work { self.takeBatch() }
  }

  /// Takes the date from a clock, in milliseconds since 1970; call if the receiver reports none.
  func assumeDate(nowMilliseconds: Int64) {
    guard stream != nil, !isBusy else { return }
    stream?.assumeDate(nowMilliseconds: nowMilliseconds, into: &batch)
    guard let first = batch.fixes.first?.timeMilliseconds else { return }
    context.startDay = Int(first / 86_400_000)
    mustSave = true
    work { self.takeBatch() }
  }

  /// Ends an incomplete line of the connection before.
  func beginConnection() throws(DecodeError) {
    guard journal.end > 0, journal.lastByte != UInt8(ascii: "\n") else { return }
    try take([UInt8(ascii: "\n")])
  }

  /// Queries the store again for every device; call when the places may have changed.
  func renewPlaces() {
    guard !isBusy else { return }
    work {
      _ = self.places.takeUpReplacement()
      self.renewMonitored()
    }
  }

  private func renewMonitored() {
    for name in devices.keys.sorted() {
      update(name) { device in
        let eventCount = events.count
        device.session.renew { events.append($0) }
        touched.insert(name)
        notifyObserver(from: eventCount, device.session, options.deviceField.map { _ in name })
      }
    }
  }

  /// Ends the input.
  ///
  /// - Throws: `DecodeError` if it ended too early; its good part has been delivered.
  func endInput() throws(DecodeError) {
    var failure: DecodeError?
    mustSave = true
    work {
      if var lines {
        self.lines = nil
        lines.finish { line, end in self.take(line, endingAt: end) }
        self.lines = lines
      } else {
        failure = self.finishStream()
      }
      self.releaseAll()
    }
    if let failure { throw failure }
  }

  /// Ends the decoder; an incomplete stream may still continue after a restart.
  private func finishStream() -> DecodeError? {
    // The last stream was complete.
    if isStreamUntouched, journal.end > 0 { return nil }
    stream?.flush(isForced: true, into: &batch)
    takeBatch()
    journal.isEpochHandedOn = stream?.isEpochHandedOn ?? false
    let format = stream?.format
    do throws(DecodeError) {
      // Held fixes may continue after a restart, with the input.
      try stream?.finish(into: &batch, keepsHeld: true)
    } catch {
      takeBatch()
      return error
    }
    notices = stream?.notices ?? []
    let isDocument = format?.isDocument == true || stream?.isCompressed == true
    if !batch.isEmpty || isDocument { restartDecoder() }
    takeBatch()
    return nil
  }

  /// Begins a new decoder before `rest`, the unread end of the present chunk; hygiene continues.
  func restartDecoder(before rest: ArraySlice<UInt8> = []) {
    guard let hygiene = stream?.hygiene else { return }
    stream = FixStream(options: options.fixes)
    stream?.hygiene = hygiene
    isStreamUntouched = true
    context = DecoderContext(start: offset(before: rest))
    journal.isEpochHandedOn = false
    mustSave = true
  }
}

extension Rejection {
  /// Whether it came from a receiver, not from noise or another program.
  var makesSense: Bool {
    switch reason {
    case .checksum, .malformed, .tooLong: false
    default: true
    }
  }
}
