import FencepostGeodesy
import Foundation
import Testing

@Suite("A coordinate in JSON")
struct CoordinateTests {
  private let bell = Coordinate(latitudeDegrees: 39.9496, longitudeDegrees: -75.1503)

  @Test("has the names of NDJSON")
  func names() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let written = try encoder.encode(bell)
    #expect(String(decoding: written, as: UTF8.self) == #"{"lat":39.9496,"lon":-75.1503}"#)
    #expect(try JSONDecoder().decode(Coordinate.self, from: written) == bell)
  }

  @Test(
    "is read with each spelling of earlier versions",
    arguments: [
      #"{"latitudeDegrees":39.9496,"longitudeDegrees":-75.1503}"#,
      #"{"latitude":39.9496,"longitude":-75.1503}"#,
    ])
  func formerNames(_ json: String) throws {
    #expect(try JSONDecoder().decode(Coordinate.self, from: Data(json.utf8)) == bell)
  }

  @Test(
    "without one of its numbers is refused, by the name of today",
    arguments: [("{}", "lat"), (#"{"lat":1}"#, "lon"), (#"{"lon":1}"#, "lat")])
  func missing(_ json: String, _ name: String) throws {
    do {
      _ = try JSONDecoder().decode(Coordinate.self, from: Data(json.utf8))
      Issue.record("\(json) was read")
    } catch DecodingError.keyNotFound(let key, _) {
      #expect(key.stringValue == name)
    }
  }
}
