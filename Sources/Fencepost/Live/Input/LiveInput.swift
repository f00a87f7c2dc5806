import Glibc

/// What came of a live source.
enum LiveInputEvent {
  /// It is there, after it was not: a sentence that says so. What was begun before is not continued.
  case opened(String)
  /// Bytes, as they came.
  case bytes([UInt8])
  /// It is gone and will be tried again: a sentence that says so.
  case lost(String)
  /// Something else the user should know, as a sentence.
  case said(String)
  /// It has ended for good.
  case ended
  /// It cannot be used at all, for the reason told.
  case failed(String, isMissing: Bool)
}

/// A live source, opened again whenever it is lost.
///
/// A state machine over descriptors that do not block: the caller polls what it names and calls
/// ``advance(isReady:now:)``. Times are milliseconds of a clock that never goes back.
struct LiveInput {
  /// How a source is treated.
  struct Options {
    var baud = BaudRate.auto
    /// How long it may be silent before it is opened again; nil for ever.
    var idleTimeoutMilliseconds: Int?
  }

  private enum State {
    case waiting(until: Int64)
    case connecting(Int32, deadline: Int64)
    case open(Int32)
    case over
  }

  /// What the user calls it.
  let name: String
  private let address: LiveAddress
  private let options: Options
  private var state = State.waiting(until: 0)
  private var backoff = Backoff(leastMilliseconds: 500, mostMilliseconds: 30_000)
  private var endpoints = Endpoints()
  private var serial: SerialLine?
  private var lastByteMilliseconds: Int64 = 0
  private var hasBytes = false
  private var hasOpened = false
  /// The last failure that was told, so that it is told once.
  private var toldSentence: String?
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

  /// - Parameters:
  ///   - address: Where the fixes come from.
  ///   - name: What the user calls it.
  ///   - options: How it is treated.
  init(_ address: LiveAddress, name: String, options: Options) {
    self.address = address
    self.name = name
    self.options = options
    if case .device = address {
      backoff = Backoff(leastMilliseconds: 200, mostMilliseconds: 2000)
    }
  }

  /// The descriptor to poll and for what; nil when there is none.
  var request: (descriptor: Int32, events: Int16)? {
    switch state {
    case .waiting, .over: nil
    case .connecting(let descriptor, _): (descriptor, Int16(POLLOUT))
    case .open(let descriptor): (descriptor, Int16(POLLIN))
    }
  }

  /// When to call ``advance(isReady:now:)`` at the latest; nil whenever.
  var dueMilliseconds: Int64? {
    switch state {
    case .waiting(let until): return until
    case .connecting(_, let deadline): return deadline
    case .over: return nil
    case .open:
      let idle = options.idleTimeoutMilliseconds.map { lastByteMilliseconds + Int64($0) }
      guard let probe = serial?.dueMilliseconds else { return idle }
      return min(idle ?? probe, probe)
    }
  }

  /// Goes on: opens, connects, reads, or notices a silence.
  mutating func advance(isReady: Bool, now: Int64) -> [LiveInputEvent] {
    switch state {
    case .waiting(let until): return now >= until ? open(now) : []
    case .connecting(let descriptor, let deadline):
      if isReady { return finishConnecting(descriptor, now) }
      return now >= deadline ? tryNext(after: "no answer", descriptor, now) : []
    case .open(let descriptor):
      return isReady ? read(descriptor, now) : noticeSilence(descriptor, now)
    case .over: return []
    }
  }

  /// Closes what is open.
  mutating func close() {
    if let request, request.descriptor != STDIN_FILENO { Glibc.close(request.descriptor) }
    state = .over
  }

  // MARK: Opening

  private mutating func open(_ now: Int64) -> [LiveInputEvent] {
    switch address {
    case .standardInput: return begin(STDIN_FILENO, now)
    case .device(let path): return openDevice(path, now)
    case .gpsd(let host, let port, _), .tcp(let host, let port):
      if let failure = endpoints.resolve(host: host, port: port, isDatagram: false) {
        return lose(failure, now)
      }
      return connectNext(now, after: "no address")
    case .udp(let host, let port):
      if let failure = endpoints.resolve(host: host, port: port, isDatagram: true) {
        return lose(failure, now)
      }
      switch endpoints.bindFirst() {
      case .success(let descriptor): return begin(descriptor, now)
      case .failure(let error): return lose(error.sentence, now)
      }
    }
  }

