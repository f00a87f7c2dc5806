package enum TrackOutcome<Success: Sendable>: Sendable {
  case success(Success)
  case failure(TrackFailure)
  /// The task was canceled before the end of the track.
  case interrupted

  /// Runs work that returns nil if the task was canceled.
  init(_ work: () throws(TrackFailure) -> Success?) {
    do throws(TrackFailure) {
      self = try work().map { .success($0) } ?? .interrupted
    } catch {
      self = .failure(error)
    }
  }

  func map<Other>(_ transform: (Success) -> Other) -> TrackOutcome<Other> {
    switch self {
    case .success(let success): .success(transform(success))
    case .failure(let failure): .failure(failure)
    case .interrupted: .interrupted
    }
  }
}
