import FencepostSession
import FencepostMonitoring
import FencepostGeodesy
import FencepostNotifications
import FencepostPhones
import Testing

@Suite("The rules of a profile")
struct PhoneRulesTests {
  private func place(_ id: String, radiusMeters: Double) -> Place {
    Place(
      id: id, coordinate: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.15),
      radiusMeters: radiusMeters)
  }

  @Test("The ideal phone follows every circle to its edge, and monitors all")
  func ideal() {
    var expected = TrackSessionOptions()
    expected.monitoring.limit = nil
    var options = TrackSessionOptions()
    let rules = PhoneRules(BuiltInProfile.ideal.profile)
    rules.apply(to: &options)
    #expect(options.monitoring == expected.monitoring)
    #expect(options.alertsOn == .enter)
    #expect(!rules.changesCircles)
    #expect(rules.noticedRadiusMeters(of: 37.5) == 37.5)
  }

  @Test("A phone's limits, refreshes and confirmations take the place of a session's")
  func iphone() {
    var options = TrackSessionOptions()
    PhoneRules(BuiltInProfile.iphone.profile).apply(to: &options)
    var expected = MonitoringOptions()
    expected.minIntervalMilliseconds = 300_000
    // It notices enters 80 m before the edge, and exits 90 m beyond it.
    expected.exitMarginMeters = 10
    expected.confirmation.holdMilliseconds = 20_000
    #expect(options.monitoring == expected)
    #expect(options.alertsOn == .enter)
  }

  @Test("An engine that tests fixes has the same word for its test of accuracy")
  func engines() {
    var options = TrackSessionOptions()
    PhoneRules(BuiltInProfile.homeAssistant.profile).apply(to: &options)
    #expect(options.monitoring.test == .fixes)
    #expect(options.monitoring.accuracy == .intersects)
    #expect(options.monitoring.initial == .enter)
    #expect(options.monitoring.limit == nil)
  }

  @Test("A dwell in a profile is what alerts")
  func dwell() {
    var profile = BuiltInProfile.android.profile
    profile.confirmation.dwellSeconds.value = 90
    profile.confirmation.fixes.value = 3
    var options = TrackSessionOptions()
    PhoneRules(profile).apply(to: &options)
    #expect(options.monitoring.confirmation.dwellMilliseconds == 90_000)
    #expect(options.monitoring.confirmation.fixes == 3)
    #expect(options.alertsOn == .dwell)
  }

  @Test("Circles are noticed at the least radius and the cushion, or not at all")
  func circles() {
    var profile = BuiltInProfile.ideal.profile
    profile.limits.leastRadiusMeters.value = 50
    profile.limits.greatestRadiusMeters.value = .at(1000)
    profile.confirmation.enterCushionMeters.value = 60
    let rules = PhoneRules(profile)
    #expect(rules.changesCircles)
    let radii = [10.0, 60, 61, 1000, 1001].map { rules.noticedRadiusMeters(of: $0) }
    #expect(radii == [nil, nil, 1, 940, nil])
    let noticed = rules.noticed([
      place("small", radiusMeters: 10), place("good", radiusMeters: 100),
      place("large", radiusMeters: 5000),
    ])
    #expect(noticed == [place("good", radiusMeters: 40)])
  }

  @Test("A cushion before the edge never makes a circle larger than the Earth has")
  func whole() {
    let rules = PhoneRules(BuiltInProfile.iphone.profile)
    #expect(rules.noticedRadiusMeters(of: 20_000_000) == 20_000_000)
    #expect(rules.noticedRadiusMeters(of: 30) == 180)
  }

  @Test("A phone holds as many notifications and regions as its profile says")
  func device() {
    #expect(PhoneRules(BuiltInProfile.iphone.profile).notificationLimits.totalLimit == 64)
    #expect(PhoneRules(BuiltInProfile.iphone.profile).notificationLimits.regionLimit == 20)
    #expect(PhoneRules(BuiltInProfile.iphone.profile).notificationLimits.retention == .lastAdded)
    #expect(PhoneRules(BuiltInProfile.android.profile).notificationLimits.totalLimit == nil)
    #expect(PhoneRules(BuiltInProfile.tile38.profile).notificationLimits.regionLimit == .max)
  }
}
