import FencepostMonitoring
import FencepostGeodesy
import FencepostPhones
import Foundation
import Testing

/// The designs of published field studies, walked by simulated phones.
///
/// `Tools/check phones` prints simulated beside published figures. The guide to the module says which of
/// them fitted a profile and which were left to test it.
@Suite("Field studies", .serialized)
struct FieldStudyTests {
  /// Study 1 of Samply: 3 radii x 3 surroundings x 2 systems x 2 directions, 10 crossings each.
  @Test("Samply's 360 crossings come out as published")
  func samply() throws {
    let study = SamplyStudy(Self.phones)
    let shares = SamplyStudy.published.map { published -> Bool in
      let found = study.share { $0.radiusMeters == published.radius && $0.side == published.side }
      let interval = WilsonInterval(published.notified, of: 60)
      Self.show(
        "\(Int(published.radius)) m \(published.side)", found,
        Double(published.notified) / 60, interval.low, interval.high)
      return (interval.low...interval.high).contains(found)
    }
    #expect(shares.allSatisfy { $0 })
    let all = WilsonInterval(297, of: 360)
    let share = study.share { _ in true }
    Self.show("all", share, 0.825, all.low, all.high)
    #expect((all.low...all.high).contains(share))
    for (side, published) in [(CrossingSide.enter, 87.0), (.exit, 234.0)] {
      let found = study.meanMetersFromCenter { $0.side == side }
      let notified = side == .enter ? 148.0 : 149.0
      // The spread is not known here: half the mean at least, the mean itself at most.
      let half = 1.96 * 0.5 * published / notified.squareRoot()
      Self.show(
        "meters from the center, \(side)", found, published, published - half, published + half)
      #expect(abs(found - published) <= half)
    }
  }

  @Test("Radii, surroundings and systems stand in the order that Samply found")
  func orders() {
    let study = SamplyStudy(Self.phones)
    let radii = [10.0, 50, 100].map { radius in study.share { $0.radiusMeters == radius } }
    #expect(radii[0] < radii[1] && radii[1] < radii[2])
    let forest = study.share { $0.surroundings == .forest }
    for surroundings in [Surroundings.city, .residential] {
      #expect(forest < study.share { $0.surroundings == surroundings })
    }
    let systems = ["iphone", "android"].map { name in study.share { $0.phone == name } }
    Self.show("iphone", systems[0], .nan, .nan, .nan)
    Self.show("android", systems[1], .nan, .nan, .nan)
    #expect(systems[1] < systems[0])
  }

  @Test("A stay of five minutes is noticed more often than a way through")
  func stays() {
    for phone in Self.phones {
      for radius in [10.0, 50] {
        let shares = [0.0, 300].map { stay in
          Walk(staySeconds: stay).account(phone, radius, .residential, .enter).share(.alert)
        }
        Self.show("\(phone.name), \(Int(radius)) m, stay of 5 min", shares[1], .nan, .nan, .nan)
        #expect(shares[0] <= shares[1] + 0.02)
      }
    }
  }

  @Test("An iPhone notifies before the edge and Android behind it")
  func earlyAndLate() throws {
    let meters = try Self.phones.map { phone in
      let radii = try [50.0, 100].map { radius in
        let account = Walk().account(phone, radius, .residential, .enter)
        return try #require(account.delaySeconds.mean)
      }
      return radii.reduce(0, +) / 2
    }
    Self.show("seconds behind the edge, iphone", meters[0], -55, .nan, .nan)
    Self.show("seconds behind the edge, android", meters[1], 146, .nan, .nan)
    #expect(meters[0] < 0 && meters[1] > 0)
  }

  @Test("Radius Networks' fence of 60 m is noticed as often as published")
  func radiusNetworks() {
    let phone = Self.phones[0]
    // 92 reminders came in both apps, 2 in one and 1 in the other, of about 100.
    let interval = WilsonInterval(93, of: 100)
    for pace in [1.3, 12] {
      let share = Walk(metersPerSecond: pace, staySeconds: 600)
        .account(phone, 60, .city, .enter).share(.alert)
      Self.show("60 m at \(pace) m/s", share, 0.93, interval.low, interval.high)
      #expect((interval.low...interval.high).contains(share))
    }
  }

