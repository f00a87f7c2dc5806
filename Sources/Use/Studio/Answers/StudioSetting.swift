#if Command
package import FencepostSession
import FencepostAnalysis
import FencepostMonitoring
import FencepostNotifications
package import FencepostPhones

/// A phone or engine that can be chosen in the studio.
///
/// Rules keep only the word, so that a link or a file of rules stays short.
package final class StudioPhone: Sendable {
  /// Its name on the command line: a built-in profile, or a file.
  package let word: String
  /// What the phone does, read when the studio starts.
  package let profile: PhoneProfile

  /// Creates a choice, which rules find by its word.
  package init(word: String, profile: PhoneProfile) {
    self.word = word
    self.profile = profile
  }
}

/// A session's rules and the phone that they belong to.
///
/// It is what the page's controls show. Every answer is computed from one setting and one set of
/// changes.
package struct StudioSetting: Sendable {
  /// The rules of the session, including those of the phone.
  package var session: TrackSessionOptions
  /// The phone by its command-line name; nil for none.
  package var profile: String?
  /// How the phone behaves; nil for none.
  package var phone: PhoneRules?
  /// How often to simulate each track, 1 to 100,000.
  package var trials = 200
  /// The random seed, 0 or more.
  package var seed: Int64 = 1

  /// Creates a setting without a phone.
  package init(session: TrackSessionOptions = TrackSessionOptions()) {
    self.session = session
  }

  /// Creates a setting of a session with the phone and the simulation that rules name.
  init(session: TrackSessionOptions, _ rules: StudioRules, _ phones: [StudioPhone]) {
    self.init(session: session)
    (trials, seed) = (rules.trials, rules.seed)
    guard let phone = phones.first(where: { $0.word == rules.profile }) else { return }
    (profile, self.phone) = (phone.word, PhoneRules(phone.profile))
  }

  /// Creates a setting with a phone's own rules and defaults.
  init(_ phone: StudioPhone) {
    self.init()
    (profile, self.phone) = (phone.word, PhoneRules(phone.profile))
    self.phone?.apply(to: &session)
  }

  /// The baseline: library defaults overridden by the phone's rules.
  var usual: TrackSessionOptions {
    var usual = TrackSessionOptions()
    phone?.apply(to: &usual)
    return usual
  }
}

// MARK: Chances

extension StudioSetting {
  /// The rules under which an analysis simulates the phone; without one, the session's.
  ///
  /// An analysis takes only the limit and the refresh distance from the profile. What the user
  /// chose applies in both.
  var analysis: TrackSessionOptions {
    guard let profile = phone?.profile else { return session }
    var plain = TrackSessionOptions()
    plain.monitoring.limit = profile.limits.regions.value.value
    plain.monitoring.significantChangeMeters = profile.refresh.distanceMeters.value
    var analysis = session
    for rule in Rules.table where rule.value(session) == rule.value(usual) {
      rule.copy(from: plain, to: &analysis)
    }
    return analysis
  }

  /// The phone to simulate; nil without one.
  var chance: ChanceOptions? {
    guard let profile = phone?.profile else { return nil }
    let (rule, usual, analysis) = (session.monitoring, usual.monitoring, analysis)
    var app = AppRules()
    if rule.limit != usual.limit { app.limit = rule.limit }
    app.hasTripwire = rule.hasTripwire
    if rule.significantChangeMeters != usual.significantChangeMeters {
      app.refreshMeters = rule.significantChangeMeters
    }
    app.leastIntervalMilliseconds = analysis.monitoring.minIntervalMilliseconds
    if analysis.alertsOn == .dwell {
      app.dwellMilliseconds = analysis.monitoring.confirmation.dwellMilliseconds
    }
    var chance = ChanceOptions(
      profiles: [profile.following(app)],
      simulation: PhoneSimulationOptions(
        trials: trials, seed: UInt64(seed), event: analysis.alertsOn == .exit ? .exit : .enter))
    chance.measuresDoubts = false
    return chance
  }
}
#endif
