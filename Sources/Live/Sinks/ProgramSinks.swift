import FoundationEssentials
import Glibc

struct ExecSink: Sendable {
  let arguments: [String]
  let timeoutMilliseconds: Int

  func deliver(_ delivery: OwedDelivery, _ context: DeliveryContext) -> DeliveryOutcome {
    var variables: [String: String] = [:]
    for (name, value) in delivery.fields {
      variables["FENCEPOST_\(name)"] = value.shortened
    }
    let program = ChildProcess(
      arguments: arguments, environment: variables, input: delivery.line,
      timeoutMilliseconds: timeoutMilliseconds)
    let (ending, _) = program.run(context)
    return ending.outcome(of: arguments[0], timeoutMilliseconds: timeoutMilliseconds)
  }
}

/// Shows each event on the desktop with `notify-send`.
struct NotifySink: Sendable {
  private static var timeoutMilliseconds: Int { 10_000 }

  func deliver(_ delivery: OwedDelivery, _ context: DeliveryContext) -> DeliveryOutcome {
    let title = delivery.fields["TITLE"] ?? ""
    let blurb = delivery.fields["BLURB"] ?? ""
    let program = ChildProcess(
      arguments: [
        "notify-send", "--app-name=fencepost", "--",
        (title.isEmpty ? delivery.fields["PLACE"] ?? "fencepost" : title).shortened,
        Self.markup(blurb.shortened),
      ],
      timeoutMilliseconds: Self.timeoutMilliseconds)
    let (ending, _) = program.run(context)
    return ending.outcome(of: "notify-send", timeoutMilliseconds: Self.timeoutMilliseconds)
  }

  /// Escapes the body of a notification, which most desktops treat as markup.
  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension String {
  /// The text cut to 16 KiB, an eighth of the system's limit for an argument; markup lengthens it.
  fileprivate var shortened: String {
    guard utf8.count > 16 * 1024 else { return self }
    var end = utf8.index(startIndex, offsetBy: 16 * 1024)
    // Do not cut inside a character.
    while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}

extension ChildProcess.Ending {
  func outcome(of program: String, timeoutMilliseconds: Int) -> DeliveryOutcome {
    switch self {
    case .exited(0): .delivered
    case .exited(let status): .refused("\(program) ended with status \(status)")
    case .signaled(let signal): .refused("\(program) was ended by signal \(signal)")
    case .timedOut:
      .refused("\(program) took longer than \(timeoutMilliseconds) ms and was ended")
    case .abandoned: .unfinished
    case .notStarted(let code):
      // The text belongs to the C library and is copied at once.
      .refused("\(program): \(unsafe String(cString: strerror(code)))")
    }
  }
}

extension LiveOptions.Sink {
  /// A sentence about a program that the sink needs but this machine lacks, if any.
  package var missingProgram: String? {
    switch self {
    case .exec(let arguments, _):
      let name = arguments.first ?? ""
      return ProgramSearch.fault(of: name).map {
        let isForShell = name.hasPrefix("~") || name.contains { $0 == "$" || $0 == "`" }
        let hint = isForShell ? "; for shell syntax, use --exec-shell" : ""
        return "\(name): \($0); --exec needs it\(hint)"
      }
    case .mqtt: return nil
    case .webhook:
      return ProgramSearch.fault(of: "curl").map {
        "curl: \($0); --webhook needs Debian's package curl"
      }
    case .notify:
      return ProgramSearch.fault(of: "notify-send").map {
        "notify-send: \($0); --notify needs Debian's package libnotify-bin"
      }
    }
  }
}

/// Finds programs the way `posix_spawnp` does.
enum ProgramSearch {
  /// Why a program cannot be started; names without a slash are looked up in `PATH`.
  static func fault(of name: String) -> String? {
    let paths =
      name.contains("/")
      ? [name]
      // An empty entry means the current folder.
      : folders.map { $0.isEmpty ? name : "\($0)/\(name)" }
    var fault = "no such program"
    for path in paths {
      var status = stat()
      // `status` is a local variable of the right size; the path lives until the calls return.
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if unsafe access(path, X_OK) == 0 { return nil }
      fault = "it is not executable"
    }
    return fault
  }

  private static var folders: [String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/bin:/usr/bin"
    return path.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Writes each line to standard output or a file at once.
struct OutputSink: Sendable {
  let descriptor: Int32
  let name: String

  func deliver(_ delivery: OwedDelivery, _ context: DeliveryContext) -> DeliveryOutcome {
    var rest = delivery.line[...]
    while !rest.isEmpty {
      guard isWritable() else {
        if context.mustStop { return .unfinished }
        continue
      }
      // The system reads at most `count` bytes of memory that stays valid in the closure.
      let written = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, min($0.count, Self.pieceBytes))
      }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EPIPE {
        return .closed(nil)
      } else if errno != EINTR && errno != EAGAIN {
        return .closed("\(name): cannot write: \(unsafe String(cString: strerror(errno)))")
      }
    }
    return .delivered
  }

  /// A writable pipe accepts this many bytes without blocking.
  private static var pieceBytes: Int { 4096 }

  private func isWritable() -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // The count matches.
    return unsafe poll(&request, 1, 50) != 0
  }
}
