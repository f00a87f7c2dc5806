package import FencepostGeodesy

/// Writes JSON objects and arrays member by member.
///
///     buffer.appendObject {
///       $0.member("type", "refresh")
///       $0.member("time", jsonTime: milliseconds)
///       $0.object("nearest") { $0.member("distance", meters, decimals: 2) }
///     }
///
/// Each `member` writes the comma before it. Literal keys must need no escape.
extension OutputBuffer {
  /// Appends an object; the closure appends its members.
  @inline(__always)
  package mutating func appendObject(_ members: (inout OutputBuffer) -> Void) {
    append(UInt8(ascii: "{"))
    members(&self)
    append(UInt8(ascii: "}"))
  }

  /// Appends an object and ends the line; the closure appends its members.
  package mutating func appendLine(_ members: (inout OutputBuffer) -> Void) {
    appendObject(members)
    append(UInt8(ascii: "\n"))
  }

  /// Appends an array; the closure appends each element, and the commas come between.
  @inline(__always)
  package mutating func appendArray<Elements: Sequence>(
    _ elements: Elements, _ appendElement: (inout OutputBuffer, Elements.Element) -> Void
  ) {
    append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      appendElement(&self, element)
    }
    append(UInt8(ascii: "]"))
  }

  /// Appends a key, which a value must follow.
  @inline(__always)
  package mutating func key(_ key: StaticString) {
    if !endsWithOpenBrace { append(UInt8(ascii: ",")) }
    append(UInt8(ascii: "\""))
    append(key)
    append("\":")
  }

  /// Appends text as a JSON string, or `null`.
  @inline(__always)
  package mutating func member(_ key: StaticString, _ text: String?) {
    self.key(key)
    if let text { append(json: text) } else { append("null") }
  }

  /// Appends a whole number, or `null`.
  @inline(__always)
  package mutating func member(_ key: StaticString, _ number: Int?) {
    self.key(key)
    if let number { append(decimal: number) } else { append("null") }
  }

  /// Appends `true`, `false` or `null`.
  package mutating func member(_ key: StaticString, _ flag: Bool?) {
    self.key(key)
    switch flag {
    case true: append("true")
    case false: append("false")
    default: append("null")
    }
  }

  /// Appends a rounded number, or `null` if it is nil or not finite.
  @inline(__always)
  package mutating func member(_ key: StaticString, _ number: Double?, decimals: Int) {
    self.key(key)
    append(number ?? .nan, decimals: decimals)
  }

  /// Appends an instant in milliseconds since 1970 as ISO 8601 text, or `null`.
  @inline(__always)
  package mutating func member(_ key: StaticString, jsonTime milliseconds: Int64?) {
    self.key(key)
    append(jsonTime: milliseconds)
  }

  /// Appends an object of counts, sorted by name to make runs comparable.
  package mutating func member(_ key: StaticString, counts: [String: Int]) {
    object(key) { object in
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
        object.member(named: name, count)
      }
    }
  }

  /// Appends an integer under a key that is not a literal.
  package mutating func member(named key: String, _ number: Int) {
    self.key(named: key)
    append(decimal: number)
  }

  /// Appends a key that is not a literal, which a value must follow.
  package mutating func key(named key: String) {
    if !endsWithOpenBrace { append(UInt8(ascii: ",")) }
    append(json: key)
    append(UInt8(ascii: ":"))
  }

  /// Appends an object under a key; the closure appends its members.
  @inline(__always)
  package mutating func object(_ key: StaticString, _ members: (inout OutputBuffer) -> Void) {
    self.key(key)
    appendObject(members)
  }

  /// Appends an array under a key; the closure appends each element.
  @inline(__always)
  package mutating func array<Elements: Sequence>(
    _ key: StaticString, _ elements: Elements,
    _ appendElement: (inout OutputBuffer, Elements.Element) -> Void
  ) {
    self.key(key)
    appendArray(elements, appendElement)
  }

  /// Appends the members `lat` and `lon` in degrees, with seven decimals.
  package mutating func members(of coordinate: Coordinate) {
    member("lat", coordinate.latitudeDegrees, decimals: Decimals.degrees)
    member("lon", coordinate.longitudeDegrees, decimals: Decimals.degrees)
  }

  /// Appends an instant as a JSON string, or `null`.
  package mutating func append(jsonTime milliseconds: Int64?) {
    guard let milliseconds else { return append("null") }
    append(UInt8(ascii: "\""))
    append(instant: milliseconds)
    append(UInt8(ascii: "\""))
  }

  /// Appends a position as in GeoJSON: `[longitude,latitude]`.
  package mutating func append(geoJSON coordinate: Coordinate) {
    append(UInt8(ascii: "["))
    append(coordinate.longitudeDegrees, decimals: Decimals.degrees)
    append(UInt8(ascii: ","))
    append(coordinate.latitudeDegrees, decimals: Decimals.degrees)
    append(UInt8(ascii: "]"))
  }
}