  /// The built-in phones, or those of the folder that `Tools/check phones` names.
  private static let phones: [PhoneProfile] = {
    let folder = ProcessInfo.processInfo.environment["FENCEPOST_PROFILES"]
    return [BuiltInProfile.iphone, .android].map { builtIn in
      guard
        let bytes = folder.flatMap({
          try? Data(contentsOf: URL(fileURLWithPath: $0 + "/\(builtIn.rawValue).json"))
        })
      else { return builtIn.profile }
      do {
        return try PhoneProfile(parsing: Array(bytes).span)
      } catch {
        fatalError("\(builtIn.rawValue): \(error)")
      }
    }
  }()

  private static func show(
    _ what: String, _ found: Double, _ published: Double, _ low: Double, _ high: Double
  ) {
    guard ProcessInfo.processInfo.environment["FENCEPOST_STUDIES"] != nil else { return }
    func text(_ number: Double) -> String {
      number.isNaN ? "unknown" : String(format: abs(number) < 2 ? "%.3f" : "%.0f", number)
    }
    print(
      "study: \(what): simulated \(text(found)), published \(text(published)), "
        + "95 % from \(text(low)) to \(text(high))")
  }
}

/// The crossings of Samply's first study.
struct SamplyStudy {
  /// The crossings of one kind.
  struct Cell {
    var phone: String
    var radiusMeters: Double
    var surroundings: Surroundings
    var side: CrossingSide
    var account: StoryChance
  }

  /// How many of 60 crossings were notified.
  ///
  /// The paper gives shares; these counts are the ones that
  /// round to them, and they add up to the 297 of 360 that it names.
  static let published: [(radius: Double, side: CrossingSide, notified: Int)] = [
    (10, .enter, 39), (50, .enter, 54), (100, .enter, 55),
    (10, .exit, 37), (50, .exit, 55), (100, .exit, 57),
  ]

  let cells: [Cell]

  init(_ phones: [PhoneProfile]) {
    var cells: [Cell] = []
    for phone in phones {
      for radius in [10.0, 50, 100] {
        for surroundings in Surroundings.allCases {
          for side in CrossingSide.allCases {
            cells.append(
              Cell(
                phone: phone.name, radiusMeters: radius, surroundings: surroundings, side: side,
                account: Walk().account(phone, radius, surroundings, side)))
          }
        }
      }
    }
    self.cells = cells
  }

  /// The share notified of some of the crossings, each kind having as many.
  func share(_ isMeant: (Cell) -> Bool) -> Double {
    let meant = cells.filter(isMeant)
    return meant.reduce(0) { $0 + $1.account.share(.alert) } / Double(meant.count)
  }

  /// The mean distance from the center at the notification.
  func meanMetersFromCenter(_ isMeant: (Cell) -> Bool) -> Double {
    var (sum, count) = (0.0, 0)
    for cell in cells.filter(isMeant) {
      let edges = cell.account.fromEdgeMeters
      sum += ((edges.mean ?? 0) + cell.radiusMeters) * Double(edges.count)
      count += edges.count
    }
    return sum / Double(count)
  }
}

/// A straight way through the center of a circle, with a stay there.
struct Walk {
  var metersPerSecond = 1.3
  var staySeconds = 0.0
  var trials = 1000

  /// What a phone makes of it.
  func account(
    _ phone: PhoneProfile, _ radius: Double, _ surroundings: Surroundings, _ side: CrossingSide
  ) -> StoryChance {
    let center = Coordinate(latitudeDegrees: 47.69, longitudeDegrees: 9.19)
    let start = PhonePath.Fix(seconds: 0, coordinate: north(of: center, -800))
    let reached = 800 / metersPerSecond
    var fixes = [start, .init(seconds: reached, coordinate: center)]
    if staySeconds > 0 { fixes.append(.init(seconds: reached + staySeconds, coordinate: center)) }
    fixes.append(
      .init(
        seconds: reached + staySeconds + 3000 / metersPerSecond, coordinate: north(of: center, 3000)
      ))
    let path = PhonePath(fixes)
    let simulation = PhoneSimulation(
      profile: phone,
      options: .init(trials: trials, seed: 11, surroundings: surroundings, event: side),
      path: path,
      trackKey: subjectKey("\(phone.name) \(radius) \(surroundings) \(side)"))
    let story = PhoneStory(key: 1, coordinate: center, radiusMeters: radius)
    return simulation.chances(of: [StoryPassage(story, on: path)]) { _ in [0] }[0]
  }

  /// A degree of latitude has 111.2 km here, within 0.2 %.
  private func north(of center: Coordinate, _ meters: Double) -> Coordinate {
    Coordinate(
      latitudeDegrees: center.latitudeDegrees + meters / 111_190,
      longitudeDegrees: center.longitudeDegrees)
  }
}
