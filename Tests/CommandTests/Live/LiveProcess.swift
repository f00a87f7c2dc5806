import Foundation
import FencepostStateDatabase
import FencepostStateFile
import Synchronization
import TestSupport
import Testing

/// A program that runs during a test: the built one, or one that it works with.
final class LiveProcess {
  /// What the program has written to a pipe so far.
  private final class Collected: Sendable {
    private struct Pipe {
      /// -1 once the writing end is closed.
      var descriptor: Int32 = -1
      var bytes = Data()
    }

    private let pipe = Mutex(Pipe())
    var bytes: Data { pipe.withLock { $0.bytes } }

    /// Collects what comes through a pipe, on a thread of its own, and rings each time.
    func collect(from descriptor: Int32, ringing bell: Bell) {
      pipe.withLock { $0.descriptor = descriptor }
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      Thread.detachNewThread {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var isOpen = true
        while isOpen {
          _ = unsafe poll(&wanted, 1, -1)
          isOpen = self.takeWaiting()
          bell.ring()
        }
      }
    }

    /// Takes all that waits in the pipe; false at its end.
    @discardableResult
    func takeWaiting() -> Bool {
      pipe.withLock { pipe in
        guard pipe.descriptor >= 0 else { return false }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = unsafe read(pipe.descriptor, &chunk, chunk.count)
          if count < 0 && errno == EINTR { continue }
          if count < 0 && errno == EAGAIN { return true }
          guard count > 0 else { break }
          pipe.bytes.append(contentsOf: chunk[..<count])
        }
        close(pipe.descriptor)
        pipe.descriptor = -1
        return false
      }
    }
  }

  private let child: Child
  private let output = Collected()
  private let errors = Collected()
  private var input: Int32
  /// The process's number.
  var identifier: pid_t { child.identifier }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: Its path, or its name in the usual folders; nil for the built program.
  ///   - arguments: Its arguments.
  ///   - folder: Where it runs; nil is where the tests run.
  ///   - environment: Variables besides the usual ones.
  ///   - file: What it finds on standard input; nil for a pipe that the test writes to.
  ///   - passing: A descriptor that it gets as descriptor 3.
  /// - Throws: If it cannot be started.
  init(
    _ executable: String? = nil, _ arguments: [String], in folder: URL? = nil,
    environment: [String: String] = [:], reading file: String? = nil, passing: Int32? = nil
  ) throws {
    let program = try executable.map { try Tool.need($0) } ?? Command.executable
    let (out, err) = (try Child.pipe(), try Child.pipe())
    var standardInput: Int32
    if let file {
      (standardInput, input) = (unsafe open(file, O_RDONLY | O_CLOEXEC), -1)
      try #require(standardInput >= 0, "\(file) cannot be read")
    } else {
      (standardInput, input) = try Child.pipe()
    }
    defer { for end in [standardInput, out.writing, err.writing] { close(end) } }
    var descriptors = [(own: Int32(0), of: standardInput), (1, out.writing), (2, err.writing)]
    if let passing { descriptors.append((3, passing)) }
    child = try Child(
      [program.path] + arguments, environment: environment, in: folder, descriptors: descriptors)
    output.collect(from: out.reading, ringing: child.bell)
    errors.collect(from: err.reading, ringing: child.bell)
  }

  deinit {
    if child.status == nil {
      // Nothing is left to end if the program is gone already or the system lists none.
      for one in (try? children()) ?? [] { kill(one, SIGKILL) }
      child.signal(SIGKILL)
      // It lets go of its files before the test removes them.
      _ = try? child.wait("it cannot be killed")
    }
    if input >= 0 { close(input) }
  }

  var outputText: String { String(decoding: output.bytes, as: UTF8.self) }
  /// Everything on standard error.
  var wholeErrorText: String { String(decoding: errors.bytes, as: UTF8.self) }
  var errorText: String { Command.withoutLimit(wholeErrorText) }
  var lines: [String] { outputText.split(separator: "\n").map(String.init) }

  /// Gives the program bytes on standard input.
  func write(_ data: Data) throws {
    try FileHandle(fileDescriptor: input, closeOnDealloc: false).write(contentsOf: data)
  }

  /// The number of written bytes that the program has not read.
  var unreadCount: Int {
    var count: Int32 = 0
    // The system writes an integer, and there is room for it.
    _ = unsafe ioctl(input, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// Waits until the program has read a part of what was written to it, which a seed chooses: none, some or all.
  func waitUntilPartIsRead(of count: Int, _ random: inout SplitMix64) throws {
    let rest = Int.random(in: 0...min(count, 65_536), using: &random)
    try wait("the input was not read") { $0.unreadCount <= rest }
  }

  /// Whether one of the program's threads waits in `poll` for two descriptors, as an interruptible
  /// read does.
  func waitsForInput() throws -> Bool {
    let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/task")
    return tasks.contains { task in
      // A thread that has just ended does not count.
      let call = try? String(
        contentsOfFile: "/proc/\(identifier)/task/\(task)/syscall", encoding: .utf8)
      let words = (call ?? "").split(separator: " ")
      return words.count > 3 && words[0] == Self.pollNumber && words[2] == "0x2"
    }
  }

  /// The number of the system call.
  private static var pollNumber: String {
    #if arch(x86_64)
      "7"
    #else
      "73"
    #endif
  }

  /// Ends standard input.
  func closeInput() throws {
    close(input)
    input = -1
  }

  /// Waits until a condition holds.
  ///
  /// - Throws: ``Hang`` where it does not when the program has ended, or never does.
  func wait(_ what: String, until condition: (LiveProcess) throws -> Bool) throws {
    func fault() -> String { "\(what); standard error: \(errorText)" }
    try child.bell.wait(fault()) {
      let hasEnded = child.status != nil
      if hasEnded { takeWaiting() }
      if try condition(self) { return true }
      if hasEnded { throw Hang("the program has ended; \(fault())") }
      return false
    }
  }

  /// The numbers of the programs that it has started.
  func children() throws -> [pid_t] {
    let list = try String(
      contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8)
    return list.split(separator: " ").compactMap { pid_t($0) }
  }

  /// Sends a signal.
  func signal(_ number: Int32) { child.signal(number) }

  /// Waits until the program has ended, and takes all that it wrote.
  ///
  /// - Returns: Its status; 128 plus the signal's number if a signal ended it.
  @discardableResult
  func end() throws -> Int32 {
    let status = try child.wait("the program did not end; standard error: \(errorText)")
    takeWaiting()
    return status
  }

  /// Ends standard input, and expects that the program ends well.
  func finish(at place: SourceLocation = #_sourceLocation) throws {
    try closeInput()
    let status = try end()
    #expect(status == 0, "\(errorText)", sourceLocation: place)
  }

  /// Sends a signal, and expects that the program ends with it.
  func stop(by number: Int32 = SIGTERM, at place: SourceLocation = #_sourceLocation) throws {
    signal(number)
    let status = try end()
    #expect(status == 128 + number, "\(errorText)", sourceLocation: place)
  }

  // What an ended program wrote is in the pipes. Their end may be far, because programs that it started may
  // live on and keep them open.
  private func takeWaiting() {
    output.takeWaiting()
    errors.takeWaiting()
  }
}

/// The programs that tests use.
enum Tool {
  /// A program that a test needs is missing.
  struct Missing: Error, CustomStringConvertible {
    var name: String
    var description: String { "\(name) is not installed; Tools/test installs it" }
  }

  /// A program's path; nil if not installed.
  static func path(_ name: String) -> URL? {
    if name.hasPrefix("/") {
      return FileManager.default.isExecutableFile(atPath: name) ? URL(fileURLWithPath: name) : nil
    }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return (folders + ["/usr/sbin", "/usr/local/sbin", "/sbin"])
      .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// A program's path.
  ///
  /// - Throws: ``Missing`` if not installed.
  static func need(_ name: String) throws -> URL {
    guard let path = path(name) else { throw Missing(name: name) }
    return path
  }

  /// Whether all of these are installed.
  static func has(_ names: String...) -> Bool { names.allSatisfy { path($0) != nil } }

  /// A socket bound to 127.0.0.1, and its port.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for any.
  ///   - sharesPort: Whether it may have a port that ``holdPort()`` holds.
  /// - Returns: Nil if the port is taken.
  static func bind(port: Int = 0, sharesPort: Bool = false) -> (descriptor: Int32, port: Int)? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    if sharesPort { share(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The size matches the socket address.
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        guard unsafe Glibc.bind(descriptor, generic, length) == 0 else { return Int32(-1) }
        return unsafe getsockname(descriptor, generic, &length)
      }
    }
    guard code == 0 else {
      close(descriptor)
      return nil
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func share(_ descriptor: Int32) {
    var on: Int32 = 1
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
  }

  /// A port for servers that a test starts, also again and again, and nobody else's while this process runs.
  ///
  /// A socket that never listens holds it. A server that sets `SO_REUSEADDR` may listen on it beside that
  /// one, and nothing else is given it: it is outside the range that systems give away.
  static func holdPort() throws -> Int {
    for _ in 0..<1000 {
      guard let held = bind(port: Int.random(in: 20_000..<32_000)) else { continue }
      share(held.descriptor)
      return held.port
    }
    throw Missing(name: "a free port")
  }
}

/// The sample data and its replays.
enum LiveSample {
  private static let data = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Data")

  static let places = data.appendingPathComponent("stories/philadelphia.csv").path

  static func track(_ name: String) throws -> Data {
    try Data(contentsOf: data.appendingPathComponent("tracks/\(name)"))
  }

  static func path(_ name: String) -> String {
    data.appendingPathComponent("tracks/\(name)").path
  }

  static func reminders(_ name: String) -> String {
    data.appendingPathComponent("reminders/\(name)").path
  }

  /// The lines that a replay of the bytes from standard input writes.
  static func replayed(_ bytes: Data, _ more: [String] = []) throws -> [String] {
    let scratch = try Scratch()
    let file = scratch.url.appendingPathComponent("log")
    try bytes.write(to: file)
    let result = try Command.run(["replay", file.path, "--places", places, "--quiet"] + more)
    return result.output.split(separator: "\n").map { line in
      String(line).replacing("\"track\":\"\(file.path)\"", with: "\"track\":\"stdin\"")
    }
  }

  /// The number of bytes of input in a session's state file.
  static func consumedCount(_ path: String) throws -> Int {
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    let file = try StateDatabase(path: path, waitSeconds: 30)
    defer { try? file.close() }
    return try file.update { transaction in
      guard let last = try transaction.ids(kind: "input").last, let offset = Int(last),
        let body = try transaction.body(kind: "input", id: last)
      else { return 0 }
      return offset + body.count
    }
  }

  /// Whether a session's state file holds lines for standard output that are not noted as written.
  static func owesOutput(_ path: String) throws -> Bool {
    let file = try StateDatabase(path: path, waitSeconds: 30)
    defer { try? file.close() }
    return try file.update { transaction in
      try !transaction.ids(kind: "owed/output").isEmpty
    }
  }
}
