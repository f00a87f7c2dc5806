import FencepostMonitoring
import FencepostNotifications

extension ReminderWatch {
  /// The state of a watch between two fixes.
  ///
  /// It refers to circles by their order in the file, and to places by key.
  package struct Snapshot: Codable, Sendable {
    var run: ReminderRun.Account?
    var progress: Progress
    var memory: CircleSource.Memory
    /// The ids of the reminders whose circles will not fire again.
    var spentIDs: [String]
    var shadow: Engine.Snapshot?
    var last: TrackSession.LastFix?
  }

  /// The current state; save it to continue after a restart.
  package var snapshot: Snapshot {
    var run = run
    if let last = progress.lastMilliseconds { run?.settle(untilMilliseconds: last) }
    let shadow = shadow?.snapshot
    return Snapshot(
      run: run?.account, progress: progress, memory: circles.memory,
      spentIDs: circles.members.filter { !circles.isLive($0) }.map(\.reminderID),
      shadow: shadow?.engine, last: shadow?.last)
  }

  /// Continues from a snapshot, as if the session had never ended.
  ///
  /// If the rules have changed, only the circles that will not fire again are kept.
  package func restore(_ snapshot: Snapshot, isSameRule: Bool) {
    guard isSameRule else {
      let ids = Set(snapshot.spentIDs)
      circles.memory.spent = Set(
        circles.members.filter { ids.contains($0.reminderID) }.map(\.region.key))
      return
    }
    (progress, circles.memory) = (snapshot.progress, snapshot.memory)
    run = snapshot.run.map {
      ReminderRun(document: options.document, continuing: $0, options: options.run)
    }
    followSlots(isRestoring: true)
    if let engine = snapshot.shadow { shadow?.restore(engine, after: snapshot.last) }
  }
}
