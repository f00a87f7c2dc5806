import FencepostLive
import Testing

@Suite("A broker's address")
struct MQTTAddressTests {
  @Test(
    "is parsed as users write it",
    arguments: [
      ("mqtt://host", "host", 1883, nil, ""),
      ("mqtt://host/owntracks/#", "host", 1883, nil, "owntracks/#"),
      ("mqtts://anna@box.example:8884/a/+/b", "box.example", 8884, "anna", "a/+/b"),
      ("mqtts://anna@example.org@[::1]/a", "::1", 8883, "anna@example.org", "a"),
    ])
  func parts(text: String, host: String, port: UInt16, user: String?, topic: String) throws {
    let address = try MQTTAddress(text)
    #expect(address.host == host && address.port == port)
    #expect(address.user == user && address.topic == topic)
    #expect(address.isEncrypted == text.hasPrefix("mqtts"))
  }

  @Test("is named without its user, and without a port that goes without saying")
  func name() throws {
    #expect(try MQTTAddress("mqtt://anna@host:1883/a").name == "mqtt://host/a")
    #expect(try MQTTAddress("mqtts://[::1]:1883").name == "mqtts://[::1]:1883")
  }

  @Test(
    "accepts nothing else",
    arguments: [
      "", "host", "http://host/a", "mqtt://", "mqtt:///a", "mqtt://:1883/a", "mqtt://host:0/a",
      "mqtt://anna:secret@host/a", "mqtt://a b/c",
    ])
  func refused(text: String) {
    #expect(throws: MQTTAddress.Fault.self) { try MQTTAddress(text) }
  }

  @Test(
    "leads to a client's name that is the same at each start, and differs by what it is made of")
  func clientID() {
    #expect(MQTTPlace.clientID(["machine", "mqtt://host"]) == "fencepost35is0jd27whfa")
    let names = [["a", "b"], ["ab"], ["a", "c"], []].map { MQTTPlace.clientID($0) }
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(name.utf8.count <= 22)
      #expect(name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }
  }
}

@Suite("A topic")
struct MQTTTopicTests {
  @Test(
    "has no wildcards",
    arguments: [("a", true), ("a/b", true), ("", false), ("a/+", false), ("#", false)])
  func topics(text: String, isTopic: Bool) {
    #expect(MQTTAddress.isTopic(text) == isTopic)
  }

  @Test(
    "is part of a filter in which wildcards stand for whole levels",
    arguments: [
      ("#", true), ("a/#", true), ("+/a/+", true), ("a", true), ("a/#/b", false), ("a#", false),
      ("a/b+", false), ("", false), ("a\0", false),
    ])
  func filters(text: String, isFilter: Bool) {
    #expect(MQTTAddress.isFilter(text) == isFilter)
  }
}
