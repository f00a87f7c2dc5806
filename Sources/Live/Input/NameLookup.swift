import Foundation
import Synchronization

/// Finds the addresses of a host on a thread of its own, so that nobody waits for a name server.
///
/// The system's resolver cannot be interrupted; where nobody waits for it any more it ends by itself.
final class NameLookup: Sendable {
  /// What came of it.
  enum Answer: Sendable {
    case found(Endpoints)
    case failed(String)
  }

  private let waker = Waker()
  private let result = Mutex<Answer?>(nil)

  /// Begins.
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

  /// Readable when there is an answer.
  var descriptor: Int32 { waker.descriptor }
  /// What came of it, nil while nothing did.
  var answer: Answer? { result.withLock { $0 } }
}
