import FencepostMonitoring
import FencepostPhones
import Foundation
import Testing

@Suite("Profiles")
struct PhoneProfileTests {
  @Test(
    "Every built-in profile is the text that it would write, or what differs from its base",
    arguments: BuiltInProfile.allCases)
  func canonical(builtIn: BuiltInProfile) throws {
    let profile = try PhoneProfile(parsing: builtIn.text.span)
    #expect(profile.name == builtIn.rawValue)
    let own = try members(of: builtIn.text)
    guard let base = (own["base"] as? String).flatMap(BuiltInProfile.init) else {
      #expect(profile.json == String(decoding: builtIn.text, as: UTF8.self))
      return
    }
    let (whole, other) = (
      try members(of: Array(profile.json.utf8)), try members(of: Array(base.profile.json.utf8))
    )
    for (section, values) in own.compactMapValues({ $0 as? [String: NSDictionary] }) {
      for (key, value) in values {
        #expect((whole[section] as? [String: NSDictionary])?[key] == value)
        #expect((other[section] as? [String: NSDictionary])?[key] != value, "\(section).\(key)")
      }
    }
  }

  private func members(of text: [UInt8]) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
  }

  @Test("A profile takes what it leaves out from the one that it begins from, but not its card")
  func base() throws {
    func read(_ base: String) throws -> PhoneProfile {
      let text = """
        {
          "name": "mine", "title": "My phone",
          "base": "\(base)",
          "refresh": {
            "distanceMeters": {"value": 300, "basis": "documented", "source": "a manual"}
          },
          "faults": {"lateShare": {"value": 0.5, "basis": "documented", "source": "a manual"}}
        }
        """
      return try PhoneProfile(parsing: Array(text.utf8).span)
    }
    var expected = BuiltInProfile.android14.profile
    (expected.name, expected.title, expected.card) = ("mine", "My phone", [])
    expected.refresh.distanceMeters = Sourced(300, basis: .documented, source: "a manual")
    expected.faults.lateShare = Sourced(0.5, basis: .documented, source: "a manual")
    #expect(try read("android-14") == expected)
    #expect(!expected.json.contains("\"base\""))
    let error = #expect(throws: ProfileError.self) { try read("nokia") }
    #expect(
      error?.description.hasPrefix("line 3: base: expected one of ideal, iphone, android") == true)
  }

  @Test("A profile that was written reads as itself", arguments: BuiltInProfile.allCases)
  func roundTrip(builtIn: BuiltInProfile) throws {
    var profile = builtIn.profile
    profile.title = "Quotes \" and \\, a\ttab, a\nline, \u{1}, é and 🙂"
    profile.position.correlationSeconds.value = 0.1 + 0.2
    profile.delivery.seconds[.ended].value = .mixture([
      .init(share: 0.25, of: .constant(1.5)),
      .init(
        share: 0.75, of: .quantiles([.init(share: 0, value: 0), .init(share: 1, value: 1e20)])),
    ])
    let text = Array(profile.json.utf8)
    #expect(try PhoneProfile(parsing: text.span) == profile)
  }

  @Test("What is uncertain has a low and a high value", arguments: BuiltInProfile.allCases)
  func uncertain(builtIn: BuiltInProfile) {
    let lines = builtIn.profile.lines
    for (line, source) in zip(lines, lines.dropFirst())
    where source.hasPrefix("    assumed:") || source.hasPrefix("    fitted:") {
      #expect(line.contains("(low "), "\(line)")
    }
  }

  @Test("A fault is named by its line and path", arguments: Fault.all)
  func faults(fault: Fault) throws {
    var text = String(decoding: BuiltInProfile.iphone.text, as: UTF8.self)
    let range = try #require(text.range(of: fault.old), "\(fault.old)")
    text.replaceSubrange(range, with: fault.new)
    let bytes = Array(text.utf8)
    let error = #expect(throws: ProfileError.self) { try PhoneProfile(parsing: bytes.span) }
    #expect(error?.description == fault.sentence)
  }

  /// A change of the iPhone's profile, and what is said of it.
  struct Fault: Sendable, CustomStringConvertible {
    var old: String
    var new: String
    var sentence: String
    var description: String { sentence }

    init(_ old: String, _ new: String, _ sentence: String) {
      (self.old, self.new, self.sentence) = (old, new, sentence)
    }

    static let all = [
      Fault(
        "\"name\": \"iphone\"", "\"name\": \"My phone\"",
        "line 2: name: expected lowercase letters, digits and hyphens"),
      Fault("\"value\": 20,", "\"value\": 0,", "line 6: limits.regions.value: expected 1 or more"),
      Fault(
        "\"value\": 20,", "\"value\": 2.5,",
        "line 6: limits.regions.value: expected a whole number"),
      Fault(
        "\"value\": 20,", "\"value\": \"many\",",
        "line 6: limits.regions.value: expected a number or \"none\""),
      Fault(
        "\"value\": 20,", "",
        "line 5: limits.regions: \"value\" is missing"),
      Fault(
        "\"value\": \"silent\"", "\"value\": \"loud\"",
        "line 23: limits.addedInside.value: expected one of silent, enter"),
      Fault(
        "\"low\": 0,\n", "",
        "line 10: limits.leastRadiusMeters: \"low\" and \"high\" must be given together"),
      Fault(
        "\"low\": 0,\n      \"high\": 200,\n", "",
        "line 10: limits.leastRadiusMeters: "
          + "an assumed value must have a \"low\" and a \"high\" value"),
      Fault(
        "[0.5, 250]", "[0.5, 2500]",
        "line 45: refresh.noticedBeyondMeters.value.at[2][1]: "
          + "expected a value not less than the previous one"),
      Fault(
        "\"value\": \"ignore\"", "\"value\": \"contains\"",
        "line 73: test.accuracy.value: must be \"ignore\" unless test.at is \"fixes\""),
      Fault(
        "\"refresh\": {", "\"refresh\": {\"speed\": 1,",
        "line 28: refresh: unknown member \"speed\"; expected one of "
          + "distanceMeters, leastIntervalSeconds, noticedBeyondMeters"),
      Fault("\"title\":", "\"title\"", "line 3: unexpected “\"” in JSON"),
    ]
  }
}
