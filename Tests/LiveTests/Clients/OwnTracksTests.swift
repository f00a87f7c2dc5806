import FencepostLive
import Testing

/// The messages have the form that OwnTracks' booklet describes (tech/json.md, features/encrypt.md).
@Suite("OwnTracks' messages")
struct OwnTracksTests {
  /// Sealed by PyNaCl 1.5.0 with the key `s3cr3t` and a nonce of the bytes 0 to 23:
  /// `{"_type":"location","lat":40.5,"lon":-75.5,"tst":1772643600,"tid":"ab","topic":"owntracks/ann/phone"}`.
  static let sealed =
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXM6gA/UZfszs+hsTbPsOetYeYDKsnpNqNrHoBXiT16R+tcxqLA8IEQ6Qmb61Da9gJCnsOTxlap7blNBVymMqghxheim8FVTRXuKEzA9WNowa0N3VTSgQ5UGMWrD5yn3uSFWktRuOvMui/vMNdHwduKrIMQSu9"

  private static func encrypted(_ data: String) -> String {
    #"{"_type":"encrypted","_id":"x","data":"\#(data)"}"#
  }

  @Test("A location has seconds, meters, km/h and degrees, and -1 where unknown")
  func location() throws {
    let request = try PostedRequest(
      body:
        #"{"_type":"location","BSSID":"x","acc":12,"alt":-1,"batt":87,"bs":1,"cog":360,"conn":"w","#
        + #""created_at":1772643605,"lat":39.9496,"lon":-75.1503,"m":1,"t":"u","tid":"ab","#
        + #""topic":"owntracks/ann/phone","tst":1772643600,"vac":3,"vel":36}"#)
    #expect(request.client == .ownTracks)
    #expect(request.post?.topicDevice == "ann/phone")
    #expect(request.post?.trackerID == "ab")
    #expect(request.records == ["- 2026-03-04T17:00:00Z 39.9496,-75.1503 12.0 10.0 0.0"])
    let unknown = try PostedRequest(
      body:
        #"{"_type":"location","lat":40,"lon":-75,"tst":1772643600,"acc":-1,"vel":-1,"cog":-1,"tid":"ab"}"#
    )
    #expect(unknown.records == ["- 2026-03-04T17:00:00Z 40.0,-75.0 - - -"])
  }

  @Test("A photo of some hundred kilobytes holds nothing up")
  func photo() throws {
    let image = String(repeating: "iVBORw0K", count: 50_000)
    let request = try PostedRequest(
      body: #"{"_type":"location","lat":40,"lon":-75,"tst":1772643600,"tid":"ab","poi":"Bell","#
        + #""image":"\#(image)"}"#)
    #expect(request.records == ["- 2026-03-04T17:00:00Z 40.0,-75.0 - - -"])
  }

  @Test("An encrypted message is opened by the key that fits, and its topic with it")
  func encrypted() throws {
    let keys = try OwnTracksKeys("another\ns3cr3t\n")
    let request = try PostedRequest(body: Self.encrypted(Self.sealed), keys: keys)
    #expect(request.client == .ownTracks)
    #expect(request.post?.topicDevice == "ann/phone")
    #expect(request.records == ["- 2026-03-04T17:00:00Z 40.5,-75.5 - - -"])
  }

  @Test("What no key opens is a fault, whatever was changed", arguments: 0..<8)
  func tampered(part: Int) throws {
    let keys = try OwnTracksKeys("s3cr3t")
    var data = Array(Self.sealed)
    let place = part * (data.count - 8) / 8
    data[place] = data[place] == "A" ? "B" : "A"
    for text in [String(data), "", "x", "AAAA"] {
      let request = try PostedRequest(body: Self.encrypted(text), keys: keys)
      #expect(request.records == ["- malformed"])
    }
  }

  @Test("Without a key an encrypted message is a fault")
  func withoutKey() throws {
    #expect(try PostedRequest(body: Self.encrypted(Self.sealed)).records == ["- malformed"])
  }

  @Test("A key has up to 32 bytes, and a file at least one", arguments: ["", "\n\n"])
  func keyLengths(text: String) throws {
    #expect(throws: OwnTracksKeyError.self) { try OwnTracksKeys(text) }
    _ = try OwnTracksKeys(String(repeating: "k", count: 32))
    #expect(throws: OwnTracksKeyError.self) {
      try OwnTracksKeys("k\n" + String(repeating: "é", count: 17))
    }
  }
}
