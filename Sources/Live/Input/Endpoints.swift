import Foundation
import Glibc
import Synchronization

/// An error number of the system.
struct SystemError: Error {
  var code: Int32

  init(_ code: Int32) { self.code = code }

  /// The system's description, beginning in lower case.
  var sentence: String {
    // The text belongs to the C library and is copied at once.
    let text = unsafe String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// The socket addresses of a host and port.
struct Endpoints: Sendable {
  private struct Endpoint {
    var family: Int32
    var type: Int32
    var number: Int32
    var address: [UInt8]
  }

  private var endpoints: [Endpoint] = []
  private var next = 0

  /// Resolves the addresses; can take a minute if name servers do not answer.
  ///
  /// - Returns: What went wrong, nil on success.
  mutating func resolve(host: String, port: String, isDatagram: Bool) -> String? {
    // `getaddrinfo` expects zeros in all other fields.
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(isDatagram ? SOCK_DGRAM.rawValue : SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = isDatagram ? AI_PASSIVE : 0
    var list: UnsafeMutablePointer<addrinfo>?
    // The hints are ours; the list belongs to the C library until it is freed below, after it has been
    // copied.
    let code = unsafe getaddrinfo(host.isEmpty ? nil : host, port, &hints, &list)
    guard code == 0 else { return unsafe String(cString: gai_strerror(code)) }
    defer { unsafe freeaddrinfo(list) }
    endpoints = []
    next = 0
    var node = unsafe list
    // The list lives until it is freed above.
    while let info = unsafe node?.pointee {
      if let address = unsafe info.ai_addr {
        let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))
        unsafe endpoints.append(
          Endpoint(
            family: info.ai_family, type: info.ai_socktype, number: info.ai_protocol,
            address: Array(bytes)))
      }
      unsafe node = info.ai_next
    }
    // Prefer an IPv6 socket, which accepts both families.
    if isDatagram, host.isEmpty { endpoints.sort { $0.family > $1.family } }
    return endpoints.isEmpty ? "no address" : nil
  }

  /// Begins to connect to the next address; nil if none is left.
  mutating func connectNext() -> Result<Int32, SystemError>? {
    guard next < endpoints.count else { return nil }
    let endpoint = endpoints[next]
    next += 1
    // Address and length match and are valid during the call.
    return unsafe open(endpoint) { descriptor, address, length in
      let result = unsafe connect(descriptor, address, length)
      return result == 0 || errno == EINPROGRESS ? 0 : errno
    }
  }

  /// Binds a socket to the first available address.
  func bindFirst() -> Result<Int32, SystemError> {
    var failure = SystemError(EADDRNOTAVAIL)
    for endpoint in endpoints {
      // Each option is an `Int32` passed with its size; address and length match and are valid during
      // the call.
      let result = unsafe open(endpoint) { descriptor, address, length in
        var off: Int32 = 0
        // Without this option an IPv6 socket accepts IPv6 only.
        _ = unsafe setsockopt(
          descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, socklen_t(MemoryLayout<Int32>.size))
        var room: Int32 = 4 << 20
        _ = unsafe setsockopt(
          descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        return unsafe bind(descriptor, address, length) == 0 ? 0 : errno
      }
      switch result {
      case .success: return result
      case .failure(let error): failure = error
      }
    }
    return .failure(failure)
  }

  private func open(
    _ endpoint: Endpoint, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Result<Int32, SystemError> {
    let descriptor = socket(
      endpoint.family, endpoint.type | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
      endpoint.number)
    guard descriptor >= 0 else { return .failure(SystemError(errno)) }
    // The bytes are a socket address of this family, copied from the resolver's.
    let code = unsafe endpoint.address.withUnsafeBytes { bytes -> Int32 in
      guard let start = bytes.baseAddress else { return EINVAL }
      return unsafe body(
        descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    guard code == 0 else {
      close(descriptor)
      return .failure(SystemError(code))
    }
    return .success(descriptor)
  }

  /// Why a connection attempt failed, nil if it succeeded.
  static func connectionError(of descriptor: Int32) -> SystemError? {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    // The system writes an `Int32` into ours.
    let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
    if result != 0 { return SystemError(errno) }
    return code == 0 ? nil : SystemError(code)
  }

  /// Sends a short text; false if it could not be sent completely.
  static func send(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      // The bytes are valid until the closure returns.
      unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        == bytes.count
    }
  }
}

/// Resolves a host on a thread of its own.
///
/// The system's resolver cannot be interrupted; an abandoned lookup ends by itself.
final class NameLookup: Sendable {
  /// The result.
  enum Answer: Sendable {
    case found(Endpoints)
    case failed(String)
  }

  private let waker = Waker()
  private let result = Mutex<Answer?>(nil)

  /// Begins a lookup.
  init(host: String, port: String, isDatagram: Bool) {
    let thread = Thread { [self] in
      var endpoints = Endpoints()
      let failure = endpoints.resolve(host: host, port: port, isDatagram: isDatagram)
      result.withLock { $0 = failure.map { .failed($0) } ?? .found(endpoints) }
      waker.signal()
    }
    thread.name = "name lookup"
    thread.start()
  }

  /// Readable once there is an answer.
  var descriptor: Int32 { waker.descriptor }
  /// The answer, nil while the lookup runs.
  var answer: Answer? { result.withLock { $0 } }
}
