import Foundation
import Glibc

/// Writes each line to standard output or a file at once.
struct OutputSink: Sendable {
  /// The output's descriptor.
  let descriptor: Int32
  /// Its name in messages.
  let name: String

  /// Writes a line, waiting for its reader without a limit.
  func deliver(_ delivery: OwedDelivery, _ context: DeliveryContext) -> DeliveryOutcome {
    var rest = delivery.line[...]
    while !rest.isEmpty {
      guard isWritable() else {
        if context.mustStop { return .unfinished }
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
    // The count matches.
    return unsafe poll(&request, 1, 50) != 0
  }
}
