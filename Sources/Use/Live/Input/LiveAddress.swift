#if Command
import FencepostHTTP
import FoundationEssentials
import Glibc
import Synchronization

/// A source of fixes, as users write it.
///
/// ``LiveInput`` opens it, and opens it again when it is lost. Standard input and regular files end
/// instead.
package enum LiveAddress: Equatable, Sendable {
  /// The program's standard input, which ends the session when it ends.
  case standardInput
  /// A serial device, a named pipe or a file.
  case device(path: String)
  /// A gpsd server, and the device to watch if it has several.
  case gpsd(host: String, port: String, device: String?)
  /// A server that streams a receiver's data to each client.
  case tcp(host: String, port: String)
  /// Datagrams to a port of this machine; an empty host means all of its addresses.
  case udp(host: String, port: String)
  /// Fixes from other parts of this program, which users cannot select.
  case intake(FixIntake)

  /// Parses `-`, a path, `gpsd://HOST[:PORT][/DEVICE]`, `tcp://HOST:PORT` or `udp://[HOST]:PORT`.
  package init?(_ text: String) {
    if text == "-" {
      self = .standardInput
    } else if let rest = text.after("gpsd://") {
      let slash = rest.firstIndex(of: "/")
      let device = slash.map { String(rest[$0...]) }
      guard let (host, port) = Self.hostAndPort(rest[..<(slash ?? rest.endIndex)]) else {
        return nil
      }
      self = .gpsd(
        host: host.isEmpty ? "localhost" : host, port: port ?? "2947",
        device: device == "/" ? nil : device)
    } else if let rest = text.after("tcp://") {
      guard let (host, port) = Self.hostAndPort(rest), let port, !host.isEmpty else { return nil }
      self = .tcp(host: host, port: port)
    } else if let rest = text.after("udp://") {
      guard let (host, port) = Self.hostAndPort(rest), let port else { return nil }
      self = .udp(host: host, port: port)
    } else if !text.isEmpty, !text.contains("://") {
      self = .device(path: text)
    } else {
      return nil
    }
  }

  /// Whether a text is `HOST:PORT` or `[HOST]:PORT`, with a port from 1 to 65,535.
  package static func isHostAndPort(_ text: String) -> Bool {
    guard !text.contains("/"), let (host, port) = hostAndPort(Substring(text)) else { return false }
    return !host.isEmpty && port != nil
  }

  /// Splits `HOST`, `HOST:PORT` or `[HOST]:PORT` with a port from 1 to 65,535, or returns nil.
  static func hostAndPort(_ text: Substring) -> (host: String, port: String?)? {
    guard let (host, port) = HTTPAddress.split(text), port != 0 else { return nil }
    return (host, port.map { "\($0)" })
  }

  /// How long input may wait to be saved while no delivery is owed, in milliseconds.
  ///
  /// Standard input and posts are saved at once: after a kill, a pipe continues with its next byte,
  /// and clients that post wait for the save. No other source can be read again, and saving every
  /// second would wear out a memory card.
  var saveDelayMilliseconds: Int64 {
    switch self {
    case .standardInput, .intake: 0
    case .device, .gpsd, .tcp, .udp: 10_000
    }
  }
}

extension String {
  func after(_ prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}

/// The number by which the system says why a call failed (`errno`).
struct SystemError: Error {
  var code: Int32

  init(_ code: Int32) { self.code = code }

