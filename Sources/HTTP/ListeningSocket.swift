import Glibc

/// Why a server cannot listen.
public struct ListeningError: Error, CustomStringConvertible, Sendable {
  /// The address as a user would write it.
  public var address: String
  /// The system's reason, as a sentence that begins with a small letter.
  public var reason: String
  /// Whether the address is none of this machine's, rather than taken or forbidden.
  public var isAddressWrong: Bool

  /// The whole as one sentence.
  public var description: String { "cannot listen on \(address): \(reason)" }
}

/// A socket that takes connections; closed with the value's end.
final class ListeningSocket: Sendable {
  let descriptor: Int32
  /// The port it listens on.
  let port: UInt16

  /// Takes an address as its own.
  init(_ address: HTTPAddress) throws(ListeningError) {
    var failure = ListeningError(
      address: address.text, reason: "no address", isAddressWrong: true)
    for candidate in try Self.candidates(address) {
      switch Self.open(candidate) {
      case .success(let descriptor):
        self.descriptor = descriptor
        port = Self.port(of: descriptor) ?? address.port
        return
      case .failure(let error):
        failure.reason = error.sentence
        failure.isAddressWrong = error.code == EADDRNOTAVAIL
      }
    }
    throw failure
  }

  deinit { close(descriptor) }

  /// The next connection, which does not block; nil where there is none now.
  func accept() -> Int32? {
    let client = Glibc.accept(descriptor, nil, nil)
    guard client >= 0 else { return nil }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    _ = fcntl(client, F_SETFL, O_NONBLOCK)
    return client
  }

  // MARK: Opening

  private struct SystemError: Error {
    var code: Int32

    var sentence: String {
      switch code {
      case EADDRINUSE: return "another program has that port"
      case EACCES: return "that port is reserved; choose one above 1023"
      case EADDRNOTAVAIL: return "this machine has no such address"
      default:
        // The text belongs to the C library and is copied at once.
        let text = unsafe String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
      }
    }
  }

  private struct Candidate {
    var family: Int32
    var address: [UInt8]
  }

  private static func candidates(_ address: HTTPAddress) throws(ListeningError) -> [Candidate] {
    // The hints are ours, and all zeros where nothing is chosen; the list belongs to the C library until
    // it is freed below, after all that is read of it has been copied.
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    let host = address.host.isEmpty ? nil : address.host
    let code = unsafe getaddrinfo(host, String(address.port), &hints, &list)
    guard code == 0 else {
      throw ListeningError(
        address: address.text, reason: unsafe String(cString: gai_strerror(code)),
        isAddressWrong: true)
    }
    defer { unsafe freeaddrinfo(list) }
    var found: [Candidate] = []
    var node = unsafe list
    // The list and what it points to live until it is freed above.
    while let info = unsafe node?.pointee {
      if let start = unsafe info.ai_addr {
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(info.ai_addrlen))
        unsafe found.append(Candidate(family: info.ai_family, address: Array(bytes)))
      }
      unsafe node = info.ai_next
    }
    // A name stands for its address of IPv4 first, as most programs have it; all addresses of the
    // machine are those of both families.
    let first = address.host.isEmpty ? AF_INET6 : AF_INET
    return found.filter { $0.family == first } + found.filter { $0.family != first }
  }

  private static func open(_ candidate: Candidate) -> Result<Int32, SystemError> {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(candidate.family, type | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return .failure(SystemError(code: errno)) }
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if candidate.family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
    // The bytes are a socket address of this family, copied from the resolver's.
    let result = unsafe candidate.address.withUnsafeBytes { bytes -> Int32 in
      guard let start = bytes.baseAddress else { return -1 }
      return unsafe bind(
        descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    guard result == 0, listen(descriptor, 64) == 0 else {
      let code = errno
      close(descriptor)
      return .failure(SystemError(code: code))
    }
    return .success(descriptor)
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    // An option that is not to be had changes nothing that is promised.
    _ = unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func port(of descriptor: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    // A storage is as large and aligned as any address; the call is told its size and writes no more.
    let code = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &length)
      }
    }
    guard code == 0 else { return nil }
    // The port stands behind the family in the addresses of both families, in network order.
    return unsafe withUnsafeBytes(of: &storage) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
  }
}
