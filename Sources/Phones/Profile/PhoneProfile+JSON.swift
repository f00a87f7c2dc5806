import FencepostMonitoring
import FencepostFormats

extension PhoneProfile {
  /// Reads a profile.
  ///
  /// - Parameter bytes: JSON as `Data/schemas/profile.schema.json` describes it; members that the schema
  ///   does not know are faults.
  /// - Throws: The first fault with its line and the path of the value.
  public init(parsing bytes: Span<UInt8>) throws(ProfileError) {
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw ProfileError(error)
    }
    do throws(JSONPathError) {
      self = try PhoneProfile(JSONNode(document))
    } catch {
      throw ProfileError(error, in: bytes)
    }
  }

  private init(_ node: JSONNode) throws(JSONPathError) {
    let known = ["name", "title", "limits", "refresh", "test", "confirmation", "position"]
    try node.allow(known + ["delivery", "notifications"])
    name = try Self.readName(node.member("name"))
    title = try node.member("title").string()
    limits = try Limits(node.member("limits"))
    refresh = try Refresh(node.member("refresh"))
    test = try Test(node.member("test"))
    confirmation = try Confirmation(node.member("confirmation"))
    position = try Positioning(node.member("position"))
    delivery = try Delivery(node.member("delivery"))
    notifications = try Notifications(node.member("notifications"))
    guard test.accuracy.value == .ignore || test.at.value == .fixes else {
      throw JSONPathError(
        path: "test.accuracy.value", sentence: "accuracy counts only where fixes are tested")
    }
  }

  private static func readName(_ node: JSONNode) throws(JSONPathError) -> String {
    let name = try node.string()
    let isGood = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
    guard isGood, !name.isEmpty else {
      throw node.error("expected small letters, digits and hyphens")
    }
    return name
  }

  /// The profile as JSON of two spaces an indent, with a line end; reading it gives an equal value.
  public var json: String { document.indentedText + "\n" }

  /// The profile as a tree.
  var document: JSONValue {
    .object([
      ("name", .string(name)), ("title", .string(title)), ("limits", limits.json),
      ("refresh", refresh.json), ("test", test.json), ("confirmation", confirmation.json),
      ("position", position.json), ("delivery", delivery.json),
      ("notifications", notifications.json),
    ])
  }
}

extension PhoneProfile.Limits {
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    try node.allow(["regions", "leastRadiusMeters", "greatestRadiusMeters", "addedInside"])
    regions = try node.count("regions")
    leastRadiusMeters = try node.nonNegative("leastRadiusMeters")
    greatestRadiusMeters = try .read(node.member("greatestRadiusMeters")) { bound in
      (bound.value ?? 1) > 0 ? nil : "expected more than 0"
    }
    addedInside = try .read(node.member("addedInside")) { _ in nil }
  }

  fileprivate var json: JSONValue {
    .object([
      ("regions", regions.json), ("leastRadiusMeters", leastRadiusMeters.json),
      ("greatestRadiusMeters", greatestRadiusMeters.json), ("addedInside", addedInside.json),
    ])
  }
}

extension PhoneProfile.Refresh {
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    try node.allow(["distanceMeters", "leastIntervalSeconds", "noticedBeyondMeters"])
    distanceMeters = try node.nonNegative("distanceMeters")
    leastIntervalSeconds = try node.nonNegative("leastIntervalSeconds")
    noticedBeyondMeters = try node.nonNegativeDistribution("noticedBeyondMeters")
  }

  fileprivate var json: JSONValue {
    .object([
      ("distanceMeters", distanceMeters.json), ("leastIntervalSeconds", leastIntervalSeconds.json),
      ("noticedBeyondMeters", noticedBeyondMeters.json),
    ])
  }
}

extension PhoneProfile.Test {
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    try node.allow(["at", "accuracy"])
    at = try .read(node.member("at")) { _ in nil }
    accuracy = try .read(node.member("accuracy")) { _ in nil }
  }

  fileprivate var json: JSONValue {
    .object([("at", at.json), ("accuracy", accuracy.json)])
  }
}

