import FencepostNotifications

/// Handing alerts to the scheduler, one batch at a time.
extension StoryAlerts {
  /// What is going on between the waiting alerts and the scheduler.
  struct Handover {
    /// The batch on its way.
    var task: Task<Void, Never>?
    /// Whether the scheduler must be asked once more although nothing waits.
    var mustRefresh = false
    /// The second to which the last alert was given, since 1970, and how many it has.
    var second: Int64 = .min
    var countInSecond = 0
  }

  /// Returns when everything that waited has been handed over, or has failed to be.
  ///
  /// An app that runs in the background should end its background task only after this.
  public func finishHandover() async {
    while let task = handover.task { await task.value }
  }

  /// Begins to hand over what waits, unless that is going on.
  func handOver(isStarting: Bool) {
    if isStarting { handover.mustRefresh = true }
    guard handover.task == nil, !waiting.isEmpty || handover.mustRefresh else { return }
    handover.task = Task {
      while !waiting.isEmpty || handover.mustRefresh {
        guard await handOver(waiting) else { break }
      }
      handover.task = nil
    }
  }

  /// - Returns: Whether the scheduler has taken the batch.
  private func handOver(_ batch: [StoryState.WaitingAlert]) async -> Bool {
    do {
      // What an earlier run of the app handed over before it could say so.
      let shown = try await centre.delivered(afterMilliseconds: 0) ?? []
      let known = shown.union(try await scheduler.requests().map(\.identifier))
      let requests = requests(for: batch.filter { !known.contains($0.identifier) })
      handover.mustRefresh = false
      try await scheduler.update { live in
        live.removeAll {
          $0.identifier.hasPrefix(Self.requestPrefix) && shown.contains($0.identifier)
        }
        live += requests
      }
    } catch {
      handover.mustRefresh = true
      onProblem(.notificationFailed(reason: "\(error)"))
      // The scheduler keeps the requests that the centre refused.
      if error is SchedulerError { noteHandedOver(batch) }
      return false
    }
    noteHandedOver(batch)
    return true
  }

  private func noteHandedOver(_ batch: [StoryState.WaitingAlert]) {
    guard !batch.isEmpty else { return }
    waiting.removeFirst(batch.count)
    save()
  }

  /// Requests that are shown now, or a second or more later where one second has two already: of more a phone
  /// shows none.
  private func requests(for batch: [StoryState.WaitingAlert]) -> [NotificationRequest] {
    let second = now() / 1000
    return batch.map { alert in
      if second > handover.second { (handover.second, handover.countInSecond) = (second, 0) }
      if handover.countInSecond == 2 {
        handover.second += 1
        handover.countInSecond = 0
      }
      handover.countInSecond += 1
      let delay = (handover.second - second) * 1000
      let trigger = IntervalTrigger(milliseconds: delay, repeats: false)
      return NotificationRequest(
        identifier: alert.identifier, content: alert.content,
        trigger: trigger.map { .interval($0) } ?? .immediate)
    }
  }
}
