package import FencepostMonitoring

/// The alerts that simulated phones show for a story, due or not.
///
/// Every list, page and sentence about a profile means these by alerts. Over several tracks the
/// alerts add up, and the share is that of the track on which most phones alert.
package struct ShownAlerts: Equatable, Sendable {
  /// If a smaller share of phones alerts, the story never does.
  package static let leastShare = 0.05

  /// The alerts in all trials.
  package var alerts: Int
  /// The trials with at least one alert.
  package var phones: Int
  /// The trials of a track.
  package var trials: Int

  /// Creates counts, by default of no trials.
  package init(alerts: Int = 0, phones: Int = 0, trials: Int = 0) {
    (self.alerts, self.phones, self.trials) = (alerts, phones, trials)
  }

  /// The alerts that a phone shows on average.
  package var mean: Double { trials == 0 ? 0 : Double(alerts) / Double(trials) }

  /// The share of phones that alert at least once.
  package var share: Double { trials == 0 ? 0 : Double(phones) / Double(trials) }

  /// The 95 % confidence interval of ``share``, given the number of trials.
  package var interval: WilsonInterval { WilsonInterval(phones, of: trials) }

  /// Whether so few phones alert that the story counts as never alerting.
  package var isNever: Bool { share < Self.leastShare }

  /// Whether at least half of the phones alert.
  package var isUsual: Bool { share >= 0.5 }

  /// Adds another track.
  package static func += (sum: inout ShownAlerts, track: ShownAlerts) {
    sum.alerts += track.alerts
    sum.phones = max(sum.phones, track.phones)
    sum.trials = max(sum.trials, track.trials)
  }
}
