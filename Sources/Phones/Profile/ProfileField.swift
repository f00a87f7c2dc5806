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

  /// Creates a field; `fault` returns a message if a value is out of range.
  init<Value: ProfileValue>(
    _ name: String, _ path: WritableKeyPath<PhoneProfile, Sourced<Value>>,
    in surroundings: [Surroundings] = [], _ fault: @escaping (Value) -> String? = { _ in nil }
  ) {
    self.name = name
    self.surroundings = surroundings
    let key = String(name.drop { $0 != "." }.dropFirst())
    let isOptional = name.hasPrefix("faults.")
    read = { node, profile throws(JSONPathError) in
      profile[keyPath: path] = try Sourced(node, fault)
    }
    json = { $0[keyPath: path].json }
    basis = {
      let value = $0[keyPath: path]
      return isOptional && value.source.isEmpty ? nil : value.basis
    }
    lines = { profile in
      let value = profile[keyPath: path]
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
      let value = profile[keyPath: path]
      guard let low = value.low, let high = value.high, low != high else { return nil }
      var (least, most) = (profile, profile)
      least[keyPath: path].value = low
      most[keyPath: path].value = high
      return ProfileDoubt(
        name: name, basis: value.basis, words: (value.value.words, low.words, high.words),
        low: least, high: most)
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
      ProfileField("limits.regions", \.limits.regions, positive),
      ProfileField(
        "limits.leastRadiusMeters", \.limits.leastRadiusMeters, in: always, notNegative),
      ProfileField("limits.greatestRadiusMeters", \.limits.greatestRadiusMeters) {
        $0.value ?? 1 > 0 ? nil : "expected more than 0"
      },
      ProfileField("limits.addedInside", \.limits.addedInside),
      ProfileField("refresh.distanceMeters", \.refresh.distanceMeters, in: always, notNegative),
      ProfileField(
        "refresh.leastIntervalSeconds", \.refresh.leastIntervalSeconds, in: always, notNegative),
      ProfileField(
        "refresh.noticedBeyondMeters", \.refresh.noticedBeyondMeters, in: always, neverNegative),
      ProfileField("test.at", \.test.at),
      ProfileField("test.accuracy", \.test.accuracy),
      ProfileField(
        "confirmation.enterCushionMeters", \.confirmation.enterCushionMeters, in: always),
      ProfileField(
        "confirmation.exitCushionMeters", \.confirmation.exitCushionMeters, in: always,
        notNegative),
      ProfileField(
        "confirmation.holdSeconds", \.confirmation.holdSeconds, in: always, notNegative),
      ProfileField("confirmation.fixes", \.confirmation.fixes, in: always) {
        $0 >= 1 ? nil : "expected 1 or more"
      },
      ProfileField(
        "confirmation.dwellSeconds", \.confirmation.dwellSeconds, in: always, notNegative),
      ProfileField("position.intervalSeconds", \.position.intervalSeconds, in: always, notNegative),
      ProfileField(
        "position.citySigmaMeters", \.position.sigmaMeters[.city], in: [.city], notNegative),
      ProfileField(
        "position.residentialSigmaMeters", \.position.sigmaMeters[.residential],
        in: [.residential], notNegative),
      ProfileField(
        "position.forestSigmaMeters", \.position.sigmaMeters[.forest], in: [.forest], notNegative),
      ProfileField(
        "position.correlationSeconds", \.position.correlationSeconds, in: always, notNegative),
      ProfileField("delivery.foregroundSeconds", \.delivery.seconds[.foreground], neverNegative),
      ProfileField("delivery.backgroundSeconds", \.delivery.seconds[.background], neverNegative),
      ProfileField("delivery.atRestSeconds", \.delivery.seconds[.atRest], neverNegative),
      ProfileField("delivery.endedSeconds", \.delivery.seconds[.ended], neverNegative),
      ProfileField("delivery.neverInCityShare", \.delivery.neverShare[.city], in: [.city], share),
      ProfileField(
        "delivery.neverInResidentialShare", \.delivery.neverShare[.residential],
        in: [.residential], share),
      ProfileField(
        "delivery.neverInForestShare", \.delivery.neverShare[.forest], in: [.forest], share),
      ProfileField("notifications.pending", \.notifications.pending, positive),
      ProfileField("notifications.kept", \.notifications.kept),
      ProfileField("faults.repeatedShare", \.faults.repeatedShare, in: always, share),
      ProfileField("faults.falseOnAddShare", \.faults.falseOnAddShare, in: always, share),
      ProfileField("faults.silencesPerHour", \.faults.silencesPerHour, in: always) {
        (0...60).contains($0) ? nil : "expected 0 to 60"
      },
      ProfileField("faults.silenceSeconds", \.faults.silenceSeconds, in: always, neverNegative),
      ProfileField("faults.staleLookupShare", \.faults.staleLookupShare, in: always, share),
      ProfileField("faults.noRegionsShare", \.faults.noRegionsShare, in: always, share),
      ProfileField("faults.lateShare", \.faults.lateShare, in: always, share),
      ProfileField("faults.lateSeconds", \.faults.lateSeconds, in: always, neverNegative),
    ]
  }
}

/// An uncertain value of a profile, and the profile with its low and its high value.
package struct ProfileDoubt: Sendable {
  /// The path of the value in the profile's JSON, such as `limits.leastRadiusMeters`.
  package let name: String
  package let basis: Basis
  /// The value as text, with its low and high values.
  package let words: (value: String, low: String, high: String)
  package let low: PhoneProfile
  package let high: PhoneProfile
}

extension PhoneProfile {
  /// The uncertain values that can decide whether an alert comes, and not only when.
  package func doubts(in surroundings: Surroundings) -> [ProfileDoubt] {
    ProfileField.sections.flatMap(\.fields).filter { $0.surroundings.contains(surroundings) }
      .compactMap { $0.doubt(self) }
  }

  package func values(restingOn basis: Basis) -> Int {
    ProfileField.sections.flatMap(\.fields).count { $0.basis(self) == basis }
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
