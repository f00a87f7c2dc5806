import FencepostFormats

/// One value of a profile: its name in JSON, and how to read, write and vary it.
struct ProfileField {
  /// The path in JSON, such as `limits.regions`.
  let name: String
  let read: (JSONNode, inout PhoneProfile) throws(JSONPathError) -> Void
  let json: (PhoneProfile) -> JSONValue
  /// What the value rests on; nil if the profile leaves it out.
  let basis: (PhoneProfile) -> Basis?
  /// The value with its range, and the source on a second line.
  let lines: (PhoneProfile) -> [String]
  let doubt: (PhoneProfile) -> ProfileDoubt?
  /// The surroundings in which the value can decide whether an alert comes.
  let surroundings: [Surroundings]

  /// Lends the field's value to the closure, and returns what that returns.
  typealias Access<Value: ProfileValue> = (
    inout PhoneProfile, (inout Sourced<Value>) -> Sourced<Value>
  ) -> Sourced<Value>

  /// Creates a field; `fault` returns a message if a value is out of range.
  init<Value: ProfileValue>(
    _ name: String, _ access: @escaping Access<Value>,
    in surroundings: [Surroundings] = [], _ fault: @escaping (Value) -> String? = { _ in nil }
  ) {
    self.name = name
    self.surroundings = surroundings
    let key = String(name.drop { $0 != "." }.dropFirst())
    let isOptional = name.hasPrefix("faults.")
    func get(_ profile: PhoneProfile) -> Sourced<Value> {
      var profile = profile
      return access(&profile) { $0 }
    }
    func setting(_ value: Value, in profile: PhoneProfile) -> PhoneProfile {
      var profile = profile
      _ = access(&profile) {
        $0.value = value
        return $0
      }
      return profile
    }
    read = { node, profile throws(JSONPathError) in
      let value = try Sourced(node, fault)
      _ = access(&profile) {
        $0 = value
        return value
      }
    }
    json = { get($0).json }
    basis = {
      let value = get($0)
      return isOptional && value.source.isEmpty ? nil : value.basis
    }
    lines = { profile in
      let value = get(profile)
      var range = ""
      if let low = value.low, let high = value.high {
        range = " (low \(low.words), high \(high.words))"
      }
      return [
        "  \(key): \(value.value.words)\(range)",
        "    \(value.basis.rawValue): \(value.source)",
      ]
    }
    doubt = { profile in
      let value = get(profile)
      guard let low = value.low, let high = value.high, low != high else { return nil }
      return ProfileDoubt(
        name: name, basis: value.basis, words: (value.value.words, low.words, high.words),
        low: setting(low, in: profile), high: setting(high, in: profile))
    }
  }

  var section: String { String(name.prefix { $0 != "." }) }
  var key: String { String(name.dropFirst(section.count + 1)) }

  /// All fields by section, in the order of the JSON.
  static var sections: [(name: String, fields: [ProfileField])] {
    var sections: [(name: String, fields: [ProfileField])] = []
    for field in all {
      if sections.last?.name != field.section { sections.append((field.section, [])) }
      sections[sections.count - 1].fields.append(field)
    }
    return sections
  }

