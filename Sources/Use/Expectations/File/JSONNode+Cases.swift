import FencepostFormats
import FencepostGeodesy
import FencepostPlaces
import FencepostReporting

extension JSONValue {
  /// A word of YAML without quotes.
  package init(plain text: String) {
    switch text {
    case "", "~", "null": self = .null
    case "true", "false": self = .boolean(text == "true")
    default:
      let number = DecimalNumber.double(parsing: text).flatMap { $0.isFinite ? $0 : nil }
      self = number.map { .number($0, text: text) } ?? .string(text)
    }
  }

  /// The value as YAML on one line.
  package var flowText: String {
    switch self {
    case .null: return "null"
    case .boolean, .number: return scalarText ?? ""
    case .array(let elements): return "[\(elements.map(\.flowText).joined(separator: ", "))]"
    case .object(let members):
      let parts = members.map { "\(JSONValue.string($0.key).flowText): \($0.value.flowText)" }
      return "{\(parts.joined(separator: ", "))}"
    case .string(let text):
      let isPlain =
        text.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
        && text.first?.isLetter == true && JSONValue(plain: text) == self
      var quoted = OutputBuffer()
      quoted.append(json: text)
      return isPlain ? text : quoted.text
    }
  }

  /// A text, a number as written, or a flag as `true` or `false`; nil for other values.
  var scalarText: String? {
    switch self {
    case .string(let text), .number(_, let text): text
    case .boolean(let flag): "\(flag)"
    case .null, .array, .object: nil
    }
  }
}

extension JSONNode {
  /// Checks that an object has no other members than these.
  func check(keys known: [String]) throws(JSONPathError) {
    for key in try keys() where !known.contains(key) {
      throw unknown(key, "use \(known.joined(separator: ", "))")
    }
  }

  /// An error where a member with an unknown name stands.
  func unknown(_ key: String, _ cure: String) -> JSONPathError {
    JSONPathError(
      path: path.isEmpty ? key : "\(path).\(key)", sentence: "“\(key)” is unknown here; \(cure)")
  }

  func text() throws(JSONPathError) -> String {
    guard let text = value.scalarText, !text.isEmpty else {
      throw error("must be a text, not \(value.kind)")
    }
    return text
  }

  /// One text, or several in an array.
  func texts() throws(JSONPathError) -> [String] {
    guard case .array = value else { return [try text()] }
    return try elements().map { (element) throws(JSONPathError) in try element.text() }
  }

  /// A distance, in meters without a unit.
  func meters() throws(JSONPathError) -> Double {
    let meters = Quantity.parse(try text()) { $0.isEmpty ? 1 : LengthUnit.meters($0) }
    guard let meters else { throw error("must be a distance such as 80m") }
    return meters
  }

  /// A position as `[latitude, longitude]`.
  func coordinate() throws(JSONPathError) -> Coordinate {
    let parts = try elements()
    guard parts.count == 2 else { throw error("must be [latitude, longitude]") }
    let coordinate = Coordinate(
      latitudeDegrees: try parts[0].double(), longitudeDegrees: try parts[1].double())
    guard coordinate.isValid else { throw error("is not a position on Earth") }
    return coordinate
  }
}
