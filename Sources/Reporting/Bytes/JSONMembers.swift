import FencepostGeodesy

/// Objects and arrays of JSON, written member by member:
///
///     buffer.appendObject {
///       $0.member("type", "refresh")
///       $0.member("time", jsonTime: milliseconds)
///       $0.object("nearest") { $0.member("distance", meters, decimals: 2) }
///     }
///
/// Each `member` writes the comma that separates it from the one before. Keys are literals that need no
/// escape.
extension OutputBuffer {
  /// Appends an object whose members the closure appends.
  @inline(__always)
  package mutating func appendObject(_ members: (inout OutputBuffer) -> Void) {
    append(UInt8(ascii: "{"))
    members(&self)
    append(UInt8(ascii: "}"))
  }

  /// Appends an object whose members the closure appends, and ends the line.
  package mutating func appendLine(_ members: (inout OutputBuffer) -> Void) {
    appendObject(members)
    append(UInt8(ascii: "\n"))
  }

  /// Appends an array whose elements the closure appends one by one.
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

  /// Appends a member's key; its value follows.
  @inline(__always)
  package mutating func key(_ key: StaticString) {
    if !endsWithOpenBrace { append(UInt8(ascii: ",")) }
    append(UInt8(ascii: "\""))
    append(key)
    append("\":")
  }

  /// Appends a text, a whole number, a truth value, an array or counts.
  @inline(__always)
  package mutating func member(_ key: StaticString, _ value: some DocumentValue) {
    self.key(key)
    value.append(to: &self)
  }

  /// Appends a value, or `null`.
  package mutating func member(_ key: StaticString, _ value: (some DocumentValue)?) {
    self.key(key)
    if let value { value.append(to: &self) } else { append("null") }
  }

  /// Appends a number rounded to so many decimals, or `null` where it is nil or not finite.
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

  /// Appends a whole number under a key that is not a literal.
  package mutating func member(named key: String, _ number: Int) {
    self.key(named: key)
    append(decimal: number)
  }

  /// Appends a key that is not a literal; its value follows.
  package mutating func key(named key: String) {
    if !endsWithOpenBrace { append(UInt8(ascii: ",")) }
    append(json: key)
    append(UInt8(ascii: ":"))
  }

  /// Appends an object whose members the closure appends.
  @inline(__always)
  package mutating func object(_ key: StaticString, _ members: (inout OutputBuffer) -> Void) {
    self.key(key)
    appendObject(members)
  }

  /// Appends an array whose elements the closure appends one by one.
  @inline(__always)
  package mutating func array<Elements: Sequence>(
    _ key: StaticString, _ elements: Elements,
    _ appendElement: (inout OutputBuffer, Elements.Element) -> Void
  ) {
    self.key(key)
    appendArray(elements, appendElement)
  }

  /// Appends the members `lat` and `lon`.
  mutating func members(of coordinate: Coordinate) {
    member("lat", coordinate.latitudeDegrees, decimals: Decimals.degrees)
    member("lon", coordinate.longitudeDegrees, decimals: Decimals.degrees)
  }

  /// Appends an instant as a JSON string, or `null`.
  mutating func append(jsonTime milliseconds: Int64?) {
    guard let milliseconds else { return append("null") }
    append(UInt8(ascii: "\""))
    append(instant: milliseconds)
    append(UInt8(ascii: "\""))
  }

  /// Appends a position as GeoJSON writes it: `[longitude,latitude]`.
  mutating func append(geoJSON coordinate: Coordinate) {
    append(UInt8(ascii: "["))
    append(coordinate.longitudeDegrees, decimals: Decimals.degrees)
    append(UInt8(ascii: ","))
    append(coordinate.latitudeDegrees, decimals: Decimals.degrees)
    append(UInt8(ascii: "]"))
  }
}
