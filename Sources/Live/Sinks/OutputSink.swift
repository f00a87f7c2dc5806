import Foundation
import Glibc

/// Lines on standard output or in a file, each written at once.
struct OutputSink: Sendable {
  /// The descriptor lines are written to.
  let descriptor: Int32
  /// What messages call it.
  let name: String

  /// Writes a line, however long its reader takes.
  func deliver(_ delivery: OwedDelivery, _ patience: SinkQueue.Patience) -> DeliveryOutcome {
    var rest = delivery.line[...]
    while !rest.isEmpty {
      guard isWritable() else {
        if patience.isOver { return .unfinished }
        continue
      }
      // The system reads at most `count` bytes of the memory that the closure keeps valid.
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

  /// A pipe that is writable takes this many bytes without blocking.
  private static var pieceBytes: Int { 4096 }

  private func isWritable() -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // There is one request, as the call is told.
    return unsafe poll(&request, 1, 50) != 0
  }
}
