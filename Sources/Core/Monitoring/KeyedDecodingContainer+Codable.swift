/// Checks saved values, which may be damaged or written by hand.
extension KeyedDecodingContainer {
  /// Checks that this version understands the form of a value.
  ///
  /// - Parameters:
  ///   - key: The key of the version number; a value without one has version 1.
  ///   - newest: The newest version that is understood.
  ///   - subject: The kind of value, for the error.
  /// - Throws: ``NewerVersionError``, or `DecodingError` if the number is below 1.
  package func checkVersion(_ key: Key, newest: Int, of subject: String) throws {
    let version = try decodeIfPresent(Int.self, forKey: key) ?? 1
    try check(version >= 1, key, "at least 1")
    guard version <= newest else {
      throw NewerVersionError(subject: subject, version: version)
    }
  }

  /// Throws a `DecodingError` unless valid; `expected` ends its sentence.
  func check(_ isValid: Bool, _ key: Key, _ expected: String) throws {
    guard isValid else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\(key.stringValue) must be \(expected)")
    }
  }

  func number(_ key: Key, in range: PartialRangeFrom<Double>) throws -> Double {
    let number = try decode(Double.self, forKey: key)
    try check(
      number.isFinite && range.contains(number), key,
      "a finite number, at least \(range.lowerBound)")
    return number
  }

  /// A distance of 0 or more, possibly infinite; nil without the key.
  func metersIfPresent(_ key: Key) throws -> Double? {
    guard let meters = try decodeIfPresent(UnboundedMeters.self, forKey: key)?.value else {
      return nil
    }
    try check(meters >= 0, key, "a distance of at least 0 m")
    return meters
  }
}

extension UnboundedMeters: Codable {
  private static let infinite = "infinite"

  /// Reads a number or the word `infinite`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self), text == Self.infinite {
      self.init(.infinity)
    } else {
      self.init(try container.decode(Double.self))
    }
  }

  /// Writes the number, or the word `infinite`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if value == .infinity {
      try container.encode(Self.infinite)
    } else {
      try container.encode(value)
    }
  }
}

/// A saved value comes from a newer version of Fencepost, so this one might misread it.
///
/// A value without a number has version 1. The number grows only to prevent misreading.
public struct NewerVersionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of value, such as `engine snapshot`.
  public let subject: String
  /// The value's version number.
  public let version: Int

  /// Creates an error.
  package init(subject: String, version: Int) {
    self.subject = subject
    self.version = version
  }

  /// The error as a sentence without a period.
  public var description: String {
    "the \(subject) was written by a newer version of Fencepost (format \(version))"
  }
}
