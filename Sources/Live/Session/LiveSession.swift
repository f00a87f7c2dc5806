import Fencepost
import Fixes
import Foundation
import Places

/// Turns the bytes of a live source into deliveries: decoding, hygiene, the engine and the alert
/// policy of each device, and the state that survives.
///
/// The same events as a replay of the same bytes, in the same order. Knows no clock, no connection and
/// no sink; ``LiveRunner`` feeds it. Not for two threads at once.
final class LiveSession {
  /// What a session does with its input.
  struct Options {
    var track: String
    var session = TrackSession.Options()
    var fixes = FixStream.Options()
    /// The member of each JSON line that names the device; nil for a stream of one device.
    var deviceField: String?
    /// Whether the stream is what others put in, who have been told of what was refused.
    var isIntake = false
    /// Whether reading goes on with the next line where no format is recognised.
    var passesOverForeignLines = false
  }

  /// One device and what is known of it.
  struct Device {
    var session: TrackSession
    var filter: FixFilter
    var rejected = RejectionCounts()
    /// The offset behind the last byte that the session has seen.
    var position: Int
    /// Whether fixes came since it was saved.
    var isDirty = false
  }

  let options: Options
  let places: LivePlaces
  let outlet: LiveOutlet
  let observer: LiveObserver?
  let journal: LiveJournal

  /// The stream of one device, nil where there are several.
  var stream: FixStream?
  var context = DecoderContext(start: 0)
  var lines: DeviceLines?
  var devices: [String: Device] = [:]
  /// Those to whom something happened that the state file does not know and cannot find out from the
  /// input.
  var touched: Set<String> = []
  /// Rejections of lines that name no device.
  var unattributed = RejectionCounts()
  /// Input that was journalled and not yet looked at.
  private var pending: [[UInt8]] = []
  private var pendingStart = 0
  /// Whether the sessions are being worked on, so that bytes that come now must wait.
  private var isBusy = false
  private var events: [Event] = []
  var batch = FixBatch()
  /// Whether a checkpoint must be written although nothing was delivered.
  var mustSave = false
  private var askedBefore = 0

  /// Told every rejection.
  var onRejection: ((Rejection, String?) -> Void)?
  /// Told what became of each line of a stream of several devices, and the offset behind it.
  ///
  /// Nobody hears of a line twice, unless it was held at first.
  var onVerdict: ((LineVerdict, Int) -> Void)?
  /// The offset behind each line whose fix is held, by its number.
  var heldEnds: [Int32: Int] = [:]
  /// Told of every line that is passed over.
  var onForeignLine: ((DecodeError) -> Void)?
  /// Told of the first line that names no device, since that may be true of all.
  var onUnattributed: ((Rejection) -> Void)?
  private var foreignLine = ForeignLine()

