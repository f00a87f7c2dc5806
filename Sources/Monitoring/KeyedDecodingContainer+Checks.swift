/// The checks of what is read from outside: a saved value may be damaged or made by hand.
extension KeyedDecodingContainer {
  /// Refuses a form that only a newer version understands.
  ///
  /// - Parameters:
  ///   - key: The key of the form's number; without one the form is 1.
  ///   - newest: The newest form that this version understands.
  ///   - subject: What the value is, for the error.
  /// - Throws: ``NewerVersionError``, and `DecodingError` if the number is below 1.
  package func checkVersion(_ key: Key, newest: Int, of subject: String) throws {
    let version = try decodeIfPresent(Int.self, forKey: key) ?? 1
    try check(version >= 1, key, "at least 1")
    guard version <= newest else {
      throw NewerVersionError(subject: subject, version: version)
    }
  }

  /// Refuses a value that is not as expected.
  ///
  /// - Parameters:
  ///   - isValid: Whether it is.
  ///   - key: The value's key.
  ///   - expected: What the value must be, to end a sentence.
  /// - Throws: `DecodingError`
  func check(_ isValid: Bool, _ key: Key, _ expected: String) throws {
    guard isValid else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\(key.stringValue) must be \(expected)")
    }
  }

  /// A finite number within a range.
  func number(_ key: Key, in range: PartialRangeFrom<Double>) throws -> Double {
    let number = try decode(Double.self, forKey: key)
    try check(
      number.isFinite && range.contains(number), key,
      "a finite number, at least \(range.lowerBound)")
    return number
  }

  /// A distance of at least 0, which may be infinite; nil without the key.
  func metersIfPresent(_ key: Key) throws -> Double? {
    guard let meters = try decodeIfPresent(UnboundedMeters.self, forKey: key)?.value else {
      return nil
    }
    try check(meters >= 0, key, "a distance of at least 0 m")
    return meters
  }
}

/// A distance in metres that may be infinite, for which JSON has no number: `infinite`.
struct UnboundedMeters: Codable {
  private static let infinite = "infinite"
  let value: Double

  init(_ value: Double) { self.value = value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self), text == Self.infinite {
      value = .infinity
    } else {
      value = try container.decode(Double.self)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if value == .infinity {
      try container.encode(Self.infinite)
    } else {
      try container.encode(value)
    }
  }
}

/// A saved value that a newer version of Fencepost has written, which may mean more than this one
/// understands.
///
/// Values that an app keeps are saved with the number of their form. A value without a number has the
/// first form, 1. A number grows only when older versions would misread the value.
public struct NewerVersionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the value is, such as `engine snapshot`.
  public let subject: String
  /// The number of its form.
  public let version: Int

  /// Makes an error of its parts.
  public init(subject: String, version: Int) {
    self.subject = subject
    self.version = version
  }

  /// The error as one sentence without a full stop.
  public var description: String {
    "the \(subject) was written by a newer version of Fencepost (format \(version))"
  }
}
