extension StoryAlerts {
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
      let shown = try await center.delivered(afterMilliseconds: 0) ?? []
      let live = try await scheduler.requests()
      let known = shown.union(live.map(\.identifier))
      let requests = requests(for: batch.filter { !known.contains($0.identifier) }, beside: live)
      handover.mustRefresh = false
      try await scheduler.update { live in
        live.removeAll {
          $0.identifier.hasPrefix(Self.requestPrefix) && shown.contains($0.identifier)
        }
        live += requests
      }
    } catch {
      handover.mustRefresh = true
      report(.notificationFailed(reason: "\(error)"))
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

  /// Makes requests, at most two per second with the reminders of that second, because a phone
  /// drops any beyond that.
  private func requests(
    for batch: [StoryState.WaitingAlert], beside live: [NotificationRequest]
  ) -> [NotificationRequest] {
    let situation = scheduler.situation
    let now = situation.nowMilliseconds.dividedDown(by: 1000)
    handover.counts = handover.counts.filter { $0.key >= now }
    var taken = SecondStagger().seconds(
      takenBy: live.filter { !$0.identifier.hasPrefix(Self.requestPrefix) },
      nowMilliseconds: now * 1000 - 1, zone: situation.zone)
    for (second, count) in handover.counts.sorted(by: { $0.key < $1.key }) {
      for _ in 0..<count { _ = taken.take(second) }
    }
    return batch.map { alert in
      let second = taken.take(now)
      handover.counts[second, default: 0] += 1
      let trigger = IntervalTrigger(milliseconds: (second - now) * 1000, repeats: false)
      return NotificationRequest(
        identifier: alert.identifier, content: alert.content,
        trigger: trigger.map { .interval($0) } ?? .immediate)
    }
  }
}
