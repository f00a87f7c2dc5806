import FencepostNotifications

/// Hands alerts to the scheduler, one batch at a time.
extension StoryAlerts {
  /// The state of the handover between waiting alerts and the scheduler.
  struct Handover {
    var task: Task<Void, Never>?
    /// Whether to call the scheduler even if no alerts are waiting.
    var mustRefresh = false
    /// The second of the last alert, since 1970; `countInSecond` counts the alerts in it.
    var second: Int64 = .min
    var countInSecond = 0
  }

  /// Waits until all alerts have been handed over, or the attempt has failed.
  ///
  /// In the background, end your background task only after this.
  public func finishHandover() async {
    while let task = handover.task { await task.value }
  }

  /// Starts handing over alerts, unless a handover is already running.
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

  /// Returns whether the scheduler accepted the batch.
  private func handOver(_ batch: [StoryState.WaitingAlert]) async -> Bool {
    do {
      // An earlier launch may have handed over alerts without recording it.
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
      // The scheduler keeps the requests that the notification center refused.
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

  /// Makes requests, at most two per second, because a phone drops any beyond that.
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
