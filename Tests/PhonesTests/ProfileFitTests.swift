import FencepostGeodesy
import FencepostPhones
import Foundation
import TestSupport
import Testing

/// With `FENCEPOST_FITS=40`, 40 logs are fitted and the coverage of the intervals is printed.
@Suite("Profiles fitted to test walks")
struct ProfileFitTests {
  /// What the simulated phone really does.
  private static let truth: PhoneProfile = {
    var profile = BuiltInProfile.iphone.profile
    profile.confirmation.enterCushionMeters.value = -30
    profile.confirmation.exitCushionMeters.value = 60
    profile.delivery.seconds[.background].value = .lognormal(median: 40, sigma: 0.7)
    profile.delivery.neverShare[.residential].value = 0.1
    return profile
  }()
  private static let trueValues = [-30, 60, 40, 0.7, 0.1]

  /// 50 ways past a circle, from 1 to 8 m/s.
  private static let walks: [KnownWalk] = {
    var random = SplitMix64(seed: 37)
    return (0..<50).map { number in
      let center = Coordinate(latitudeDegrees: 47.69, longitudeDegrees: 9.19)
      let pace = random.double(1...8)
      let radius = random.double(100...200)
      let east = random.double(-60...60)
      let start = 1_772_625_600.0 + 86_400 * Double(number)
      let end = 400 + 450 * pace
      let path = PhonePath(
        stride(from: -1000, through: end, by: 20).map { north in
          PhonePath.Fix(
            seconds: start + (north + 1000) / pace,
            coordinate: Coordinate(
              latitudeDegrees: center.latitudeDegrees + north / 111_190,
              longitudeDegrees: center.longitudeDegrees + east / 74_900))
        })
      return KnownWalk(
        path: path, key: UInt64(number),
        circles: [PhoneStory(key: 7, coordinate: center, radiusMeters: radius)])
    }
  }()

  /// What one phone reports on all walks.
  private static func log(seed: UInt64) -> [CrossingReport] {
    var reports: [CrossingReport] = []
    for walk in walks {
      for side in CrossingSide.allCases {
        let simulation = PhoneSimulation(
          profile: truth,
          options: .init(trials: 1, seed: 2 * seed + (side == .exit ? 1 : 0), event: side),
          path: walk.path,
          trackKey: walk.key)
        _ = simulation.chances(
          of: walk.circles.map { StoryPassage($0, on: walk.path) }, monitored: { _ in [0] },
          applyRules: { _, attempts in
            reports += attempts.compactMap(\.seconds).map {
              CrossingReport(circle: 7, side: side, seconds: $0)
            }
          })
      }
    }
    return reports
  }

  private static func fitted(_ reports: [CrossingReport]) throws -> FittedProfile {
    var options = ProfileFit.Options()
    options.trials = 32
    let fit = ProfileFit(
      base: BuiltInProfile.iphone.profile, walks: walks, options: options)
    return try #require(fit.fit(reports))
  }

  @Test("Fifty walks recover what the phone does, within 95 % intervals, and say what they are")
  func recovery() throws {
    let logs = ProcessInfo.processInfo.environment["FENCEPOST_FITS"].flatMap { UInt64($0) }
    var hits = Self.trueValues.map { _ in 0 }
    for seed in 1...(logs ?? 1) {
      let fitted = try Self.fitted(Self.log(seed: 1000 + seed))
      #expect(fitted.entries.of == 50 && fitted.exits.of == 50 && fitted.extraReports == 0)
      #expect(fitted.values.count == Self.trueValues.count)
      for (place, (value, truth)) in zip(fitted.values, Self.trueValues).enumerated() {
        let contains = (value.low...value.high).contains(truth)
        if contains { hits[place] += 1 }
        if logs == nil { #expect(contains, "\(value.sentence), really \(truth)") }
      }
      let profile = fitted.profile
      let text = Array(profile.json.utf8)
      #expect(try PhoneProfile(parsing: text.span) == profile)
      #expect(profile.card[0].hasPrefix("Fitted to 50 test walks: "))
      #expect(profile.limits == BuiltInProfile.iphone.profile.limits)
      #expect(profile.delivery.seconds[.background].basis == .fitted)
      // The intervals say something: meters, meters, seconds, 1, share.
      for (value, most) in zip(fitted.values, [120, 120, 40, 0.6, 0.2]) {
        #expect(value.high - value.low < most, "\(value.sentence)")
      }
    }
    if let logs { print("study: 95 % intervals that contain the truth, of \(logs): \(hits)") }
  }

  @Test("Walks without a crossing fit nothing")
  func nothing() {
    let walk = KnownWalk(path: Self.walks[0].path, key: 1, circles: [])
    #expect(ProfileFit(base: Self.truth, walks: [walk]).fit(Self.log(seed: 1)) == nil)
  }
}
