import FencepostGeodesy
import FencepostPhones
import Testing

@Suite("Simulated phones")
struct PhoneSimulationTests {
  private let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.15)

  /// A point some meters north and east, within 0.3 %.
  private func point(_ north: Double, _ east: Double = 0) -> Coordinate {
    Coordinate(
      latitudeDegrees: center.latitudeDegrees + north / 111_030,
      longitudeDegrees: center.longitudeDegrees + east / 85_450)
  }

  /// A way north past the center at 10 m/s.
  private func way(_ east: Double = 0, from start: Double = -2000, to end: Double = 2000)
    -> PhonePath
  {
    PhonePath(
      stride(from: start, through: end, by: 100).map { north in
        PhonePath.Fix(seconds: (north - start) / 10, coordinate: point(north, east))
      })
  }

  private func chances(
    _ profile: PhoneProfile, _ path: PhonePath, _ stories: [PhoneStory],
    _ options: PhoneSimulationOptions = .init(trials: 300),
    monitored: (Int) -> [Int] = { _ in [0] }
  ) -> [StoryChance] {
    PhoneSimulation(profile: profile, options: options, path: path, trackKey: subjectKey("way"))
      .chances(of: stories.map { StoryPassage($0, on: path) }, monitored: monitored)
  }

  private func story(_ radius: Double, _ name: String = "story", at point: Coordinate? = nil)
    -> PhoneStory
  {
    PhoneStory(key: subjectKey(name), coordinate: point ?? center, radiusMeters: radius)
  }

  @Test("The ideal phone alerts at the edge, whenever the path is inside")
  func ideal() throws {
    let ideal = BuiltInProfile.ideal.profile
    for radius in [5.0, 30, 130, 700] {
      let account = chances(ideal, way(), [story(radius)])[0]
      #expect(account.share(.alert) == 1)
      #expect(try #require(account.delaySeconds.quantile(1)) == 0)
      #expect(abs(try #require(account.fromEdgeMeters.mean)) < 0.01)
    }
    #expect(chances(ideal, way(150), [story(140)])[0].trials == 0)
    #expect(chances(ideal, way(150), [story(160)])[0].share(.alert) == 1)
  }

  @Test(
    "An exit is noticed at any pace, because the phone goes on looking until it is sure",
    arguments: [1.3, 4.5, 8, 11])
  func exits(metersPerSecond: Double) {
    let path = PhonePath(
      stride(from: -3000.0, through: 3000, by: 50).map { north in
        PhonePath.Fix(seconds: (north + 3000) / metersPerSecond, coordinate: point(north))
      })
    let options = PhoneSimulationOptions(trials: 1000, event: .exit)
    for profile in [BuiltInProfile.iphone.profile, BuiltInProfile.ownTracks.profile] {
      let account = chances(profile, path, [story(400)], options) { _ in [0] }[0]
      let never = profile.delivery.neverShare[options.surroundings].value
      #expect(abs(account.share(.alert) - (1 - never)) < 0.03)
    }
  }

  @Test("An engine that tests fixes alone misses what lies between them")
  func fixesAlone() {
    let tile38 = BuiltInProfile.tile38.profile
    let between = story(40, at: point(50))
    #expect(chances(tile38, way(), [between])[0].share(.alert) == 0)
    #expect(chances(BuiltInProfile.ideal.profile, way(), [between])[0].share(.alert) == 1)
    #expect(chances(tile38, way(), [story(60, at: point(50))])[0].share(.alert) == 1)
  }

  @Test("A stated accuracy enlarges or shrinks a circle by the engine's rule")
  func accuracy() {
    let path = PhonePath([
      .init(seconds: 0, coordinate: point(-500), accuracyMeters: 30),
      .init(seconds: 60, coordinate: point(-110), accuracyMeters: 30),
      .init(seconds: 120, coordinate: point(-500), accuracyMeters: 30),
    ])
    func alerts(_ builtIn: BuiltInProfile, _ radius: Double) -> Bool {
      let runs = chances(builtIn.profile, path, [story(radius)])[0].runs
      return runs.alerting == runs.all
    }
    #expect(alerts(.homeAssistant, 85) && !alerts(.homeAssistant, 75))
    #expect(alerts(.tile38, 115) && !alerts(.tile38, 105))
    #expect(alerts(.esri, 145) && !alerts(.esri, 135))
  }

  @Test("Hold and a share never notified lose what they should")
  func confirmation() {
    var profile = BuiltInProfile.ideal.profile
    profile.confirmation.holdSeconds.value = 30
    // Through 280 m at 10 m/s in 28 s; through 320 m in 32 s, and a corner of it in 10 s.
    #expect(chances(profile, way(), [story(140)])[0].share(.smallRadius) == 1)
    #expect(chances(profile, way(), [story(160)])[0].share(.alert) == 1)
    #expect(chances(profile, way(152), [story(160)])[0].share(.shortStay) == 1)
    profile.delivery.neverShare[.residential].value = 0.3
    let account = chances(profile, way(), [story(300)], .init(trials: 4000))[0]
    // Five standard deviations of 4,000 trials.
    #expect(abs(account.share(.chance) - 0.3) < 0.037)
    #expect(account.share(.chance) + account.share(.alert) == 1)
  }

  @Test("Delays come from the profile's distribution")
  func delays() throws {
    var profile = BuiltInProfile.ideal.profile
    profile.delivery.seconds[.background].value = .lognormal(median: 60, sigma: 0.5)
    let account = chances(profile, way(), [story(300)], .init(trials: 4000))[0]
    #expect(abs(try #require(account.delaySeconds.quantile(0.5)) / 60 - 1) < 0.08)
    #expect(abs(try #require(account.delaySeconds.quantile(0.9)) / (60 * 1.8979527) - 1) < 0.08)
  }

  @Test(
    "A late refresh loses what a refresh in time would have monitored, the limit what it would not")
  func refreshes() {
    var profile = BuiltInProfile.ideal.profile
    profile.limits.regions.value = .at(1)
    profile.refresh.distanceMeters.value = 500
    let stories = [story(50, "a"), story(50, "b", at: point(1000)), story(50, "c", at: point(20))]
    // The nearer of the first two is monitored; c never is.
    func nearest(_ fix: Int) -> [Int] { -2000 + 100 * Double(fix) < 500 ? [0] : [1] }
    let sure = chances(profile, way(), stories, monitored: nearest)
    #expect(sure.map { $0.share(.alert) } == [1, 1, 0])
    #expect(sure[2].share(.limit) == 1)
    // Noticed up to 1,500 m late: the change to b comes in time in some trials.
    profile.refresh.noticedBeyondMeters.value = .quantiles([
      .init(share: 0, value: 0), .init(share: 1, value: 1500),
    ])
    let scattered = chances(profile, way(), stories, .init(trials: 2000), monitored: nearest)
    #expect(scattered[0].share(.alert) == 1)
    #expect((0.1...0.9).contains(scattered[1].share(.alert)))
    #expect(scattered[1].share(.alert) + scattered[1].share(.refresh) == 1)
    #expect(scattered[2].share(.limit) == 1)
  }

  @Test(
    "Outcomes add up and do not depend on the other stories or their order",
    arguments: [
      BuiltInProfile.iphone, .android,
    ])
  func independence(builtIn: BuiltInProfile) {
    var profile = builtIn.profile
    profile.limits.regions.value = .none
    let stories = (0..<12).map { number in
      story(30 + 20 * Double(number), "\(number)", at: point(-1500 + 250 * Double(number), 90))
    }
    let all = chances(profile, way(), stories)
    let reversed = chances(profile, way(), stories.reversed())
    #expect(all == reversed.reversed())
    #expect(all[7] == chances(profile, way(), [stories[7]])[0])
    for account in all {
      #expect(account.runs.all == 300 && [0, 300].contains(account.trials))
      #expect(TrialOutcome.allCases.reduce(0) { $0 + account[$1] } == account.trials)
    }
    #expect(Set(all.map { $0[.alert] }).count > 3)
    #expect(all != chances(profile, way(), stories, .init(trials: 300, seed: 2)))
  }

  @Test("A region added within the circle as the phone notices it is lost to the lookup")
  func addedInside() {
    // Noticed within 180 m: added 20 m before that, or in it, or between it and the true edge.
    var profile = BuiltInProfile.iphone.profile
    profile.position.sigmaMeters[.residential].value = 0.001
    profile.delivery.neverShare[.residential].value = 0
    profile.refresh.noticedBeyondMeters.value = .constant(0)
    for (start, isSilent) in [(-200.0, false), (-170, true), (-110, true)] {
      let path = PhonePath([
        .init(seconds: 0, coordinate: point(start)),
        .init(seconds: (2000 - start) / 2, coordinate: point(2000)),
      ])
      let chance = chances(profile, path, [story(100)])[0]
      #expect(chance.share(isSilent ? .refresh : .alert) == 1, "\(start)")
    }
  }

  @Test("The side of an added region has no step where the phone stops being near")
  func addedNear() {
    let profile = BuiltInProfile.iphone.profile
    let shares = stride(from: 240.0, through: 320, by: 10).map { start in
      let path = PhonePath([
        .init(seconds: 0, coordinate: point(-start)),
        .init(seconds: (2000 + start) / 10, coordinate: point(2000)),
      ])
      return chances(profile, path, [story(100)], .init(trials: 4000))[0].share(.alert)
    }
    for (before, next) in zip(shares, shares.dropFirst()) {
      // The true curve rises by less than 0.04 in 10 m; two estimates differ by up to 0.03.
      #expect(abs(next - before) < 0.07, "\(shares)")
    }
  }

  @Test("An alert counts for the nearest entry around whose stay it comes, and an entry for one")
  func belonging() {
    let ideal = BuiltInProfile.ideal.profile
    // Inside from 185 s to 215 s.
    func chance(_ entries: [PhoneEntry]) -> StoryChance {
      let story = PhoneStory(
        key: 1, coordinate: center, radiusMeters: 150, entries: entries)
      return chances(ideal, way(), [story])[0]
    }
    let due = PhoneEntry(seconds: 185, endSeconds: 215, isDue: true)
    #expect(chance([due]).share(.alert) == 1)
    let early = PhoneEntry(seconds: -760, endSeconds: -710, isDue: true)
    let farEarly = PhoneEntry(seconds: -800, endSeconds: -730, isDue: true)
    #expect(chance([early]).share(.alert) == 1)
    #expect(chance([farEarly]).runs.falseAlerts == 300)
    #expect(chance([farEarly])[.alert] == 0 && chance([farEarly]).trials == 300)
    let notDue = PhoneEntry(seconds: 190, endSeconds: 215, isDue: false)
    let both = chance([early, notDue])
    #expect(both.runs.laterAlerts == 300 && both[.alert] == 0 && both.runs.falseAlerts == 0)
    #expect(chance([early, due]).share(.alert) == 0.5)
    #expect(chance([early, due]).probability == 1)
  }

  @Test("Nothing is observed across a break, and an empty path has no trial")
  func breaks() {
    let ideal = BuiltInProfile.ideal.profile
    let broken = PhonePath([
      .init(seconds: 0, coordinate: point(-500)),
      .init(seconds: 60, coordinate: point(500), isJoined: false),
    ])
    #expect(chances(ideal, broken, [story(100)])[0].trials == 0)
    #expect(chances(ideal, PhonePath([]), [story(100)])[0].trials == 0)
  }

  @Test("Faults of the system repeat, delay, withhold and make up reports")
  func faults() throws {
    // Over half an hour on the way, so that a report at the start belongs to no entry.
    let path = PhonePath(
      stride(from: -5000.0, through: 5000, by: 100).map { north in
        PhonePath.Fix(seconds: (north + 5000) / 2.5, coordinate: point(north))
      })
    func account(_ change: (inout PhoneProfile.Faults) -> Void) -> StoryChance {
      var profile = BuiltInProfile.ideal.profile
      change(&profile.faults)
      return chances(profile, path, [story(140)])[0]
    }
    let repeated = account { $0.repeatedShare.value = 1 }
    #expect(repeated.share(.alert) == 1 && repeated.runs.falseAlerts == 300)
    let late = account {
      $0.lateShare.value = 1
      $0.lateSeconds.value = .constant(60)
    }
    #expect(abs(try #require(late.delaySeconds.mean) - 60) < 0.01)
    #expect(account { $0.noRegionsShare.value = 1 }.share(.chance) == 1)
    let madeUp = account { $0.falseOnAddShare.value = 1 }
    #expect(madeUp.share(.alert) == 1 && madeUp.runs.falseAlerts == 300)
    // Silent for five of six minutes: the phone is inside for 112 s.
    let silent = account {
      $0.silencesPerHour.value = 60
      $0.silenceSeconds.value = .constant(300)
    }
    #expect((0.3...0.6).contains(silent.share(.alert)))
    #expect(silent.share(.alert) + silent.share(.chance) == 1)
    #expect(try #require(silent.delaySeconds.quantile(0.9)) > 50)
  }

  @Test("A lookup that the system ignores leaves the old circles watched")
  func staleLookups() {
    var profile = BuiltInProfile.ideal.profile
    profile.limits.regions.value = .at(1)
    profile.refresh.distanceMeters.value = 500
    func share(_ stale: Double) -> Double {
      profile.faults.staleLookupShare.value = stale
      let found = chances(profile, way(), [story(100)], monitored: { $0 < 5 ? [] : [0] })
      return found[0].share(.alert)
    }
    #expect(share(0) == 1 && share(1) == 0)
    #expect((0.05...0.95).contains(share(0.5)))
  }
}
