import FencepostGeodesy
import FencepostPhones
import Foundation
import TestSupport
import Testing

/// Profiles beside exits that real phones reported; see `Data/field/README.md`.
@Suite("Exits in the field")
struct FieldExitTests {
  struct Exit {
    var name: String
    var profile: BuiltInProfile
    var center: Coordinate
    var radius, delaySeconds: Double
    var fixes: [PhonePath.Fix]
  }

  struct UnreadableExit: Error {
    var line: Substring
  }

  private static func text(_ name: String) throws -> [Substring] {
    let file = Document.project.appendingPathComponent("Data/field/\(name).csv")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
      .map { $0 }
  }

  private static func exits() throws -> [Exit] {
    try text("exits").map { line in
      let fields = line.split(separator: ",").map(String.init)
      let numbers = fields.dropFirst(2).compactMap { Double($0) }
      guard fields.count == 7, numbers.count == 5,
        let profile = BuiltInProfile(rawValue: fields[1])
      else { throw UnreadableExit(line: line) }
      return Exit(
        name: fields[0], profile: profile,
        center: Coordinate(latitudeDegrees: numbers[0], longitudeDegrees: numbers[1]),
        radius: numbers[2], delaySeconds: numbers[3], fixes: try fixes(fields[0]))
    }
  }

  private static func fixes(_ name: String) throws -> [PhonePath.Fix] {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    var last: Double?
    return try text(name).map { line in
      let fields = line.split(separator: ",").map(String.init)
      guard fields.count == 3, let latitude = Double(fields[1]), let longitude = Double(fields[2])
      else { throw UnreadableExit(line: line) }
      let seconds = try format.parse(fields[0]).timeIntervalSince1970
      defer { last = seconds }
      return PhonePath.Fix(
        seconds: seconds,
        coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
        isJoined: seconds - (last ?? seconds) <= 600)
    }
  }

  private static func chance(_ exit: Exit, _ profile: PhoneProfile) -> StoryChance {
    let path = PhonePath(exit.fixes)
    let simulation = PhoneSimulation(
      profile: profile, options: .init(trials: 1000, event: .exit), path: path,
      trackKey: subjectKey(exit.name))
    let story = PhoneStory(
      key: subjectKey(exit.name), coordinate: exit.center, radiusMeters: exit.radius)
    return simulation.chances(of: [StoryPassage(story, on: path)]) { _ in [0] }[0]
  }

  @Test(
    "come on simulated phones as surely and as late as they were reported",
    arguments: [BuiltInProfile.iphone2019, .android2016])
  func held(builtIn: BuiltInProfile) throws {
    let exits = try Self.exits().filter { $0.profile == builtIn }
    #expect(exits.count == (builtIn == .iphone2019 ? 10 : 12))
    var (beyond, before) = (0, 0)
    for exit in exits {
      let chance = Self.chance(exit, builtIn.profile)
      #expect(chance.probability ?? 0 >= 0.9, "\(exit.name)")
      if exit.delaySeconds > chance.delaySeconds.quantile(0.9) ?? 0 { beyond += 1 }
      if exit.delaySeconds < chance.delaySeconds.quantile(0.5) ?? 0 { before += 1 }
    }
    #expect(beyond * 10 <= exits.count * 3, "\(beyond) beyond the 90th percentile")
    #expect((0.2...0.8).contains(Double(before) / Double(exits.count)), "\(before) before")
  }
}
