import Foundation
import TestSupport
import Synchronization
import Testing

/// A server that greets each client and then sends what the test provides.
final class TalkServer: Sendable {
  let port: Int
  private let descriptor: Int32
  private let greeting: String
  private let hangsUp: Bool
  private let clients = Mutex<[Int32]>([])

  /// Starts a server on a port of its own.
  ///
  /// - Parameters:
  ///   - greeting: What it sends to each client.
  ///   - hangsUp: Whether it hangs up after that.
  /// - Throws: If no port is free.
  init(greeting: String = "", hangsUp: Bool = false) throws {
    self.greeting = greeting
    self.hangsUp = hangsUp
    let bound = try #require(Tool.bind())
    (descriptor, port) = bound
    let socket = bound.descriptor
    try #require(listen(socket, 16) == 0)
    Thread.detachNewThread { [weak self, socket] in
      while true {
        let client = accept(socket, nil, nil)
        guard client >= 0, let self else { return }
        self.say(self.greeting, to: client)
        if self.hangsUp { shutdown(client, Int32(SHUT_RDWR)) }
        self.clients.withLock { $0.append(client) }
      }
    }
  }

  /// How many have connected so far.
  var connectionCount: Int { clients.withLock { $0.count } }

  /// Sends something to the latest client.
  func say(_ text: String) { say(Data(text.utf8)) }

  /// Sends something to the latest client.
  func say(_ data: Data) {
    guard let client = clients.withLock({ $0.last }) else {
      Issue.record("nobody is connected yet")
      return
    }
    let bytes = Array(data)
    var start = 0
    while start < bytes.count {
      let rest = Array(bytes[start...])
      let sent = unsafe send(client, rest, rest.count, Int32(MSG_NOSIGNAL))
      guard sent > 0 else { return }
      start += sent
    }
  }

  private func say(_ text: String, to client: Int32) {
    let bytes = Array(text.utf8)
    if !bytes.isEmpty { _ = unsafe send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
  }

  /// Closes the latest client's connection.
  func hangUp() {
    guard let client = clients.withLock({ $0.last }) else { return }
    shutdown(client, Int32(SHUT_RDWR))
  }

  /// Closes all connections and accepts no more.
  func stop() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    for client in clients.withLock({ $0 }) { shutdown(client, Int32(SHUT_RDWR)) }
  }

  deinit {
    for client in clients.withLock({ $0 }) { close(client) }
    close(descriptor)
  }
}

/// A sender of datagrams to a port of this machine.
final class DatagramSender {
  private let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
  private var address = sockaddr_in()

  init(port: Int) {
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
  }

  deinit { close(descriptor) }

  /// How many bytes wait at a port until its program reads them.
  static func unreadBytes(port: Int) throws -> Int {
    let end = ":" + String(port, radix: 16, uppercase: true)
    return try systemList("/proc/net/udp").split(separator: "\n")
      .map { $0.split(separator: " ") }
      .filter { $0.count > 4 && $0[1].hasSuffix(end) }
      .reduce(0) { $0 + (Int($1[4].split(separator: ":")[1], radix: 16) ?? 0) }
  }

  /// Sends a datagram, which may be empty.
  func send(_ data: Data) {
    let bytes = Array(data)
    let descriptor = descriptor
    // The sizes match the bytes and the socket address.
    let sent = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe sendto(
          descriptor, bytes, bytes.count, 0, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    #expect(sent == bytes.count)
  }
}

/// A serial line whose other end is the test's.
final class SerialEnd {
  /// The device that a program opens.
  let path: String
  private let descriptor: Int32

  init() throws {
    descriptor = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // The Linux requests behind `unlockpt` and `ptsname`.
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    try #require(descriptor >= 0)
    try #require(unsafe ioctl(descriptor, UInt(0x4004_5431), &isLocked) == 0)
    try #require(unsafe ioctl(descriptor, UInt(0x8004_5430), &number) == 0)
    path = "/dev/pts/\(number)"
  }

  deinit { close(descriptor) }

  /// The speed that the program has set.
  var speed: speed_t {
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return 0 }
    return unsafe cfgetispeed(&settings)
  }

  /// Sends bytes, as the receiver does.
  func send(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    _ = unsafe write(descriptor, bytes, bytes.count)
  }
}
