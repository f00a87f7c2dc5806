import Fencepost
import Fixes
import Places
import Reporting

/// The thread of a live session: waits for the source, and feeds the session.
final class LiveLoop {
  let session: LiveSession
  private let options: LiveOptions
  private let runner: LiveRunner
  private let places: LivePlaces
  private let outlet: LiveOutlet
  private let journal: LiveJournal
  private let say: (String) -> Void
  private let observer: LiveObserver?
  private var input: LiveInput
  private var lastByteMilliseconds: Int64 = 0
  private var heldSinceMilliseconds: Int64?
  private var hasPaused = true
  /// How many fixes there had been when bad input was told last.
  private var badAtCount: Int?
  /// How often the input had made sense when the input was told last.
  private var senseCount = 0
  /// What ended the input, seen while the session waited for the store.
  private var ending: LiveRunner.Ending?

  /// An epoch that looks complete is handed on after this pause.
  private static var pauseMilliseconds: Int64 { 100 }
  /// So long a receiver has time to tell the date.
  private static var dateMilliseconds: Int64 { 3000 }

  init(
    options: LiveOptions, runner: LiveRunner, reader: PlaceReader, state: LiveState?,
    queues: [SinkQueue], observer: LiveObserver?, say: @escaping (String) -> Void
  ) {
    self.options = options
    self.runner = runner
    self.observer = observer
    self.say = say
    places = LivePlaces(reader: reader)
    outlet = LiveOutlet(
      form: options.form.writer(options.selection), selection: options.selection,
      deliveredSelection: options.deliveredSelection, queues: queues,
      epochNow: { MonotonicClock.epochMilliseconds })
    journal = LiveJournal(state: state, now: { MonotonicClock.milliseconds }, say: say)
    var sessionOptions = LiveSession.Options(track: options.track)
    sessionOptions.session = options.session
    sessionOptions.fixes = options.fixes
    sessionOptions.deviceField = options.deviceField
    if case .intake = options.address { sessionOptions.isIntake = true }
    sessionOptions.passesOverForeignLines = options.address != .standardInput
    session = LiveSession(
      options: sessionOptions, places: places, outlet: outlet, journal: journal,
      observer: observer)
    input = LiveInput(
      options.address, name: options.addressName,
      options: .init(
        baud: options.baud, idleTimeoutMilliseconds: options.idleTimeoutMilliseconds))
  }

  /// Follows the source to its end.
  func run(_ contents: LiveState.Contents, instance: String) -> LiveRunner.Ending {
    places.waiting = LivePlaces.Waiting(
      pass: { [unowned self] in
        let now = MonotonicClock.milliseconds
        step(until: now + 20)
        return !runner.isStopped
      },
      onLock: { [unowned self] in say("the store is locked by another program; waiting for it") })
    places.say = { [unowned self] in say($0) }
    session.onForeignLine = { [unowned self] in tellBadInput($0) }
    session.onUnattributed = { [unowned self] in tellUnattributed($0) }
    resume(contents, instance: instance)
    while ending == nil, !runner.isStopped {
      step(until: nil)
      if runner.takeHangUp() { session.renewPlaces() }
    }
    input.close()
    if case .intake(let intake) = options.address { intake.close() }
    return conclude(ending ?? runner.stopEnding)
  }

  private func resume(_ contents: LiveState.Contents, instance: String) {
    let identity = LiveDocument.Identity(rule: options.rule, instance: instance)
    journal.identity = identity
    if contents.identity == nil { outlet.writeHeader() }
    do throws(DecodeError) {
      for sentence in try session.restore(contents, rule: options.rule) { say(sentence) }
    } catch {
      say("\(options.addressName): \(error)")
    }
    journal.writeIdentity()
    if case .intake(let intake) = options.address {
      intake.begin(at: session.consumedCount)
      session.onVerdict = { verdict, end in intake.judge(verdict, endingAt: end) }
    }
    session.reconcilePlaces()
    guard session.consumedCount > 0 else { return }
    say("resumed behind byte \(session.consumedCount) of the input")
  }

  // MARK: Steps

  /// Waits for the source or the next moment at which something is due, and does it.
  private func step(until limit: Int64?) {
    let now = MonotonicClock.milliseconds
    let due = [input.dueMilliseconds, pauseDue, dateDue, limit].compactMap { $0 }.min()
    let isReady = runner.wait(
      for: input.request, milliseconds: due.map { max(0, $0 - now) } ?? -1)
    for event in input.advance(isReady: isReady, now: MonotonicClock.milliseconds) {
      handle(event)
    }
    if session.senseCount > senseCount {
      senseCount = session.senseCount
      if let sentence = input.noteSense() { tell(sentence) }
    }
    // Who has posted what waits for the store is not kept waiting.
    guard limit == nil else { return settleIntake() }
    attempt { () throws(DecodeError) in try session.takePending() }
    pauseIfDue()
  }

