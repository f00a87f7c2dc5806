import FencepostGeodesy
import FencepostPhones
import Foundation
import TestSupport
import Testing

@Suite("Code in the guide to phones")
struct PhonesGuideTests {
  @Test("A profile is built in or read from its bytes")
  func profile() throws {
    let file = Document.project.appendingPathComponent("Sources/Core/Phones/Profiles/traccar.json")
    let bytes = [UInt8](try String(contentsOf: file, encoding: .utf8).utf8)
    // sample
    let phone = BuiltInProfile.iphone.profile
    print(phone.limits.regions.value, phone.limits.regions.source)
    let mine = try PhoneProfile(parsing: bytes.span)
    // end
    #expect(phone.limits.regions.value == .at(20))
    #expect(mine == BuiltInProfile.traccar.profile)
  }

  @Test("A path is run many times")
  func simulation() {
    let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.15)
    let path = PhonePath(
      (0...400).map { step in
        let north = Double(step - 200) * 1e-4
        return PhonePath.Fix(
          seconds: Double(step) * 8,
          coordinate: Coordinate(
            latitudeDegrees: center.latitudeDegrees + north,
            longitudeDegrees: center.longitudeDegrees))
      })
    let stories = [
      PhoneStory(key: subjectKey("story"), coordinate: center, radiusMeters: 100)
    ]
    func nearestTwenty(at fix: Int) -> [Int] { [0] }
    // sample
    let simulation = PhoneSimulation(
      profile: BuiltInProfile.iphone.profile, options: .init(trials: 200, seed: 1), path: path,
      trackKey: subjectKey("walk.gpx"))
    let passages = stories.map { StoryPassage($0, on: path) }
    let chances = simulation.chances(of: passages) { fix in nearestTwenty(at: fix) }
    print(chances[0].share(.alert), chances[0].alertInterval)
    // end
    #expect(chances.count == 1)
    #expect(chances[0].share(.alert) > 0.5)
  }
}
