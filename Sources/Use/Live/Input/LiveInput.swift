#if Command
import FencepostTracks
import Glibc

/// A live source, reopened whenever it is lost.
///
/// A state machine over non-blocking descriptors: the caller polls ``request`` and calls
/// ``advance(isReady:now:)``. Times are milliseconds of a monotonic clock.
package struct LiveInput {
  /// How far the source is from sending bytes.
  private enum State {
    /// Pauses before the next attempt to open it.
    case waiting(until: Int64)
    case opening(SocketOpening)
    case open(Int32)
    case over
  }

  let name: String
  private let address: LiveAddress
  private let baud: BaudRate
  private let idleTimeoutMilliseconds: Int?
  private var state = State.waiting(until: 0)
  private var backoff = Backoff(leastMilliseconds: 500, mostMilliseconds: 30_000)
  private var serial: SerialLine?
  private var lastByteMilliseconds: Int64 = 0
  private var hasBytes = false
  private var hasOpened = false
  /// The expected greeting of gpsd; nil after it came, and for other sources.
  private var greeting: GPSDGreeting?
  /// Sentences since the input last made sense, each reported once rather than at each attempt.
  private var reported: Set<String> = []
  private var isLossReported = false
  /// Whether a silence was reported and continues, over all attempts.
  private var isSilent = false
  private var joiner = DatagramJoiner()
  /// The senders of datagrams; nil if each line of the stream stands alone.
  private var senders: DatagramSenders?
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

  /// Creates an input; with `judgesSenders`, only datagrams that belong to the stream pass.
  package init(
    _ address: LiveAddress, name: String, baud: BaudRate, idleTimeoutMilliseconds: Int?,
    judgesSenders: Bool
  ) {
    if judgesSenders, case .udp = address { senders = DatagramSenders() }
    self.address = address
    self.name = name
    self.baud = baud
    self.idleTimeoutMilliseconds = idleTimeoutMilliseconds
    if case .device = address {
      backoff = Backoff(leastMilliseconds: 200, mostMilliseconds: 30_000)
    }
  }

  var isOpen: Bool { if case .open = state { true } else { false } }

  /// What to try if nothing that comes makes sense.
  var senselessHint: String? {
    guard serial?.isLine == true, case .bitsPerSecond(let rate) = baud else { return nil }
    return "Is --baud \(rate) right? --baud auto tries the usual speeds"
  }

  var request: (descriptor: Int32, events: Int16)? {
    switch state {
    case .waiting, .over: nil
    case .opening(let opening): (opening.descriptor, Int16(POLLIN))
    case .open(let descriptor): (descriptor, Int16(POLLIN))
    }
  }

  /// The latest time to call ``advance(isReady:now:)``; nil for no limit.
  package var dueMilliseconds: Int64? {
    switch state {
    case .waiting(let until): return until
    case .over, .opening: return nil
    case .open:
      let idle = idleTimeoutMilliseconds.map { lastByteMilliseconds + Int64($0) }
      let line = joiner.isOpen ? lastByteMilliseconds + Self.datagramMilliseconds : nil
      return [
        idle, line, serial?.dueMilliseconds, greeting?.dueMilliseconds, senders?.dueMilliseconds,
      ].compactMap { $0 }.min()
    }
  }

  /// Opens, reads or gives up the source, whichever is due, without blocking.
  ///
  /// - Parameters:
  ///   - isReady: Whether the descriptor of ``request`` can be read.
  ///   - now: The time in milliseconds of a monotonic clock.
  /// - Returns: What happened, in order; empty if nothing is due.
  package mutating func advance(isReady: Bool, now: Int64) -> [LiveInputEvent] {
    switch state {
    case .waiting(let until): return now >= until ? open(now) : []
    case .opening(let opening): return opening.answer.map { take($0, now) } ?? []
    case .open(let descriptor):
      return isReady ? read(descriptor, now) : noticeSilence(descriptor, now)
    case .over: return []
    }
  }

  /// Makes pauses short again after sensible input; returns a sentence if the source is back.
  ///
  /// A source that sends only nonsense is retried silently after ever longer pauses.
  mutating func noteSense() -> String? {
    backoff.reset()
    reported = []
    // The source may be lost again by the time its last bytes are decoded.
    guard isLossReported, case .open = state else { return nil }
    isLossReported = false
    return openSentence
  }

  mutating func close() {
    if case .open(let descriptor) = state, ownsDescriptor { Glibc.close(descriptor) }
    state = .over
  }

  private var ownsDescriptor: Bool {
    switch address {
    case .standardInput, .intake: false
    case .device, .gpsd, .tcp, .udp: true
    }
  }

  // MARK: Opening

  private mutating func open(_ now: Int64) -> [LiveInputEvent] {
    switch address {
    case .standardInput: return begin(STDIN_FILENO, now)
    case .intake(let intake): return begin(intake.descriptor, now)
    case .device(let path): return openDevice(path, now)
    case .gpsd(let host, let port, _), .tcp(let host, let port):
      state = .opening(SocketOpening(host: host, port: port, isDatagram: false))
    case .udp(let host, let port):
      state = .opening(SocketOpening(host: host, port: port, isDatagram: true))
    }
    return []
  }

  private mutating func take(_ answer: SocketOpening.Answer, _ now: Int64) -> [LiveInputEvent] {
    switch answer {
    case .failed(let reason): return lose(reason, now)
    case .opened(let descriptor):
      guard case .gpsd(_, _, let device) = address else { return begin(descriptor, now) }
      let part = device.map { ",\"device\":\"\($0.replacing("\"", with: ""))\"" } ?? ""
      let request = "?WATCH={\"enable\":true,\"json\":true\(part)};\n"
      // The request always fits into a new connection's buffer.
      guard SocketOpening.send(request, to: descriptor) else {
        return leave(descriptor, "it does not listen", now)
      }
      return begin(descriptor, now)
    }
  }

  private mutating func openDevice(_ path: String, _ now: Int64) -> [LiveInputEvent] {
    // The path is valid until the call returns.
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      let reason = code == EBUSY ? Self.busySentence : SystemError(code).sentence
      // A missing device may be plugged in later, but a forbidden one stays forbidden.
      if !hasOpened, code == EACCES || code == EPERM || code == EISDIR {
        let hint = code == EACCES ? "; often only the group dialout can read serial ports" : ""
        return giveUp("\(name): \(reason)\(hint)")
      }
      let isMissing = code == ENOENT || code == ENXIO
      return lose(isMissing ? "not there" : reason, now, mostMilliseconds: Self.missingMilliseconds)
    }
    guard kind(of: descriptor) != S_IFDIR else {
      Glibc.close(descriptor)
      let reason = SystemError(EISDIR).sentence
      return hasOpened ? lose(reason, now) : giveUp("\(name): \(reason)")
    }
    // The superuser can open a device that another program has reserved.
    let isReserved = SerialLine.isReserved(descriptor)
    guard !isReserved, SerialLine.lock(descriptor) else {
      Glibc.close(descriptor)
      guard !isReserved, !hasOpened else {
        return lose(Self.busySentence, now, mostMilliseconds: Self.missingMilliseconds)
      }
      return giveUp(
        "\(name): another program is reading this port and has locked it; stop that program first")
    }
    hasOpened = true
    serial = SerialLine(descriptor, baud: baud, now: now)
    let events = begin(descriptor, now)
    guard serial?.isLine == true, OtherReader.isGPSD(on: path) else { return events }
    let sentence =
      "\(name): gpsd is reading it too, so each gets only a part; use gpsd://localhost instead"
    return reported.insert(sentence).inserted ? [.said(sentence)] + events : events
  }

  private mutating func giveUp(_ sentence: String) -> [LiveInputEvent] {
    state = .over
    return [.failed(sentence, isMissing: true)]
  }

  private static let busySentence =
    "another program is using it, and a receiver serves only one; if that is gpsd, "
    + "use gpsd://localhost"

  /// The longest pause for a missing device, which is cheap to look for.
  private static var missingMilliseconds: Int { 2000 }

  private mutating func begin(_ descriptor: Int32, _ now: Int64) -> [LiveInputEvent] {
    let flags = fcntl(descriptor, F_GETFL)
    // Standard input may be shared with the parent process, so leave it as it is.
    if ownsDescriptor { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    state = .open(descriptor)
    lastByteMilliseconds = now
    hasBytes = false
    joiner = DatagramJoiner()
    // Report a serial line only once its speed is known.
    if serial?.isProbing == true { return [] }
    if case .gpsd = address {
      // Report a server only once it is known to be gpsd.
      greeting = GPSDGreeting(now: now)
      return []
    }
    return [opened()]
  }

  private mutating func opened() -> LiveInputEvent {
    hasOpened = true
    let sentence = openSentence
    // Reopening a silent server is not news.
    guard !isSilent, reported.insert(sentence).inserted else { return .opened(nil) }
    isLossReported = false
    return .opened(sentence)
  }

  private var openSentence: String {
    let verb =
      switch address {
      case .standardInput, .device: "reading"
      case .intake: "ready for positions"
      case .gpsd, .tcp: "connected"
      case .udp: "listening"
      }
    return "\(name): \(verb)" + (serial?.speed.map { " at \($0) baud" } ?? "")
  }

  // MARK: Reading

  private mutating func read(_ descriptor: Int32, _ now: Int64) -> [LiveInputEvent] {
    if case .intake(let intake) = address {
      lastByteMilliseconds = now
      if let failure = intake.failure { return giveUp(failure) }
      let fixes = intake.take()
      return fixes.isEmpty ? [] : [.fixes(fixes)]
    }
    if senders != nil { return readDatagram(descriptor, now) }
    // The system writes no more bytes than the buffer has.
    let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return [] }
    // Some senders use empty datagrams as a keep-alive.
    if count == 0, case .udp = address { return [] }
    guard count > 0 else { return end(descriptor, count < 0 ? errno : 0, now) }
    lastByteMilliseconds = now
    hasBytes = true
    var bytes = Array(buffer[..<count])
    var events: [LiveInputEvent] = []
    if let verdict = greeting?.take(bytes) {
      switch verdict {
      case .open: return []
      case .foreign(let sentence): return leave(descriptor, sentence, now)
      case .gpsd(let all): bytes = all
      }
      greeting = nil
      events.append(opened())
    }
    if isSilent, isTalk(bytes), serial?.isProbing != true {
      isSilent = false
      events.append(.said("\(name): sending again"))
    }
    if case .udp = address { return events + [.bytes(joiner.take(bytes))] }
    guard let wasProbing = serial?.isProbing else { return events + [.bytes(bytes)] }
    let accepted = serial?.take(bytes, now: now) ?? []
    guard serial?.isProbing == false else { return events + sayFruitless() }
    return events + (wasProbing ? [opened()] : []) + [.bytes(accepted)]
  }

  private mutating func readDatagram(_ descriptor: Int32, _ now: Int64) -> [LiveInputEvent] {
    guard let (count, sender) = SocketOpening.receive(into: &buffer, from: descriptor) else {
      let code = errno
      return code == EAGAIN || code == EINTR ? [] : end(descriptor, code, now)
    }
    // Some senders use empty datagrams as a keep-alive.
    guard count > 0, let answer = senders?.take(Array(buffer[..<count]), from: sender, now: now)
    else { return [] }
    var events = answer.sentences.map { LiveInputEvent.said("\(name): \($0)") }
    if let format = answer.format { events.append(.format(format)) }
    guard !answer.datagrams.isEmpty else { return events }
    lastByteMilliseconds = now
    hasBytes = true
    if isSilent {
      isSilent = false
      events.append(.said("\(name): sending again"))
    }
    return events + [.bytes(answer.datagrams.flatMap { joiner.take($0) })]
  }

  /// Whether the bytes come from a receiver: gpsd greets its clients even without one.
  private func isTalk(_ bytes: [UInt8]) -> Bool {
    guard case .gpsd = address else { return true }
    return String(decoding: bytes, as: UTF8.self).contains(#"class":"TPV""#)
  }

  private mutating func end(
    _ descriptor: Int32, _ code: Int32, _ now: Int64
  ) -> [LiveInputEvent] {
    if case .standardInput = address {
      state = .over
      guard code != 0 else { return [.ended] }
      return [.failed("standard input: \(SystemError(code).sentence)", isMissing: false)]
    }
    if case .device = address, code == 0, serial?.isLine == false, kind(of: descriptor) == S_IFREG {
      Glibc.close(descriptor)
      state = .over
      return [.ended]
    }
    let reason =
      switch address {
      case .device where code == 0 && !hasBytes: "ended right away"
      case .device: "unplugged"
      default: code == 0 ? "closed by the other side" : SystemError(code).sentence
      }
    return leave(descriptor, reason, now)
  }

  private func kind(of descriptor: Int32) -> mode_t {
    var status = stat()
    // `status` is a local variable of the size that the system expects.
    return unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  private mutating func noticeSilence(_ descriptor: Int32, _ now: Int64) -> [LiveInputEvent] {
    serial?.tick(now: now)
    if let due = senders?.dueMilliseconds, now >= due, let sentences = senders?.overdue(now: now) {
      return sentences.map { .said("\(name): \($0)") }
    }
    if let greeting, now >= greeting.dueMilliseconds {
      return leave(descriptor, greeting.silenceSentence, now)
    }
    if joiner.isOpen, now - lastByteMilliseconds >= Self.datagramMilliseconds {
      return [.bytes(joiner.end())]
    }
    guard let limit = idleTimeoutMilliseconds,
      now - lastByteMilliseconds >= Int64(limit)
    else { return sayFruitless() }
    let time = limit % 1000 == 0 ? "\(limit / 1000) s" : "\(limit) ms"
    let reason = "silent for \(time)"
    switch address {
    case .standardInput, .udp, .intake:
      // These cannot be reopened, so only report the silence and its end.
      lastByteMilliseconds = now
      defer { isSilent = true }
      return isSilent ? [] : [.said("\(name): \(reason)")]
    default: return leave(descriptor, reason, now, isSilence: true)
    }
  }

  private mutating func leave(
    _ descriptor: Int32, _ reason: String, _ now: Int64, isSilence: Bool = false
  ) -> [LiveInputEvent] {
    Glibc.close(descriptor)
    serial = nil
    return lose(reason, now, isSilence: isSilence)
  }

  private mutating func sayFruitless() -> [LiveInputEvent] {
    guard serial?.hasTriedAll == true else { return [] }
    let sentence = "\(name): connected, but no NMEA 0183 sentence came at any speed; still trying"
    return reported.insert(sentence).inserted ? [.said(sentence)] : []
  }

  /// An incomplete line of datagrams ends after this pause.
  private static var datagramMilliseconds: Int64 { 200 }

  /// Schedules another attempt, and reports that unless it was already reported.
  private mutating func lose(
    _ reason: String, _ now: Int64, isSilence: Bool = false, mostMilliseconds: Int = .max
  ) -> [LiveInputEvent] {
    state = .waiting(until: now + Int64(min(backoff.next(), mostMilliseconds)))
    greeting = nil
    let wasReported = isSilence ? isSilent : isLossReported
    isSilent = isSilence
    // Report one sentence per loss, whatever else fails until the source is back.
    let sentence = "\(name): \(reason); waiting for it"
    guard !wasReported, reported.insert(sentence).inserted else { return [] }
    isLossReported = true
    return [.said(sentence)]
  }
}

/// Checks by its first bytes whether a server is gpsd.
///
/// gpsd greets each client with an object `{"class":"VERSION",…}`. Other servers send something
/// else or wait for a request.
package struct GPSDGreeting {
  /// What the first bytes tell; with them, so that none is lost.
  ///
  /// The caller waits while the verdict is open, and leaves a foreign server.
  package enum Verdict: Equatable {
    /// There are too few bytes to tell.
    case open
    /// The server is gpsd, with all bytes so far to decode.
    case gpsd([UInt8])
    /// Another server, with the reason in words.
    case foreign(String)
  }

  private static let opening = Array(#"{"class":"#.utf8)
  private static var timeoutMilliseconds: Int64 { 10_000 }
  private static var quotedBytes: Int { 40 }

  private var bytes: [UInt8] = []
  /// The time at which a server that has sent nothing is taken for something other than gpsd.
  package let dueMilliseconds: Int64

  /// Starts to check a new connection at a time in milliseconds of a monotonic clock.
  package init(now: Int64) { dueMilliseconds = now + Self.timeoutMilliseconds }

  /// Judges the next bytes together with those before.
  package mutating func take(_ more: [UInt8]) -> Verdict {
    bytes += more
    let start = bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    if start.starts(with: Self.opening) { return .gpsd(bytes) }
    if Self.opening.starts(with: start) { return .open }
    let line = start.prefix { 0x20..<0x7F ~= $0 }.prefix(Self.quotedBytes)
    guard !line.isEmpty else { return .foreign("not gpsd") }
    return .foreign("not gpsd: it says “\(String(decoding: line, as: UTF8.self))”")
  }

  /// Why a server that sent nothing until ``dueMilliseconds`` is taken for another one.
  package var silenceSentence: String {
    "not gpsd: no greeting within \(Self.timeoutMilliseconds / 1000) s"
  }
}
#endif