  private var pauseDue: Int64? {
    hasPaused ? nil : lastByteMilliseconds + Self.pauseMilliseconds
  }

  private var dateDue: Int64? { heldSinceMilliseconds.map { $0 + Self.dateMilliseconds } }

  private func handle(_ event: LiveInputEvent) {
    switch event {
    case .said(let sentence), .lost(let sentence): tell(sentence)
    case .opened(let sentence):
      if let sentence { tell(sentence) }
      if options.address != .standardInput {
        attempt { () throws(DecodeError) in try session.beginConnection() }
      }
    case .bytes(let bytes):
      attempt { () throws(DecodeError) in try session.take(bytes) }
      settleIntake()
      lastByteMilliseconds = MonotonicClock.milliseconds
      hasPaused = false
    case .ended: ending = .finished
    case .failed(let sentence, let isMissing):
      ending = isMissing ? .missingInput(sentence) : .failed(sentence)
    }
  }

  private func settleIntake() {
    guard case .intake(let intake) = options.address else { return }
    intake.settle(isSaved: session.isSaved)
  }

  private func tell(_ sentence: String) {
    observer?.take(.source(sentence))
    // Nobody needs to be told that standard input is read.
    switch options.address {
    case .standardInput where sentence.hasSuffix("reading"), .intake: return
    default: break
    }
    say(sentence)
  }

  /// Runs what may find the input bad: standard input ends with it, of others it is told.
  private func attempt(_ body: () throws(DecodeError) -> Void) {
    do throws(DecodeError) {
      try body()
    } catch {
      if case .standardInput = options.address {
        ending = .badInput("\(options.addressName): \(error)")
      } else {
        tellBadInput(error)
      }
    }
  }

  /// A source that goes on with what is no track is told once, not at every line.
  private func tellBadInput(_ error: DecodeError) {
    guard badAtCount != session.acceptedCount else { return }
    badAtCount = session.acceptedCount
    say("\(options.addressName): \(error)")
  }

  /// That lines name no device is told at the first, so that a wrong name is noticed at once.
  private func tellUnattributed(_ rejection: Rejection) {
    // Whoever is told every rejection is told this one too.
    guard session.onRejection == nil else { return }
    let line = rejection.line.map { "line \($0): " } ?? ""
    let reason = rejection.detail ?? rejection.reason.rawValue
    say("\(options.addressName): \(line)\(reason); such lines are counted in the summary")
  }

  private func pauseIfDue() {
    let now = MonotonicClock.milliseconds
    if let due = pauseDue, now >= due {
      hasPaused = true
      session.pause()
    }
    guard session.holdsUndatedFixes else {
      heldSinceMilliseconds = nil
      return
    }
    let since = heldSinceMilliseconds ?? now
    heldSinceMilliseconds = since
    guard now - since >= Self.dateMilliseconds else { return }
    heldSinceMilliseconds = nil
    say("\(options.addressName): it tells no date; taking that of this machine's clock")
    session.assumeDate(nowMilliseconds: MonotonicClock.epochMilliseconds)
  }

  // MARK: The end

  /// Whether what is owed is in a state file.
  var isStateKept: Bool { journal.hasFile && !journal.mustRewrite }

  private func conclude(_ ending: LiveRunner.Ending) -> LiveRunner.Ending {
    var result = ending
    var sentence: String?
    switch ending {
    case .finished:
      do throws(DecodeError) {
        try session.endInput()
      } catch {
        result = .badInput("\(options.addressName): \(error)")
      }
      for notice in session.notices { say("\(options.addressName): \(notice)") }
    case .stopped: sentence = "interrupted"
    case .badInput, .missingInput, .failed: break
    }
    if case .badInput(let words) = result { sentence = words }
    session.saveAll()
    let losses = session.summarize(error: sentence)
    if case .finished = result, let empty = session.emptiness {
      let sentence = "\(options.addressName): \(empty.sentence)"
      guard empty.isSound else { return .badInput(sentence) }
      say(sentence)
    } else if let last = losses.last {
      for loss in losses.dropLast() { say(loss) }
      if case .finished = result { result = .badInput(last) } else { say(last) }
    }
    if case .finished = result, journal.mustRewrite {
      return .failed("the state is not saved; a session that goes on with it would lose events")
    }
    return result
  }
}

extension LiveOptions.Form {
  fileprivate func writer(_ selection: EventSelection) -> LiveOutlet.Form {
    switch self {
    case .ndjson: .ndjson(NDJSONWriter())
    case .csv: .csv(CSVWriter(selection: selection))
    case .text(let layout): .text(TextWriter(layout: layout))
    }
  }
}
