package import Fencepost
import FencepostAnalysis
import FencepostMonitoring
package import FencepostPhones

/// A phone or engine that can be chosen in the studio.
package struct StudioPhone: Sendable {
  /// What names it on the command line: a built-in profile's name, or a file.
  package var word: String
  /// The profile.
  package var profile: PhoneProfile

  /// Makes a choice.
  package init(word: String, profile: PhoneProfile) {
    self.word = word
    self.profile = profile
  }

  /// Those that come with the library.
  package static var builtIn: [StudioPhone] {
    BuiltInProfile.allCases.map { StudioPhone(word: $0.rawValue, profile: $0.profile) }
  }
}

/// A session's rules, and the phone that they are those of.
package struct StudioSetting: Sendable {
  /// The rules of the session; with a phone, its own are among them.
  package var session: TrackSession.Options
  /// The phone, by the word that names it on the command line; nil for none.
  package var profile: String?
  /// What the phone does; nil for none.
  package var phone: PhoneRules?
  /// How often each track is run on the simulated phone, 1 … 100,000.
  package var trials = 200
  /// What its random numbers are made from, 0 or more.
  package var seed = 1

  /// Makes a setting without a phone.
  package init(session: TrackSession.Options = TrackSession.Options()) {
    self.session = session
  }

  /// A setting with a phone's own rules, wherever nobody asks for others.
  init(_ phone: StudioPhone) {
    self.init()
    (profile, self.phone) = (phone.word, PhoneRules(phone.profile))
    self.phone?.apply(to: &session)
  }

  /// What would be so if nobody had asked for anything: the defaults, and the phone's own rules.
  var usual: TrackSession.Options {
    var usual = TrackSession.Options()
    phone?.apply(to: &usual)
    return usual
  }
}

// MARK: Chances

extension StudioSetting {
  /// The rules under which an analysis simulates the phone; those of the session without one.
  ///
  /// An analysis takes the limit and the refresh distance from the profile, and no other rule. What somebody has
  /// asked for holds in both.
  var analysis: TrackSession.Options {
    guard let profile = phone?.profile else { return session }
    var plain = TrackSession.Options()
    plain.monitoring.limit = profile.limits.regions.value.value
    plain.monitoring.significantChangeMeters = profile.refresh.distanceMeters.value
    var analysis = session
    for option in RuleOption.all where option.value(session) == option.value(usual) {
      option.copy(plain, &analysis)
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
      simulation: PhoneSimulation.Options(
        trials: trials, seed: UInt64(seed), event: analysis.alertsOn == .exit ? .exit : .enter))
    chance.measuresDoubts = false
    return chance
  }
}
