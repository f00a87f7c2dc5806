/// The outcome of a track in a session.
package enum TrackOutcome<Success: Sendable>: Sendable {
  /// It was followed to its end.
  case success(Success)
  /// It was skipped.
  case failure(TrackFailure)
  /// The task was cancelled before its end.
  case interrupted

  /// Runs the work on a track, which returns nil if the task was cancelled.
  init(_ work: () throws(TrackFailure) -> Success?) {
    do throws(TrackFailure) {
      self = try work().map { .success($0) } ?? .interrupted
    } catch {
      self = .failure(error)
    }
  }

  /// The outcome with another value in place of that of a success.
  func map<Other>(_ transform: (Success) -> Other) -> TrackOutcome<Other> {
    switch self {
    case .success(let success): .success(transform(success))
    case .failure(let failure): .failure(failure)
    case .interrupted: .interrupted
    }
  }
}
