package import Foundation
import Synchronization

/// A program that runs during a test: the built one, or one that it works with.
package final class LiveProcess {
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
  package var identifier: pid_t { child.identifier }

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
  package init(
    _ executable: String? = nil, _ arguments: [String], in folder: URL? = nil,
    environment: [String: String] = [:], reading file: String? = nil, passing: Int32? = nil
  ) throws {
    let program = try executable.map { try Tool.need($0) } ?? Tool.fencepost
    let (out, err) = (try Child.pipe(), try Child.pipe())
    var standardInput: Int32
    if let file {
      (standardInput, input) = (unsafe open(file, O_RDONLY | O_CLOEXEC), -1)
      guard standardInput >= 0 else { throw Hang("\(file) cannot be read") }
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

  package var outputText: String { String(decoding: output.bytes, as: UTF8.self) }
  /// Everything on standard error.
  package var wholeErrorText: String { String(decoding: errors.bytes, as: UTF8.self) }
  /// What it said besides how many stories it watches, which all sessions say first.
  package var errorText: String {
    wholeErrorText.replacing(
      /fencepost: watching \d+ stor(y|ies) at a time, as a phone does; [^\n]*\n/, with: "")
  }
  package var lines: [String] { outputText.split(separator: "\n").map(String.init) }

  /// Gives the program bytes on standard input.
  package func write(_ data: Data) throws {
    try FileHandle(fileDescriptor: input, closeOnDealloc: false).write(contentsOf: data)
  }

  /// The number of written bytes that the program has not read.
  package var unreadCount: Int {
    var count: Int32 = 0
    // The system writes an integer, and there is room for it.
    _ = unsafe ioctl(input, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// Waits until the program has read a part of what was written to it, which a seed chooses: none, some or all.
  package func waitUntilPartIsRead(of count: Int, _ random: inout SplitMix64) throws {
    let rest = Int.random(in: 0...min(count, 65_536), using: &random)
    try wait("the input was not read") { $0.unreadCount <= rest }
  }

  /// Whether one of the program's threads waits in `poll` for two descriptors, as an interruptible
  /// read does.
  package func waitsForInput() throws -> Bool {
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
  package func closeInput() throws {
    close(input)
    input = -1
  }

  /// Waits until a condition holds.
  ///
  /// - Throws: ``Hang`` where it does not when the program has ended, or never does.
  package func wait(_ what: String, until condition: (LiveProcess) throws -> Bool) throws {
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
  package func children() throws -> [pid_t] {
    let list = try String(
      contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8)
    return list.split(separator: " ").compactMap { pid_t($0) }
  }

  /// Sends a signal.
  package func signal(_ number: Int32) { child.signal(number) }

  /// Waits until the program has ended, and takes all that it wrote.
  ///
  /// - Returns: Its status; 128 plus the signal's number if a signal ended it.
  @discardableResult
  package func end() throws -> Int32 {
    let status = try child.wait("the program did not end; standard error: \(errorText)")
    takeWaiting()
    return status
  }

  // What an ended program wrote is in the pipes. Their end may be far, because programs that it started may
  // live on and keep them open.
  private func takeWaiting() {
    output.takeWaiting()
    errors.takeWaiting()
  }
}
