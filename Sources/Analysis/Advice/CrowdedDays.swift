import Fencepost
import FencepostMonitoring
import FencepostNotifications

/// All alerts, and which of them came on a person's day with more than a maximum.
struct CrowdedDays {
  struct Alert {
    var id: String
    /// When it was shown, in milliseconds since 1970; nil if the track has no times.
    var milliseconds: Int64?
    var isCrowded: Bool
  }

  private(set) var alerts: [Alert] = []
  private var byStory: [String: [Alert]] = [:]

  init(_ stand: AdviceStand, most: Int, zone: ClockZone) {
    let stories = stand.trial.stories.stories
    for run in stand.runs {
      for entry in run.tracks.lazy.flatMap(\.run.entries) where entry.isAlert {
        let day = entry.shownMilliseconds.map { DayCounter.day(of: $0, in: zone) }
        alerts.append(
          Alert(
            id: stories[entry.story].id, milliseconds: entry.shownMilliseconds,
            isCrowded: day.map { run.alertsByDay[$0, default: 0] > most } ?? false))
      }
    }
    byStory = Dictionary(grouping: alerts, by: \.id)
  }

  /// The ids of the stories that alerted on a crowded day, ascending.
  var stories: [String] { Set(alerts.lazy.filter(\.isCrowded).map(\.id)).sorted() }

  /// The alerts of the stories, or in the hours, that a change concerns.
  func alerts(concernedBy change: AdviceChange) -> [Alert] {
    guard let hours = change.quietHours else {
      return change.before.flatMap { byStory[$0.id] ?? [] }
    }
    return alerts.filter { alert in
      alert.milliseconds.map { hours.contains(milliseconds: $0) } ?? false
    }
  }
}
