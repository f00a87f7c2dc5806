import FencepostFixes
import FencepostGeodesy
import FencepostHTTP
import FencepostLive
import TestSupport
import Testing

@Suite("Damaged posts")
struct DamagedPostTests {
  private static let messages = [
    "id=123456&timestamp=1772643600&lat=39.9496&lon=-75.1503&speed=10.0&bearing=270.5&valid=true",
    #"{"location":{"timestamp":"2026-03-04T17:00:00.250Z","coords":{"latitude":39.9,"longitude":-75.1,"#
      + #""accuracy":4.5,"speed":-1,"heading":-1}},"device_id":"123456"}"#,
    #"[{"id":"123456","lat":39.9,"lon":-75.1,"timestamp":1772643600},{"id":"1","timestamp":1}]"#,
    #"{"locations":["#
      + OverlandTests.feature(#""timestamp":"2026-03-04T17:00:00Z","device_id":"a""#)
      + #"],"current":{},"trip":{}}"#,
    #"{"type":"update_location","data":{"gps":[39.9,-75.1],"gps_accuracy":5,"speed":2}}"#,
    #"{"_type":"location","lat":39.9,"lon":-75.1,"tst":1772643600,"acc":5,"vel":3,"cog":9,"tid":"ab"}"#,
    OverlandTests.feature(#""time":"2026-03-04T17:00:00Z","accuracy":5,"heading":90,"device":"a""#),
  ]

  @Test("Whatever is changed, a fix is on the earth and its values are in range", arguments: 0..<7)
  func damaged(index: Int) throws {
    var random = SplitMix64(seed: UInt64(index))
    var fixCount = 0
    for _ in 0..<2000 {
      var body = Array(Self.messages[index].utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: body.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: body[place] = "0189-.eE\"{}[]:,&=% ".utf8.randomElement(using: &random) ?? 0
        case 1: body.remove(at: place)
        default: body.insert(contentsOf: body[place...].prefix(9), at: place)
        }
      }
      let request = HTTPRequest(method: "POST", path: "/")
      let context = ClientPost.Context(deviceField: "device", now: PostedRequest.now)
      for record in ClientPost(request, body, context)?.records ?? [] {
        guard case .fix(_, let fix) = record else { continue }
        fixCount += 1
        #expect(fix.coordinate.isValid)
        #expect(fix.timeMilliseconds != nil)
        #expect(!(fix.accuracyMeters < 0) && !(fix.speedMetersPerSecond < 0))
        #expect(fix.courseDegrees.isNaN || 0..<360 ~= fix.courseDegrees)
      }
    }
    #expect(fixCount > 400)
  }
}