  /// The system's description, in lower case at the start.
  var sentence: String {
    // The text belongs to the C library and is copied at once.
    let text = unsafe String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// Connects to a server, or binds a port of this machine, on its own thread.
///
/// The system's resolver can take a minute and cannot be interrupted. An abandoned attempt ends
/// without further action.
final class SocketOpening: Sendable {
  // Every `unsafe` of this type passes local variables with their sizes, or an address of the list,
  // which belongs to the C library until it is freed.

  /// What came of an attempt: a descriptor that the caller closes, or why it failed.
  enum Answer: Sendable {
    case opened(Int32)
    case failed(String)
  }

  private let waker = Waker()
  private let result = Mutex<Answer?>(nil)

  /// Starts to open; a datagram socket with an empty host is bound to all addresses.
  init(host: String, port: String, isDatagram: Bool) {
    startThread { [self] in
      let answer = Self.open(host, port, isDatagram: isDatagram)
      result.withLock { $0 = answer }
      waker.signal()
    }
  }

  /// Becomes readable once there is an answer.
  var descriptor: Int32 { waker.descriptor }
  /// The answer; nil while the attempt goes on.
  var answer: Answer? { result.withLock { $0 } }

  private static func open(_ host: String, _ port: String, isDatagram: Bool) -> Answer {
    // `getaddrinfo` expects zeros in all other fields.
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(isDatagram ? SOCK_DGRAM.rawValue : SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = isDatagram ? AI_PASSIVE : 0
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host.isEmpty ? nil : host, port, &hints, &list)
    guard code == 0 else { return .failed(unsafe String(cString: gai_strerror(code))) }
    defer { unsafe freeaddrinfo(list) }
    var infos: [addrinfo] = unsafe []
    var node = unsafe list
    while let info = unsafe node?.pointee {
      unsafe infos.append(info)
      unsafe node = info.ai_next
    }
    // Prefer an IPv6 socket, which accepts both families.
    if isDatagram, host.isEmpty { unsafe infos.sort { unsafe $0.ai_family > $1.ai_family } }
    var failure = "no address"
    for index in unsafe infos.indices {
      switch unsafe open(infos[index], isDatagram: isDatagram) {
      case .success(let descriptor): return .opened(descriptor)
      case .failure(let error):
        failure = error.code == ETIMEDOUT ? "no answer" : error.sentence
      }
    }
    return .failed(failure)
  }

  private static func open(_ info: addrinfo, isDatagram: Bool) -> Result<Int32, SystemError> {
    let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = unsafe socket(info.ai_family, info.ai_socktype | flags, info.ai_protocol)
    guard descriptor >= 0 else { return .failure(SystemError(errno)) }
    let code = unsafe isDatagram ? bind(descriptor, info) : connect(descriptor, info)
    guard code == 0 else {
      close(descriptor)
      return .failure(SystemError(code))
    }
    return .success(descriptor)
  }

  /// Binds a socket and returns the system's error, or 0.
  private static func bind(_ descriptor: Int32, _ info: addrinfo) -> Int32 {
    let size = socklen_t(MemoryLayout<Int32>.size)
    var off: Int32 = 0
    var room: Int32 = 4 << 20
    // Without the first option an IPv6 socket accepts only IPv6.
    _ = unsafe setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, size)
    return unsafe Glibc.bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 ? 0 : errno
  }

  /// Connects a socket and returns the system's error, or 0.
  private static func connect(_ descriptor: Int32, _ info: addrinfo) -> Int32 {
    if unsafe Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return 0 }
    guard errno == EINPROGRESS else { return errno }
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&request, 1, 10_000) > 0 else { return ETIMEDOUT }
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
    return result == 0 ? code : errno
  }

  /// Receives a datagram; returns its size and its sender's address, or nil with the system's error.
  static func receive(into buffer: inout [UInt8], from descriptor: Int32) -> (Int, String)? {
    var sender = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let capacity = buffer.count
    return unsafe withUnsafeMutablePointer(to: &sender) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let count = unsafe recvfrom(descriptor, &buffer, capacity, 0, address, &length)
        guard count >= 0 else { return nil }
        return (count, unsafe host(of: address, length))
      }
    }
  }

  /// A host's address in digits.
  private static func host(of address: UnsafePointer<sockaddr>, _ length: socklen_t) -> String {
    var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = unsafe getnameinfo(
      address, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
    guard code == 0 else { return "unknown" }
    let text = String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // IPv4 in a socket that accepts both families.
    return text.after("::ffff:").map(String.init) ?? text
  }

  /// Sends a short text; false if it could not be sent completely.
  static func send(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        == bytes.count
    }
  }
}
#endif
