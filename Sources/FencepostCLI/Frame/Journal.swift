import FencepostLive
import FoundationEssentials
import Glibc
import Logging

/// The system's journal, which keeps fields beside each message (systemd's native protocol).
struct Journal {
  private let socket: UnixDatagram

  /// Connects to the journal; nil unless it reads this program's standard error.
  init?(environment: [String: String]) {
    guard let stream = environment["JOURNAL_STREAM"], stream == Self.standardError,
      let socket = UnixDatagram(
        path: environment["FENCEPOST_JOURNAL"] ?? "/run/systemd/journal/socket")
    else { return nil }
    self.socket = socket
  }

  /// The device and inode of standard error, as systemd writes them.
  private static var standardError: String? {
    var status = stat()
    // `status` is a local variable of the size that the system expects.
    guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }

  /// Sends a message without line ends, and returns whether the journal took it.
  func send(_ message: String, _ level: Logger.Level, _ fields: [String: String]) -> Bool {
    var text = "MESSAGE=\(message)\nPRIORITY=\(level.priority)\nSYSLOG_IDENTIFIER=fencepost\n"
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      text += "FENCEPOST_\(name.uppercased())=\(value.replacing("\n", with: " "))\n"
    }
    return socket.send(text)
  }
}

extension Logger.Level {
  /// The priority of syslog.
  fileprivate var priority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