  private static var all: [ProfileField] {
    let always = Surroundings.allCases
    func positive(_ count: Bound<Int>) -> String? {
      count.value ?? 1 >= 1 ? nil : "expected 1 or more"
    }
    func notNegative(_ number: Double) -> String? { number >= 0 ? nil : "expected 0 or more" }
    func neverNegative(_ values: Distribution) -> String? {
      values.least >= 0 ? nil : "expected no negative values"
    }
    func share(_ number: Double) -> String? { (0...1).contains(number) ? nil : "expected 0 to 1" }
    return [
      ProfileField("limits.regions", { $1(&$0.limits.regions) }, positive),
      ProfileField(
        "limits.leastRadiusMeters", { $1(&$0.limits.leastRadiusMeters) }, in: always, notNegative),
      ProfileField("limits.greatestRadiusMeters", { $1(&$0.limits.greatestRadiusMeters) }) {
        $0.value ?? 1 > 0 ? nil : "expected more than 0"
      },
      ProfileField("limits.addedInside", { $1(&$0.limits.addedInside) }),
      ProfileField(
        "refresh.distanceMeters", { $1(&$0.refresh.distanceMeters) }, in: always, notNegative),
      ProfileField(
        "refresh.leastIntervalSeconds", { $1(&$0.refresh.leastIntervalSeconds) }, in: always,
        notNegative),
      ProfileField(
        "refresh.noticedBeyondMeters", { $1(&$0.refresh.noticedBeyondMeters) }, in: always,
        neverNegative),
      ProfileField("test.at", { $1(&$0.test.at) }),
      ProfileField("test.accuracy", { $1(&$0.test.accuracy) }),
      ProfileField(
        "confirmation.enterCushionMeters", { $1(&$0.confirmation.enterCushionMeters) }, in: always),
      ProfileField(
        "confirmation.exitCushionMeters", { $1(&$0.confirmation.exitCushionMeters) }, in: always,
        notNegative),
      ProfileField(
        "confirmation.holdSeconds", { $1(&$0.confirmation.holdSeconds) }, in: always, notNegative),
      ProfileField("confirmation.fixes", { $1(&$0.confirmation.fixes) }, in: always) {
        $0 >= 1 ? nil : "expected 1 or more"
      },
      ProfileField(
        "confirmation.dwellSeconds", { $1(&$0.confirmation.dwellSeconds) }, in: always, notNegative),
      ProfileField(
        "position.intervalSeconds", { $1(&$0.position.intervalSeconds) }, in: always, notNegative),
      ProfileField(
        "position.citySigmaMeters", { $1(&$0.position.sigmaMeters[.city]) }, in: [.city],
        notNegative),
      ProfileField(
        "position.residentialSigmaMeters", { $1(&$0.position.sigmaMeters[.residential]) },
        in: [.residential], notNegative),
      ProfileField(
        "position.forestSigmaMeters", { $1(&$0.position.sigmaMeters[.forest]) }, in: [.forest],
        notNegative),
      ProfileField(
        "position.correlationSeconds", { $1(&$0.position.correlationSeconds) }, in: always,
        notNegative),
      ProfileField(
        "delivery.foregroundSeconds", { $1(&$0.delivery.seconds[.foreground]) }, neverNegative),
      ProfileField(
        "delivery.backgroundSeconds", { $1(&$0.delivery.seconds[.background]) }, neverNegative),
      ProfileField("delivery.atRestSeconds", { $1(&$0.delivery.seconds[.atRest]) }, neverNegative),
      ProfileField("delivery.endedSeconds", { $1(&$0.delivery.seconds[.ended]) }, neverNegative),
      ProfileField(
        "delivery.neverInCityShare", { $1(&$0.delivery.neverShare[.city]) }, in: [.city], share),
      ProfileField(
        "delivery.neverInResidentialShare", { $1(&$0.delivery.neverShare[.residential]) },
        in: [.residential], share),
      ProfileField(
        "delivery.neverInForestShare", { $1(&$0.delivery.neverShare[.forest]) }, in: [.forest],
        share),
      ProfileField("notifications.pending", { $1(&$0.notifications.pending) }, positive),
      ProfileField("notifications.kept", { $1(&$0.notifications.kept) }),
      ProfileField("faults.repeatedShare", { $1(&$0.faults.repeatedShare) }, in: always, share),
      ProfileField("faults.falseOnAddShare", { $1(&$0.faults.falseOnAddShare) }, in: always, share),
      ProfileField("faults.silencesPerHour", { $1(&$0.faults.silencesPerHour) }, in: always) {
        (0...60).contains($0) ? nil : "expected 0 to 60"
      },
      ProfileField(
        "faults.silenceSeconds", { $1(&$0.faults.silenceSeconds) }, in: always, neverNegative),
      ProfileField(
        "faults.staleLookupShare", { $1(&$0.faults.staleLookupShare) }, in: always, share),
      ProfileField("faults.noRegionsShare", { $1(&$0.faults.noRegionsShare) }, in: always, share),
      ProfileField("faults.lateShare", { $1(&$0.faults.lateShare) }, in: always, share),
      ProfileField("faults.lateSeconds", { $1(&$0.faults.lateSeconds) }, in: always, neverNegative),
    ]
  }
}

/// An uncertain value of a profile, and the profile with its low and its high value.
///
/// A class, because profiles are expensive to copy.
package final class ProfileDoubt: Sendable {
  /// The path of the value in the profile's JSON, such as `limits.leastRadiusMeters`.
  package let name: String
  /// What the value rests on.
  package let basis: Basis
  /// The value as text, with its low and high values.
  package let words: (value: String, low: String, high: String)
  /// The profile with the lowest plausible value.
  package let low: PhoneProfile
  /// The profile with the highest plausible value.
  package let high: PhoneProfile

  init(
    name: String, basis: Basis, words: (value: String, low: String, high: String),
    low: PhoneProfile, high: PhoneProfile
  ) {
    (self.name, self.basis, self.words) = (name, basis, words)
    (self.low, self.high) = (low, high)
  }
}

extension PhoneProfile {
  /// The uncertain values that can decide whether an alert comes, and not only when.
  package func doubts(in surroundings: Surroundings) -> [ProfileDoubt] {
    ProfileField.sections.flatMap { $0.fields }.filter { $0.surroundings.contains(surroundings) }
      .compactMap { $0.doubt(self) }
  }

  /// The number of values that rest on a kind of source.
  package func values(restingOn basis: Basis) -> Int {
    ProfileField.sections.flatMap { $0.fields }.count { $0.basis(self) == basis }
  }

  /// The profile as lines for people: each value with its range, and its source on a second line.
  package var lines: [String] {
    ["\(name): \(title)"] + card.map { "  " + $0 }
      + ProfileField.sections.flatMap { section in
        let given = section.fields.filter { $0.basis(self) != nil }
        return given.isEmpty ? [] : ["", section.name] + given.flatMap { $0.lines(self) }
      }
  }
}
