import FencepostAnalysis
public import FencepostSession
public import FencepostFixes
public import FencepostMonitoring
public import FencepostNotifications
import FencepostPhones

/// Follows a walk as a phone would, and throws unless everything expected happens.
///
/// A test of an app holds its stories and its rules with one call. The error says what was expected,
/// what was found, and why, so it needs no `#expect`:
///
/// ```swift
/// try expectStories(
///   stories, fixes: walk, rules: rules,
///   [.alert("independence-hall"), .noAlert("fort-mifflin"), .atMost(21), .certified])
/// ```
///
/// - Parameters:
///   - places: The stories.
///   - fixes: The walk, in the order in which it was recorded.
///   - rules: The rules of the phone and of its alerts.
///   - phone: A real phone, which is simulated many times. A story then alerts if at least half of
///     these phones do, and the error says how many did, and why the others did not. If nil, the
///     phone notices every crossing at once.
///   - expectations: What must happen. A story is named by its id, its title, or a part of either
///     that no other story has.
/// - Throws: ``UnmetExpectations``, and `PlaceIndexError` for a place that is invalid.
public func expectStories(
  _ places: [Place], fixes: [Fix], rules: TrackSessionOptions = .init(), phone: TestPhone? = nil,
  _ expectations: [StoryExpectation]
) throws {
  guard !fixes.isEmpty else { throw UnmetExpectations(description: "The walk has no fixes.") }
  let track = RecordedTrack(name: "the walk", fixes: fixes)
  let whatIf = try WhatIf(base: places, changes: PlaceChanges(), options: rules)
  guard let runs = try whatIf.follow([track]) else { throw CancellationError() }
  let chance = phone.map { ChanceOptions(profiles: [$0.profile]) }
  let judge = CaseJudge(
    whatIf, runs, [track], CaseRules(session: rules, chance: chance),
    mostTrials: CaseRunner.usualMostTrials)
  let failures = try expectations.map { try judge.finding(of: $0) }
    .filter { $0.outcome != .passed }
  guard failures.isEmpty else {
    throw UnmetExpectations(
      description: failures.map { ([$0.sentence] + $0.reasons).joined(separator: " ") }
        .joined(separator: "\n"))
  }
}

/// A phone that notices crossings late, or not at all, by what is known of such phones.
///
/// The random numbers are the same in every run, so a test does not pass by luck.
public struct TestPhone: Sendable {
  let profile: PhoneProfile

  /// An iPhone with an app that monitors regions in the background.
  public static let iphone = TestPhone(profile: BuiltInProfile.iphone.profile)
  /// An Android phone with an app that monitors geofences in the background.
  public static let android = TestPhone(profile: BuiltInProfile.android.profile)
}

/// What a walk did not bring, although ``expectStories(_:fixes:rules:phone:_:)`` expected it.
///
/// A test that lets it through fails with the description as its message.
public struct UnmetExpectations: Error, CustomStringConvertible {
  /// A line for each expectation that failed: what was expected, what was found, and why.
  public let description: String
}

extension StoryExpectation {
  /// The story alerts, between two instants and near its center if these are given.
  public static func alert(
    _ story: String, betweenMilliseconds: ClosedRange<Int64>? = nil, withinMeters: Double? = nil
  ) -> StoryExpectation {
    StoryExpectation(
      .alert(
        .named(story), AlertBounds(milliseconds: betweenMilliseconds, meters: withinMeters)))
  }

  /// At least this share of phones alerts for the story, above 0 and below 1; needs a ``TestPhone``.
  public static func alert(_ story: String, onShareOfPhones share: Double) -> StoryExpectation {
    StoryExpectation(.probability(.named(story), ProbabilityBound(least: share)))
  }

  /// The story does not alert.
  public static func noAlert(_ story: String) -> StoryExpectation {
    StoryExpectation(.noAlert(.named(story)))
  }

  /// The story is entered and held back, for this reason if one is given.
  public static func suppressed(
    _ story: String, _ reason: SuppressionReason? = nil
  ) -> StoryExpectation {
    StoryExpectation(
      .suppressed(.named(story), reason, AlertBounds(milliseconds: nil, meters: nil)))
  }

  /// The walk has so many alerts at most.
  public static func atMost(_ alerts: Int) -> StoryExpectation {
    StoryExpectation(.count(AlertCount(alerts, isMost: true)))
  }

  /// The walk has so many alerts at least.
  public static func atLeast(_ alerts: Int) -> StoryExpectation {
    StoryExpectation(.count(AlertCount(alerts, isMost: false)))
  }

  /// The first alerts of these stories come in this order.
  public static func order(_ stories: [String]) -> StoryExpectation {
    StoryExpectation(.order(stories.map { .named($0) }))
  }

  /// The adaptive lookup proves that nothing was missed.
  public static let certified = StoryExpectation(.certified(true))
}