  private mutating func openDevice(_ path: String, _ now: Int64) -> [LiveInputEvent] {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      let reason = SystemError(code).sentence
      // What has never been there may be plugged in yet; what is forbidden stays so.
      if !hasOpened, code == EACCES || code == EPERM || code == EISDIR {
        state = .over
        let hint = code == EACCES ? "; serial lines are often open to the group dialout only" : ""
        return [.failed("\(name): \(reason)\(hint)", isMissing: true)]
      }
      return lose(code == ENOENT || code == ENXIO ? "not there" : reason, now)
    }
    serial = SerialLine(descriptor, baud: options.baud, now: now)
    return begin(descriptor, now)
  }

  private mutating func begin(_ descriptor: Int32, _ now: Int64) -> [LiveInputEvent] {
    let flags = fcntl(descriptor, F_GETFL)
    // Standard input may be shared with whoever started the program, and stays as it is.
    if descriptor != STDIN_FILENO { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    state = .open(descriptor)
    lastByteMilliseconds = now
    hasBytes = false
    // A serial line says that it is there when its speed is known.
    if serial?.isProbing == true { return [] }
    return [opened()]
  }

  private mutating func opened() -> LiveInputEvent {
    hasOpened = true
    toldSentence = nil
    let speed = serial?.speed.map { " at \($0) baud" } ?? ""
    return .opened("\(name): \(verb)\(speed)")
  }

  private var verb: String {
    switch address {
    case .standardInput, .device: "reading"
    case .gpsd, .tcp: "connected"
    case .udp: "listening"
    }
  }

  private mutating func connectNext(_ now: Int64, after reason: String) -> [LiveInputEvent] {
    switch endpoints.connectNext() {
    case nil: return lose(reason, now)
    case .success(let descriptor):
      state = .connecting(descriptor, deadline: now + Self.connectMilliseconds)
      return []
    case .failure(let error): return connectNext(now, after: error.sentence)
    }
  }

  private static var connectMilliseconds: Int64 { 10_000 }

  private mutating func tryNext(
    after reason: String, _ descriptor: Int32, _ now: Int64
  ) -> [LiveInputEvent] {
    Glibc.close(descriptor)
    return connectNext(now, after: reason)
  }

  private mutating func finishConnecting(_ descriptor: Int32, _ now: Int64) -> [LiveInputEvent] {
    if let error = Endpoints.connectionError(of: descriptor) {
      return tryNext(after: error.sentence, descriptor, now)
    }
    if case .gpsd(_, _, let device) = address {
      // Short enough for the buffer of a connection that has just been made.
      guard Endpoints.send(Self.watch(device), to: descriptor) else {
        return tryNext(after: "it does not listen", descriptor, now)
      }
    }
    return begin(descriptor, now)
  }

  private static func watch(_ device: String?) -> String {
    let part = device.map { ",\"device\":\"\($0.replacing("\"", with: ""))\"" } ?? ""
    return "?WATCH={\"enable\":true,\"json\":true\(part)};\n"
  }

  // MARK: Reading

  private mutating func read(_ descriptor: Int32, _ now: Int64) -> [LiveInputEvent] {
    // The system writes at most as many bytes as the buffer has.
    let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return [] }
    guard count > 0 else { return end(descriptor, count < 0 ? errno : 0, now) }
    lastByteMilliseconds = now
    if !hasBytes {
      hasBytes = true
      backoff.reset()
    }
    var bytes = Array(buffer[..<count])
    if case .udp = address, bytes.last != UInt8(ascii: "\n") {
      // A datagram is a whole; not all senders end it as a line.
      bytes.append(UInt8(ascii: "\n"))
    }
    var events: [LiveInputEvent] = []
    if toldSentence != nil, serial?.isProbing != true {
      toldSentence = nil
      events.append(.said("\(name): talks again"))
    }
    return events + (serial == nil ? [.bytes(bytes)] : readSerial(bytes, now))
  }

  private mutating func readSerial(_ bytes: [UInt8], _ now: Int64) -> [LiveInputEvent] {
    guard let wasProbing = serial?.isProbing else { return [] }
    let accepted = serial?.take(bytes, now: now) ?? []
    guard serial?.isProbing == false else { return [] }
    return (wasProbing ? [opened()] : []) + [.bytes(accepted)]
  }

  private mutating func end(
    _ descriptor: Int32, _ code: Int32, _ now: Int64
  ) -> [LiveInputEvent] {
    if case .standardInput = address {
      state = .over
      guard code != 0 else { return [.ended] }
      return [.failed("standard input: \(SystemError(code).sentence)", isMissing: false)]
    }
    if case .device = address, code == 0, serial?.isLine == false, isRegular(descriptor) {
      Glibc.close(descriptor)
      state = .over
      return [.ended]
    }
    Glibc.close(descriptor)
    serial = nil
    let reason =
      switch address {
      case .device: "unplugged"
      default: code == 0 ? "closed by the other side" : SystemError(code).sentence
      }
    return lose(reason, now)
  }

  private func isRegular(_ descriptor: Int32) -> Bool {
    var status = stat()
    // `status` is ours and of the size the system expects.
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private mutating func noticeSilence(_ descriptor: Int32, _ now: Int64) -> [LiveInputEvent] {
    serial?.tick(now: now)
    guard let limit = options.idleTimeoutMilliseconds,
      now - lastByteMilliseconds >= Int64(limit)
    else { return [] }
    switch address {
    case .standardInput, .udp:
      // There is nothing to open again: the silence is told, and what ends it.
      lastByteMilliseconds = now
      guard toldSentence == nil else { return [] }
      toldSentence = "silent"
      return [.said("\(name): silent for \(limit / 1000) s")]
    default:
      Glibc.close(descriptor)
      serial = nil
      return lose("silent for \(limit / 1000) s", now)
    }
  }

  /// Waits for another attempt, and says so unless it was said.
  private mutating func lose(_ reason: String, _ now: Int64) -> [LiveInputEvent] {
    state = .waiting(until: now + Int64(backoff.next()))
    let sentence = "\(name): \(reason); waiting for it"
    // One change of state, one sentence, whatever else goes wrong until it is there again.
    guard toldSentence == nil else { return [] }
    toldSentence = sentence
    return [.lost(sentence)]
  }
}
