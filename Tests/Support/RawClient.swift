import Foundation

/// A list of the system's, such as that of its connections.
///
/// A string of the file would have its first page only, because the system states no size.
package func systemList(_ path: String) throws -> String {
  guard let list = FileHandle(forReadingAtPath: path) else { throw Hang("there is no \(path)") }
  return String(decoding: try list.readToEnd() ?? Data(), as: UTF8.self)
}

/// A client that sends what a test tells it, well-formed or not.
package final class RawClient {
  private let port: UInt16
  private let descriptor: Int32
  package private(set) var received: [UInt8] = []
  /// Whether the server has closed the connection.
  package private(set) var isClosed = false

  /// Connects to a port of this machine.
  package init(port: UInt16, receiveBytes: Int32? = nil) throws {
    self.port = port
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Hang("there is no socket") }
    if var receiveBytes {
      let size = socklen_t(MemoryLayout<Int32>.size)
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, size)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
    // The system reads a socket address of the size told.
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw Hang("nobody listens at port \(port)") }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    // Pieces leave as they are sent.
    var isOn: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, size)
  }

  deinit { close(descriptor) }

  /// Everything received so far, as text.
  package var text: String { String(decoding: received, as: UTF8.self) }

  /// The number of the answer's status, nil before it has come.
  package var status: Int? {
    guard text.hasPrefix("HTTP/1.1 ") else { return nil }
    return Int(text.dropFirst(9).prefix(3))
  }

  /// What follows the answer's head.
  package var body: String {
    text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
  }

  /// Sends bytes; stops early where the server has closed.
  package func send(_ bytes: [UInt8]) throws {
    var sent = 0
    let end = Bell.limit
    while sent < bytes.count {
      guard Date() < end else { throw Hang("the server does not read") }
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 { sent += count } else if errno != EAGAIN { return } else { poll(POLLOUT) }
    }
  }

  /// Sends text, in pieces of a size.
  package func send(_ text: String, pieces: Int = .max) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      try send(Array(rest.prefix(pieces)))
      rest = rest.dropFirst(pieces)
    }
  }

  /// Says that nothing more is sent, and goes on reading.
  package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Sends a request without a body.
  package func get(_ path: String, _ fields: [String] = ["Host: localhost"]) throws {
    try send("GET \(path) HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
  }

  /// Sends a request with a body.
  package func post(_ path: String, _ body: String, _ fields: [String] = ["Host: localhost"]) throws
  {
    let all = fields + ["Content-Length: \(body.utf8.count)"]
    try send("POST \(path) HTTP/1.1\r\n" + all.map { $0 + "\r\n" }.joined() + "\r\n" + body)
  }

  /// Reads until a condition holds.
  package func wait(
    _ what: String, seconds: Double = Bell.limitSeconds, until condition: (RawClient) -> Bool
  ) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    while !condition(self) {
      guard Date() < end else {
        throw Hang("\(what); received: \(text.prefix(600))")
      }
      read()
    }
  }

  /// Reads to the end of the connection.
  package func waitForClose() throws {
    try wait("the connection was not closed") { $0.isClosed }
  }

  /// What the system knows of the server's end of the connection: its state, and what waits there to be sent and
  /// to be read; nil where there is no such end any more.
  private func serverEnd() throws -> (state: Substring, waiting: Substring)? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The system writes a socket address of the size told.
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    guard code == 0 else { throw Hang("the socket has no address") }
    let ends = [port, UInt16(bigEndian: address.sin_port)].map { String(format: ":%04X", $0) }
    return try systemList("/proc/net/tcp").split(separator: "\n")
      .map { $0.split(separator: " ") }
      .first { $0.count > 4 && $0[1].hasSuffix(ends[0]) && $0[2].hasSuffix(ends[1]) }
      .map { ($0[3], $0[4]) }
  }

  /// Waits until the server has read all that was sent, and its clock counts another millisecond.
  package func waitUntilRead() throws {
    try Bell().wait("it is not read") {
      try serverEnd()?.waiting.hasSuffix(":00000000") ?? true
    }
    let milliseconds = { DispatchTime.now().uptimeNanoseconds / 1_000_000 }
    let now = milliseconds()
    try Bell().wait("the clock stands still") { milliseconds() > now }
  }

  /// Waits until the server has closed the connection, whether or not its answer has been read.
  package func waitUntilDropped() throws {
    try Bell().wait("it is not closed") { try serverEnd()?.state != "01" }
  }

  /// Reads what has come, waiting for it a little.
  package func read() {
    guard !isClosed else { return }
    poll(POLLIN)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe Glibc.recv(descriptor, &bytes, bytes.count, 0)
    if count > 0 {
      received += bytes[..<count]
    } else if count == 0 || errno != EAGAIN {
      isClosed = true
    }
  }

  private func poll(_ events: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    _ = unsafe Glibc.poll(&request, 1, 50)
  }
}
