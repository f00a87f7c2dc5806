package import Foundation
import Synchronization

/// What was awaited has not come, long after the busiest machine would have seen it.
package struct Hang: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// Wakes those who wait for what happens beside a test.
///
/// Whoever makes something happen rings, and those who wait look again at once. What nobody rings for, such as
/// a file that another program writes, they look at now and then. No result depends on how long anything takes.
package final class Bell: Sendable {
  /// Only a hang takes as long.
  package static let limitSeconds = 900.0
  /// When a hang that begins now is one.
  package static var limit: Date { Date(timeIntervalSinceNow: limitSeconds) }

  private static let lookSeconds = 0.02
  private let condition = NSCondition()
  private let rings = Mutex(0)

  package init() {}

  /// Has everybody who waits look again.
  package func ring() {
    condition.lock()
    rings.withLock { $0 += 1 }
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until a condition holds.
  ///
  /// - Parameters:
  ///   - what: What is said where it never does.
  ///   - holds: The condition.
  /// - Throws: ``Hang`` where it never does, and what the condition throws.
  package func wait(_ what: @autoclosure () -> String, until holds: () throws -> Bool) throws {
    let limit = Self.limit
    while true {
      let heard = rings.withLock { $0 }
      if try holds() { return }
      guard Date() < limit else { throw Hang(what()) }
      let next = Date(timeIntervalSinceNow: Self.lookSeconds)
      condition.lock()
      while rings.withLock({ $0 }) == heard, condition.wait(until: next) {}
      condition.unlock()
    }
  }
}