extension PhoneProfile.Confirmation {
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    let meters = ["enterCushionMeters", "exitCushionMeters"]
    try node.allow(meters + ["holdSeconds", "fixes", "dwellSeconds"])
    enterCushionMeters = try .read(node.member("enterCushionMeters")) { _ in nil }
    exitCushionMeters = try node.nonNegative("exitCushionMeters")
    holdSeconds = try node.nonNegative("holdSeconds")
    fixes = try .read(node.member("fixes")) { $0 >= 1 ? nil : "expected 1 or more" }
    dwellSeconds = try node.nonNegative("dwellSeconds")
  }

  fileprivate var json: JSONValue {
    .object([
      ("enterCushionMeters", enterCushionMeters.json),
      ("exitCushionMeters", exitCushionMeters.json), ("holdSeconds", holdSeconds.json),
      ("fixes", fixes.json), ("dwellSeconds", dwellSeconds.json),
    ])
  }
}

extension PhoneProfile.Positioning {
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    let sigmas = ["citySigmaMeters", "residentialSigmaMeters", "forestSigmaMeters"]
    try node.allow(["intervalSeconds"] + sigmas + ["correlationSeconds"])
    intervalSeconds = try node.nonNegative("intervalSeconds")
    citySigmaMeters = try node.nonNegative("citySigmaMeters")
    residentialSigmaMeters = try node.nonNegative("residentialSigmaMeters")
    forestSigmaMeters = try node.nonNegative("forestSigmaMeters")
    correlationSeconds = try node.nonNegative("correlationSeconds")
  }

  fileprivate var json: JSONValue {
    .object([
      ("intervalSeconds", intervalSeconds.json), ("citySigmaMeters", citySigmaMeters.json),
      ("residentialSigmaMeters", residentialSigmaMeters.json),
      ("forestSigmaMeters", forestSigmaMeters.json),
      ("correlationSeconds", correlationSeconds.json),
    ])
  }
}

extension PhoneProfile.Delivery {
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    let seconds = ["foregroundSeconds", "backgroundSeconds", "atRestSeconds", "endedSeconds"]
    let shares = ["neverInCityShare", "neverInResidentialShare", "neverInForestShare"]
    try node.allow(seconds + shares)
    foregroundSeconds = try node.nonNegativeDistribution("foregroundSeconds")
    backgroundSeconds = try node.nonNegativeDistribution("backgroundSeconds")
    atRestSeconds = try node.nonNegativeDistribution("atRestSeconds")
    endedSeconds = try node.nonNegativeDistribution("endedSeconds")
    neverInCityShare = try node.share("neverInCityShare")
    neverInResidentialShare = try node.share("neverInResidentialShare")
    neverInForestShare = try node.share("neverInForestShare")
  }

  fileprivate var json: JSONValue {
    .object([
      ("foregroundSeconds", foregroundSeconds.json),
      ("backgroundSeconds", backgroundSeconds.json), ("atRestSeconds", atRestSeconds.json),
      ("endedSeconds", endedSeconds.json), ("neverInCityShare", neverInCityShare.json),
      ("neverInResidentialShare", neverInResidentialShare.json),
      ("neverInForestShare", neverInForestShare.json),
    ])
  }
}

extension PhoneProfile.Notifications {
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    try node.allow(["pending", "kept"])
    pending = try node.count("pending")
    kept = try .read(node.member("kept")) { _ in nil }
  }

  fileprivate var json: JSONValue {
    .object([("pending", pending.json), ("kept", kept.json)])
  }
}

extension JSONNode {
  fileprivate func count(_ key: String) throws(JSONPathError) -> Sourced<Bound<Int>> {
    try .read(member(key)) { ($0.value ?? 1) >= 1 ? nil : "expected 1 or more" }
  }

  fileprivate func nonNegative(_ key: String) throws(JSONPathError) -> Sourced<Double> {
    try .read(member(key)) { $0 >= 0 ? nil : "expected 0 or more" }
  }

  fileprivate func share(_ key: String) throws(JSONPathError) -> Sourced<Double> {
    try .read(member(key)) { (0...1).contains($0) ? nil : "expected 0 to 1" }
  }

  fileprivate func nonNegativeDistribution(
    _ key: String
  ) throws(JSONPathError) -> Sourced<Distribution> {
    try .read(member(key)) { $0.least >= 0 ? nil : "expected no value below 0" }
  }
}
