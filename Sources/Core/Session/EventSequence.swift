public import FencepostFixes

/// The events of a session whose fixes arrive one by one; the last is the summary.
///
/// Fixes are taken only as fast as events are asked for.
public struct EventSequence<Fixes: AsyncSequence>: AsyncSequence where Fixes.Element == Fix {
  let session: TrackSession
  let fixes: Fixes

  /// Begins where the session stands.
  public func makeAsyncIterator() -> Iterator {
    Iterator(session: session, fixes: fixes.makeAsyncIterator())
  }

  /// Follows the fixes with a session of its own.
  ///
  /// The session of the sequence stays as it was.
  public struct Iterator: AsyncIteratorProtocol {
    var session: TrackSession
    var fixes: Fixes.AsyncIterator
    /// Events that were made but not handed on, latest first.
    var waiting: [Event] = []
    var isFinished = false

    /// The session's state after the events so far; nil between the events of one fix.
    ///
    /// Save it when you have handled an event, to continue after a restart.
    ///
    /// - Throws: The error of the source, if it cannot look up a place.
    public func snapshot() throws -> TrackSession.Snapshot? {
      waiting.isEmpty ? try session.snapshot() : nil
    }

    /// The next event; nil after the summary.
    ///
    /// - Throws: The error of the fixes.
    public mutating func next() async throws -> Event? {
      while waiting.isEmpty, !isFinished {
        var events: [Event] = []
        if let fix = try await fixes.next() {
          session.follow(fix) { events.append($0) }
        } else {
          isFinished = true
          session.finish(rejected: [:]) { events.append($0) }
        }
        waiting = events.reversed()
      }
      return waiting.popLast()
    }
  }
}

extension TrackSession {
  /// Follows fixes as they arrive, already filtered, from where this session stands.
  public func events<Fixes>(of fixes: Fixes) -> EventSequence<Fixes> {
    EventSequence(session: self, fixes: fixes)
  }
}
