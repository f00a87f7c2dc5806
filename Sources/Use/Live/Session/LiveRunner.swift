#if Command
import FencepostTracks
import FencepostSession
import FencepostMonitoring
package import FencepostFixes
import FoundationEssentials
package import FencepostPlaces
import FencepostStateDatabase
import FencepostStateFile
import FencepostNotifications
package import Logging

/// Follows a live source until it ends or ``LiveControl/stop()`` is called.
///
/// The thread that calls ``run()`` reads, decodes and runs the engine; each sink has its own
/// thread. Input is processed as it arrives: an alert goes out when its line or epoch is complete.
package final class LiveRunner {
  /// Why a live session ended.
  ///
  /// A command derives its exit status and its last message from it. Sentences have no final
  /// period.
  package enum Ending: Sendable {
    /// The source ended, or the reader of the output closed it.
    case finished
    /// ``LiveControl/stop()`` was called, usually by a signal.
    case stopped
    /// The input was not a track, or a damaged one whose good part was delivered.
    case badInput(String)
    /// The source could not be opened, and waiting for it makes no sense; with a sentence.
    case missingInput(String)
    /// Events or the state could not be kept, with a sentence.
    case failed(String)
  }

  private let options: LiveOptions
  private let control: LiveControl
  private let log: Logger
  private let manager: ServiceManager?
  private let observer: LiveObserver?
  /// The state file; nil without one or if it cannot be read.
  private let state: LiveState?
  private let isStateUnreadable: Bool
  private var contents = LiveState.Contents()
  private let instance: String
  /// Whether the state holds input of an earlier session, which this one continues.
  package let isResumed: Bool
  private let places: LivePlaces
  private let outlet: LiveOutlet
  private let journal: LiveJournal
  private let session: LiveSession
  private var input: LiveInput
  private var lastByteMilliseconds: Int64 = 0
  private var heldSinceMilliseconds: Int64?
  private var hasPaused = true
  private var hasSaidUntimed = false
  private var hasSaidRepetition = false
  private var saidReceiver: String?
  private var badAtCount: Int?
  /// ``LiveSession/senseCount`` when ``LiveInput`` was last notified.
  private var senseCount = 0
  private var ending: Ending?
  private var pingedMilliseconds = SystemTime.monotonicMilliseconds

  /// An epoch that looks complete is processed after this pause.
  private static var pauseMilliseconds: Int64 { 100 }
  /// How long a receiver has to report the date.
  private static var dateMilliseconds: Int64 { 3000 }

  /// Loads the state, which ``run()`` closes, and starts the sinks.
  ///
  /// The reader should wait only briefly for locks. The log receives sentences for the user, from
  /// any thread.
  package init(
    options: LiveOptions, control: LiveControl, reader: PlaceReader, state: LiveState? = nil,
    observer: LiveObserver? = nil, onRejection: ((Rejection, String?) -> Void)? = nil,
    manager: ServiceManager? = nil, log: Logger
  ) {
    self.options = options
    self.control = control
    self.observer = observer
    self.manager = manager
    self.log = log
    let say: @Sendable (String) -> Void = { log.notice("\($0)") }
    var usedState = state
    do {
      if let state { contents = try state.load(hasDevices: options.deviceField != nil) }
    } catch {
      say("\(error); continuing without it")
      usedState = nil
    }
    self.state = usedState
    isStateUnreadable = state != nil && usedState == nil
    instance = contents.identity?.instance ?? UUID().uuidString.lowercased()
    isResumed = contents.input.last.map { $0.offset + $0.bytes.count > 0 } ?? false
    places = LivePlaces(reader: reader)
    outlet = LiveOutlet(
      options: options, state: usedState, instance: instance, control: control, log: log)
    journal = LiveJournal(
      state: usedState, delayMilliseconds: options.address.saveDelayMilliseconds, say: say)
    session = LiveSession(
      options: options, places: places, outlet: outlet, journal: journal, observer: observer
    ) { sentence, device, level in
      log.log(level: level, "\(sentence)", metadata: device.map { ["device": "\($0)"] })
    }
    session.onRejection = onRejection
    input = LiveInput(
      options.address, name: options.addressName, baud: options.baud,
      idleTimeoutMilliseconds: options.idleTimeoutMilliseconds,
      judgesSenders: options.deviceField == nil)
  }

  /// Follows the source until it ends; blocks the calling thread.
  package func run() -> Ending {
    var result = conclude(follow())
    let isStateKept = journal.hasFile && !journal.mustRewrite
    let losses = outlet.end(isStateKept: isStateKept)
    if case .finished = result, isStateUnreadable { result = .failed("the state is not saved") }
    do throws(StateFileError) {
      try state?.close()
    } catch {
      say("\(error)")
    }
    // A session that lost events was not successful.
    guard case .finished = result, let last = losses.last else {
      for loss in losses { say(loss) }
      return result
    }
    for loss in losses.dropLast() { say(loss) }
    return .failed(last)
  }

  private func follow() -> Ending {
    places.waiting = LivePlaces.Waiting(
      pass: { [unowned self] in
        step(until: SystemTime.monotonicMilliseconds + 20)
        return !control.mustEnd
      },
      onLock: { [unowned self] in say("the store is locked by another program; waiting for it") })
    places.say = { [log] in log.warning("\($0)") }
    session.onForeignLine = { [unowned self] in reportBadInput($0) }
    if let limit = options.session.monitoring.limit {
      say(
        "watching \(limit) \(limit == 1 ? "story" : "stories") at a time, as a phone does; "
          + "--limit none watches every story")
    }
    resume()
    manager?.ready()
    while ending == nil, !control.mustEnd {
      step(until: nil)
      guard let reload = control.takeReload() else { continue }
      manager?.reloading()
      for sentence in session.reload(reload) { say(sentence) }
      manager?.ready()
    }
    manager?.stopping()
    input.close()
    if case .intake(let intake) = options.address { intake.close() }
    return ending ?? control.ending
  }

  private func resume() {
    let contents = contents
    self.contents = LiveState.Contents()
    session.nowMilliseconds = SystemTime.monotonicMilliseconds
    let identity = LiveState.Identity(instance: instance, settings: options.settings)
    journal.identity = identity
    if contents.identity == nil { outlet.beginOutput() }
    do throws(DecodeError) {
      for sentence in try session.restore(contents, now: identity) { say(sentence) }
    } catch {
      say("\(options.addressName): \(error)")
    }
    journal.writeIdentity()
    if case .intake(let intake) = options.address {
      session.onVerdict = { intake.judge($0, line: $1) }
    }
    session.reconcilePlaces()
    guard session.consumedCount > 0 else { return }
    say("resumed after byte \(session.consumedCount) of the input")
  }

  // MARK: Steps

  /// Waits for the source or the next deadline; with a limit, only receives input until then.
  private func step(until limit: Int64?) {
    let now = SystemTime.monotonicMilliseconds
    let due = [
      input.dueMilliseconds, pauseDue, heldSinceMilliseconds.map { $0 + Self.dateMilliseconds },
      session.waiting.dueMilliseconds, session.watch.dueMilliseconds,
      journal.flushDueMilliseconds, pingDue, limit,
    ]
    .compactMap { $0 }.min()
    let isReady = control.wait(
      for: input.request, milliseconds: due.map { max(0, $0 - now) } ?? -1)
    session.nowMilliseconds = SystemTime.monotonicMilliseconds
    for event in input.advance(isReady: isReady, now: SystemTime.monotonicMilliseconds) {
      handle(event)
    }
    if session.senseCount > senseCount {
      senseCount = session.senseCount
      if let sentence = input.noteSense() { report(sentence) }
    }
    reportWatch()
    journal.flushIfDue()
    if case .intake(let intake) = options.address { intake.settle(isSaved: session.isSaved) }
    noteHealth()
    // Clients that post fixes do not wait for the store.
    guard limit == nil else { return }
    attempt { () throws(DecodeError) in try session.takePending() }
    sayOnceUntimed()
    pauseIfDue(isReady: isReady)
    session.releaseIdle()
  }

  /// When the manager next expects a sign of life; nil without a watchdog.
  private var pingDue: Int64? { manager?.pingMilliseconds.map { pingedMilliseconds + $0 } }

  private func noteHealth() {
    if let due = pingDue, SystemTime.monotonicMilliseconds >= due {
      manager?.ping()
      pingedMilliseconds = SystemTime.monotonicMilliseconds
    }
    var faults: [String] = []
    if places.hasFailed { faults.append("the store cannot be read") }
    if !input.isOpen { faults.append("the source is not connected") }
    if session.watch.isSenseless { faults.append("the source sends nothing that makes sense") }
    if !session.isSaved || isStateUnreadable { faults.append("the state is not saved") }
    control.setFaults(faults)
  }

  private var pauseDue: Int64? { hasPaused ? nil : lastByteMilliseconds + Self.pauseMilliseconds }

  private func handle(_ event: LiveInputEvent) {
    switch event {
    case .said(let sentence): report(sentence)
    case .opened(let sentence):
      if let sentence { report(sentence) }
      if options.address != .standardInput {
        attempt { () throws(DecodeError) in try session.beginConnection() }
      }
    case .bytes(let bytes):
      attempt { () throws(DecodeError) in try session.receive(bytes) }
      lastByteMilliseconds = SystemTime.monotonicMilliseconds
      hasPaused = false
    case .format(let format): session.expect(format)
    case .fixes(let fixes): attempt { () throws(DecodeError) in try session.receive(fixes) }
    case .ended: ending = .finished
    case .failed(let sentence, let isMissing):
      ending = isMissing ? .missingInput(sentence) : .failed(sentence)
    }
  }

  /// Input that is ready to be read is not a pause, however long a busy machine takes to read it.
  private func pauseIfDue(isReady: Bool) {
    let now = SystemTime.monotonicMilliseconds
    if !isReady, let due = pauseDue, now >= due {
      hasPaused = true
      session.pause()
      if !hasSaidRepetition, let sentence = session.repetition {
        hasSaidRepetition = true
        say("\(options.addressName): \(sentence)")
      }
    }
    guard let reason = session.undatedReason else {
      heldSinceMilliseconds = nil
      return
    }
    let since = heldSinceMilliseconds ?? now
    heldSinceMilliseconds = since
    guard now - since >= Self.dateMilliseconds else { return }
    heldSinceMilliseconds = nil
    say("\(options.addressName): \(reason); using this computer's date")
    session.assumeDate(nowMilliseconds: SystemTime.epochMilliseconds)
  }

  // MARK: Reports

  private func say(_ sentence: String) { log.notice("\(sentence)") }

  private func report(_ sentence: String) {
    observer?(.source(sentence))
    manager?.say(sentence)
    // Reading standard input is not news.
    switch options.address {
    case .standardInput where sentence.hasSuffix("reading"), .intake: return
    default: break
    }
    say(sentence)
  }

  /// Reports that the input makes no sense or has no fix, and which receiver is followed.
  private func reportWatch() {
    let now = session.nowMilliseconds
    if session.watch.isDue(now: now) {
      for sentence in session.watch.sentences(
        now: now, of: session.watchedInput, hint: input.senselessHint)
      {
        report("\(options.addressName): \(sentence)")
      }
    }
    guard let sentence = session.receiverSentence, sentence != saidReceiver else { return }
    saidReceiver = sentence
    report("\(options.addressName): \(sentence)")
  }

  /// Reports crossings without times as soon as one had to be held.
  private func sayOnceUntimed() {
    guard session.lacksTimesToHold, !hasSaidUntimed else { return }
    hasSaidUntimed = true
    say("\(options.addressName): \(TrackSession.untimedNotice)")
  }

  /// Handles bad input, which ends standard input but is only reported for other sources.
  private func attempt(_ body: () throws(DecodeError) -> Void) {
    do throws(DecodeError) {
      try body()
    } catch {
      if case .standardInput = options.address {
        ending = .badInput("\(options.addressName): \(error)")
      } else {
        reportBadInput(error)
      }
    }
  }

  /// Reports bad input once, rather than at every line, until a fix comes.
  private func reportBadInput(_ error: DecodeError) {
    guard badAtCount != session.acceptedCount else { return }
    badAtCount = session.acceptedCount
    say("\(options.addressName): \(error)")
  }

  // MARK: The end

  /// Ends the input, saves the session and delivers the summaries.
  private func conclude(_ ending: Ending) -> Ending {
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
    if session.waitingCount > 0 {
      if journal.hasFile {
        say(
          "\(session.waitingCount) fixes are waiting to be put in order; the state file keeps them")
      } else {
        session.work { session.releaseAll() }
      }
    }
    sayOnceUntimed()
    if case .badInput(let words) = result { sentence = words }
    session.saveAll()
    let losses = session.summarize(error: sentence)
    if let repeated = session.repeatedAccount { say("\(options.addressName): \(repeated)") }
    if case .finished = result, let unread = session.unreadSentence {
      return .badInput("\(options.addressName): \(unread)")
    }
    if case .finished = result, let empty = session.emptiness {
      let sentence = "\(options.addressName): \(empty.sentence)"
      guard empty.isSound else { return .badInput(sentence) }
      say(sentence)
    } else if let last = losses.last {
      for loss in losses.dropLast() { say(loss) }
      if case .finished = result { result = .badInput(last) } else { say(last) }
    }
    if case .finished = result, journal.mustRewrite {
      return .failed("the state was not saved; a session that resumes from it would lose events")
    }
    return result
  }
}
#endif
