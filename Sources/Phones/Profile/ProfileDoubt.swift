import FencepostFormats

/// A value that a profile leaves open: the profile with the least and with the most that it may well be.
public struct ProfileDoubt: Equatable, Sendable {
  /// The path of the value in the profile's JSON, such as `limits.leastRadiusMeters`.
  public var name: String
  /// What the value rests on.
  public var basis: Basis
  /// The value in words, and its least and greatest.
  public var words: (value: String, low: String, high: String) { (valueWords, lowWords, highWords) }
  /// The profile with the least value.
  public var low: PhoneProfile
  /// The profile with the greatest value.
  public var high: PhoneProfile

  private let valueWords: String
  private let lowWords: String
  private let highWords: String

  fileprivate init<Value: ProfileValue>(
    _ name: String, _ profile: PhoneProfile,
    _ path: WritableKeyPath<PhoneProfile, Sourced<Value>>, low: Value, high: Value
  ) {
    self.name = name
    basis = profile[keyPath: path].basis
    valueWords = profile[keyPath: path].value.json.words
    (lowWords, highWords) = (low.json.words, high.json.words)
    (self.low, self.high) = (profile, profile)
    self.low[keyPath: path].value = low
    self.high[keyPath: path].value = high
  }
}

extension PhoneProfile {
  /// The open values that can change whether an alert comes; those that only change when are left out.
  ///
  /// - Parameter surroundings: Where the phone is, which chooses among the errors and the shares.
  /// - Returns: The values, in the order of the profile.
  public func doubts(in surroundings: Surroundings) -> [ProfileDoubt] {
    [
      doubt("limits.leastRadiusMeters", \.limits.leastRadiusMeters),
      doubt("refresh.distanceMeters", \.refresh.distanceMeters),
      doubt("refresh.leastIntervalSeconds", \.refresh.leastIntervalSeconds),
      doubt("refresh.noticedBeyondMeters", \.refresh.noticedBeyondMeters),
      doubt("confirmation.enterCushionMeters", \.confirmation.enterCushionMeters),
      doubt("confirmation.exitCushionMeters", \.confirmation.exitCushionMeters),
      doubt("confirmation.holdSeconds", \.confirmation.holdSeconds),
      doubt("confirmation.fixes", \.confirmation.fixes),
      doubt("confirmation.dwellSeconds", \.confirmation.dwellSeconds),
      doubt("position.intervalSeconds", \.position.intervalSeconds),
      errorDoubt(in: surroundings),
      doubt("position.correlationSeconds", \.position.correlationSeconds),
      shareDoubt(in: surroundings),
    ].compactMap { $0 }
  }

  private func errorDoubt(in surroundings: Surroundings) -> ProfileDoubt? {
    switch surroundings {
    case .city: doubt("position.citySigmaMeters", \.position.citySigmaMeters)
    case .residential: doubt("position.residentialSigmaMeters", \.position.residentialSigmaMeters)
    case .forest: doubt("position.forestSigmaMeters", \.position.forestSigmaMeters)
    }
  }

  private func shareDoubt(in surroundings: Surroundings) -> ProfileDoubt? {
    switch surroundings {
    case .city: doubt("delivery.neverInCityShare", \.delivery.neverInCityShare)
    case .residential:
      doubt("delivery.neverInResidentialShare", \.delivery.neverInResidentialShare)
    case .forest: doubt("delivery.neverInForestShare", \.delivery.neverInForestShare)
    }
  }

  /// The doubt about one value; nil if the source leaves none.
  private func doubt<Value: ProfileValue>(
    _ name: String, _ path: WritableKeyPath<PhoneProfile, Sourced<Value>>
  ) -> ProfileDoubt? {
    let sourced = self[keyPath: path]
    guard let low = sourced.low, let high = sourced.high, low != high else { return nil }
    return ProfileDoubt(name, self, path, low: low, high: high)
  }
}
