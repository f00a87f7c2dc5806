import FencepostFormats

/// One value of a profile: its name in the text, and how it is read, written and doubted.
struct ProfileField {
  /// The path in the text, such as `limits.regions`.
  let name: String
  let read: (JSONNode, inout PhoneProfile) throws(JSONPathError) -> Void
  let json: (PhoneProfile) -> JSONValue
  let basis: (PhoneProfile) -> Basis
  /// The value and its range, and on a line of its own the source.
  let lines: (PhoneProfile) -> [String]
  let doubt: (PhoneProfile) -> ProfileDoubt?
  /// Where the value can change whether an alert comes.
  let surroundings: [Surroundings]

  /// Makes a field of whose value `fault` says what is out of range, nil for a good one.
  init<Value: ProfileValue>(
    _ name: String, _ path: WritableKeyPath<PhoneProfile, Sourced<Value>>,
    in surroundings: [Surroundings] = [], _ fault: @escaping (Value) -> String? = { _ in nil }
  ) {
    self.name = name
    self.surroundings = surroundings
    let key = String(name.drop { $0 != "." }.dropFirst())
    read = { section, profile throws(JSONPathError) in
      profile[keyPath: path] = try Sourced(section.member(key), fault)
    }
    json = { $0[keyPath: path].json }
    basis = { $0[keyPath: path].basis }
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

  /// All values in the order of the text, by section.
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
      values.least >= 0 ? nil : "expected no value below 0"
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
    ]
  }
}

/// A value that a profile leaves open: the profile with the least and with the most that it may well be.
package struct ProfileDoubt: Sendable {
  /// The path of the value in the profile's JSON, such as `limits.leastRadiusMeters`.
  package let name: String
  /// What the value rests on.
  package let basis: Basis
  /// The value in words, and its least and greatest.
  package let words: (value: String, low: String, high: String)
  /// The profile with the least value.
  package let low: PhoneProfile
  /// The profile with the greatest value.
  package let high: PhoneProfile
}

extension PhoneProfile {
  /// The open values that can change whether an alert comes; those that only change when are left out.
  ///
  /// - Parameter surroundings: Where the phone is, which chooses among the errors and the shares.
  /// - Returns: The values, in the order of the profile.
  package func doubts(in surroundings: Surroundings) -> [ProfileDoubt] {
    ProfileField.sections.flatMap(\.fields).filter { $0.surroundings.contains(surroundings) }
      .compactMap { $0.doubt(self) }
  }

  /// How many of its values have a kind of source.
  package func values(restingOn basis: Basis) -> Int {
    ProfileField.sections.flatMap(\.fields).count { $0.basis(self) == basis }
  }

  /// The profile in lines for people: each value, its range, and on a line of its own the source.
  package var lines: [String] {
    ["\(name): \(title)"]
      + ProfileField.sections.flatMap { section in
        ["", section.name] + section.fields.flatMap { $0.lines(self) }
      }
  }
}
