import FencepostTime

extension CalendarPattern {
  /// Reads a pattern; throws if a component is out of range.
  public init(from decoder: any Decoder) throws {
    let values = try [String: Int](from: decoder)
    let weekday = try values["weekday"].map {
      try decoder.valid(Weekday(rawValue: $0), or: "the weekday must be from 1 to 7, not \($0)")
    }
    do throws(CalendarPatternError) {
      // Only years entered by users are limited to four digits.
      let rest = try CalendarPattern(
        year: values["year"].map { _ in 1 }, month: values["month"], day: values["day"],
        weekday: weekday, hour: values["hour"], minute: values["minute"],
        second: values["second"])
      self.init(
        unchecked: (values["year"], rest.month, rest.day), weekday: weekday,
        time: (rest.hour, rest.minute, rest.second))
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.description))
    }
  }
}

extension CodableAsText {
  /// Reads a value from its description; throws `DecodingError` if the text is invalid.
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    self = try decoder.valid(Self(text), or: "\(text) is not a valid \(Self.self)")
  }

  /// Writes the description.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