  init(
    options: Options, places: LivePlaces, outlet: LiveOutlet, journal: LiveJournal,
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

  /// Whether the stream has begun, and not a byte of it has come.
  var isStreamUntouched = true

  // MARK: Input

  /// How many bytes have been taken in so far, counted over restarts.
  var consumedCount: Int { journal.end }

  /// How often the input has made sense so far: a fix came, or what a receiver says that has none.
  var senseCount = 0

  /// What the user should know of the input as a whole, once it has ended.
  private(set) var notices: [String] = []

  /// How many fixes the stream of one device has had.
  var acceptedCount: Int { stream?.acceptedCount ?? 0 }

  /// Takes the next bytes of the input.
  ///
  /// Called while the session waits for the store it only keeps them.
  /// - Throws: `DecodeError` where nothing sensible can follow; all that was good has been delivered.
  func take(_ bytes: [UInt8]) throws(DecodeError) {
    guard !bytes.isEmpty else { return }
    journal.append(bytes)
    pending.append(bytes)
    guard !isBusy else { return }
    try drain()
  }

  /// Looks at input that the journal has already.
  func resume(with bytes: [UInt8]) throws(DecodeError) {
    guard !bytes.isEmpty else { return }
    pending.append(bytes)
    try drain()
  }

  /// Looks at input that came while the session waited for the store.
  func takePending() throws(DecodeError) {
    guard !isBusy else { return }
    try drain()
  }

  /// Whether what happens is in the state file; true where there is none.
  var isSaved: Bool { !journal.hasFile || !journal.mustRewrite }

  /// Whether input waits to be looked at.
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
        // What came together with the fault goes with it.
        if hasRest { pending.removeFirst() }
        restartDecoder()
        throw failure
      }
    }
  }

  /// The next input, of a chunk that is compressed only a piece, and whether the rest of the chunk
  /// comes next.
  private func takePiece() -> (piece: [UInt8], hasRest: Bool) {
    let chunk = pending.removeFirst()
    let count = stream?.pieceCount(of: chunk.span) ?? chunk.count
    guard count < chunk.count else { return (chunk, false) }
    pending.insert(Array(chunk[count...]), at: 0)
    return (Array(chunk[..<count]), true)
  }

  /// Runs `body`, and then delivers and saves what came of it.
  func work(_ body: () -> Void) {
    isBusy = true
    askedBefore = places.askCount
    body()
    settle()
    isBusy = false
  }

  private func process(_ chunk: [UInt8]) throws(DecodeError) {
    if places.takeUpReplacement() { renewMonitored() }
    if lines != nil { return processLines(chunk) }
    var rest = foreignLine.rest(of: chunk[...])
    if rest.count < chunk.count { context = DecoderContext(start: offset(before: rest)) }
    while !rest.isEmpty {
      do throws(DecodeError) {
        return try feed(rest)
      } catch {
        let isUnrecognised = stream?.format == nil && stream?.isCompressed == false
        guard options.passesOverForeignLines, isUnrecognised else { throw error }
        onForeignLine?(error)
        // What comes behind it may be a track, also where it came in the same piece.
        foreignLine.begin()
        rest = foreignLine.rest(of: rest)
        restartDecoder(before: rest)
      }
    }
  }

  private func feed(_ bytes: ArraySlice<UInt8>) throws(DecodeError) {
    // Only a restart asks what the decoder was fed, and without a file nothing gives it up again.
    if journal.hasFile { try remember(bytes) }
    isStreamUntouched = false
    // What was good before an error counts.
    defer { takeBatch() }
    try stream?.feed(bytes.span, into: &batch)
  }

  /// The offset in the input at which the last bytes of the piece at hand stand.
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

  /// Gives the fixes of the batch to the session of the stream.
  private func takeBatch() {
    senseCount += batch.fixes.count
    for rejection in batch.rejections where rejection.makesSense { senseCount += 1 }
    if let onRejection { for rejection in batch.rejections { onRejection(rejection, nil) } }
    if !batch.fixes.isEmpty {
      let position = context.end
      update("") { device in
        for fix in batch.fixes { self.follow(fix, nil, &device) }
        device.position = position
      }
    }
    batch.removeAll()
  }

  /// Lets `body` change a device in place; it is made where it is new.
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
    Device(
      session: TrackSession(
        name: options.track, device: options.deviceField == nil ? nil : name, source: places,
        options: options.session),
      filter: FixFilter(keepsNullIsland: options.fixes.keepsNullIsland), position: 0)
  }

  func follow(_ fix: Fix, _ name: String?, _ device: inout Device) {
    observer?.take(.position(LivePosition(fix, device: name)))
    let asked = places.askCount
    let eventCount = events.count
    device.session.take(fix) { events.append($0) }
    device.isDirty = true
    guard places.askCount != asked || events.count > eventCount else { return }
    touched.insert(name ?? "")
    tellObserver(from: eventCount, device.session, name)
  }

  private func tellObserver(from eventCount: Int, _ session: TrackSession, _ name: String?) {
    guard let observer else { return }
    for event in events[eventCount...] { observer.take(.event(event)) }
    observer.take(
      .monitored(
        LiveMonitored(
          device: name,
          members: session.monitoredRegions.map { .init(region: $0.region, isInside: $0.isInside) }
        )))
  }

  /// Tells where the devices of a session that goes on are, and what is monitored for them.
  func tellRestored() {
    guard let observer else { return }
    for name in devices.keys.sorted() {
      guard let session = devices[name]?.session else { continue }
      let own = options.deviceField.map { _ in name }
      if let fix = session.lastFix {
        observer.take(.position(LivePosition(fix, device: own)))
      }
      tellObserver(from: events.count, session, own)
    }
  }

  /// Delivers and saves what happened.
  private func settle() {
    // What follows from a question that was given up is void; the input for it is in the journal.
    guard !places.isAbandoned else { return events.removeAll() }
    let deliveries = outlet.prepare(events)
    events.removeAll(keepingCapacity: true)
    save(deliveries)
    outlet.send(deliveries)
  }

  // MARK: Pauses

  /// Whether fixes are held because the receiver has told no date yet.
  var holdsUndatedFixes: Bool { stream?.holdsUndatedFixes ?? false }

  /// The source pauses: hands on the epoch at hand if it looks complete.
  func pause() {
    guard stream != nil, !isBusy else { return }
    stream?.flush(into: &batch)
    guard !batch.isEmpty else { return }
    work { self.takeBatch() }
  }

  /// The receiver tells no date: takes that of a clock, in milliseconds since 1970.
  func assumeDate(nowMilliseconds: Int64) {
    guard stream != nil, !isBusy else { return }
    stream?.assumeDate(nowMilliseconds: nowMilliseconds, into: &batch)
    guard let first = batch.fixes.first?.timeMilliseconds else { return }
    context.startDay = Int(first / 86_400_000)
    mustSave = true
    work { self.takeBatch() }
  }

  /// A connection begins anew: what was begun on the one before is not continued.
  func beginConnection() throws(DecodeError) {
    guard journal.end > 0, journal.lastByte != UInt8(ascii: "\n") else { return }
    try take([UInt8(ascii: "\n")])
  }

  /// The places may have changed: asks anew for every device.
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
        tellObserver(from: eventCount, device.session, options.deviceField.map { _ in name })
      }
    }
  }

  /// The input has ended.
  ///
  /// - Throws: `DecodeError` where it ended too early; all that was good has been delivered.
  func endInput() throws(DecodeError) {
    var failure: DecodeError?
    mustSave = true
    work {
      if var lines {
        self.lines = nil
        lines.finish { line, end in self.take(line, endingAt: end) }
        self.lines = lines
        return
      }
      failure = self.finishStream()
    }
    if let failure { throw failure }
  }

  /// Ends the stream; what was left of it may still be continued after a restart, unless it was
  /// complete.
  private func finishStream() -> DecodeError? {
    // What came before was complete, and no more is no fault.
    if isStreamUntouched, journal.end > 0 { return nil }
    stream?.flush(isForced: true, into: &batch)
    takeBatch()
    journal.isEpochHandedOn = stream?.isEpochHandedOn ?? false
    let format = stream?.format
    do throws(DecodeError) {
      // Where the input goes on after a restart, so may what is held.
      try stream?.finish(into: &batch, keepsHeld: true)
    } catch {
      takeBatch()
      return error
    }
    notices = stream?.notices ?? []
    let isDocument = format == .gpx || stream?.isCompressed == true
    if !batch.isEmpty || isDocument { restartDecoder() }
    takeBatch()
    return nil
  }

  /// Begins a new stream behind what has been read, but for the rest of the piece at hand; hygiene
  /// goes on.
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
  /// Whether a receiver said it, and no noise or other program.
  var makesSense: Bool {
    switch reason {
    case .checksum, .malformed, .tooLong: false
    default: true
    }
  }
}

extension LivePosition {
  init(_ fix: Fix, device: String?) {
    self.init(
      device: device, coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
      accuracyMeters: fix.accuracyMeters, speedMetersPerSecond: fix.speedMetersPerSecond,
      courseDegrees: fix.courseDegrees)
  }
}
