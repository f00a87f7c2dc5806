import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostHTTP
import FencepostTime
import FencepostTracks
import FoundationEssentials

/// The named values of a client's record as text, from a query, a form or a JSON object.
///
/// Names are compared in lower case, and the first value of a name counts. Empty values count as
/// missing, because some clients send `""` for unknown values.
struct ClientFields {
  enum Time: Equatable {
    case unstated
    case milliseconds(Int64)
    case unreadable(String)
  }

  private var values: [String: String] = [:]

  init(_ items: [HTTPRequest.QueryItem]) {
    for item in items { add(item.name, item.value) }
  }

  /// Takes the members of an object that are numbers, strings or Booleans.
  init(_ object: JSONValue?) {
    guard case .object(let members) = object else { return }
    for member in members {
      switch member.value {
      case .number(_, let text), .string(let text): add(member.key, text)
      case .boolean(let flag): add(member.key, "\(flag)")
      case .null, .array, .object: continue
      }
    }
  }

  private mutating func add(_ name: String, _ value: String) {
    let value = value.trimmed
    guard !value.isEmpty, values[name.lowercased()] == nil else { return }
    values[name.lowercased()] = value
  }

  func text(_ names: String...) -> String? { text(names) }

  private func text(_ names: [String]) -> String? {
    for name in names {
      if let value = values[name] { return value }
    }
    return nil
  }

  /// The number under the first name that has a value; nil if that is not a number.
  func number(_ names: String...) -> Double? { text(names).flatMap(Self.number) }

  func states(_ names: String...) -> Bool { text(names) != nil }

  static func number(_ text: String) -> Double? {
    // `Double` also accepts words and hexadecimal digits.
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }

  /// The time under the first name that has a value.
  ///
  /// A number is seconds or milliseconds since 1970, depending on its size. Text is ISO 8601, where
  /// a space may separate date and time. GPSLogger percent-encodes it even in a body.
  func time(_ names: String...) -> Time {
    guard let text = text(names) else { return .unstated }
    let plain = text.contains("%") ? Percent.decoded(text) ?? text : text
    let milliseconds =
      if let number = Self.number(plain) {
        EpochTime.milliseconds(inAnyUnit: number)
      } else {
        ISO8601.milliseconds(parsing: plain)
          // A plus sign that was not encoded has become a space.
          ?? ISO8601.milliseconds(parsing: Self.withPlus(plain))
      }
    return milliseconds.map(Time.milliseconds) ?? .unreadable(text)
  }

  private static func withPlus(_ text: String) -> String {
    guard let blank = text.lastIndex(of: " ") else { return text }
    return text[..<blank] + "+" + text[text.index(after: blank)...]
  }

  /// A fix without position and time, in meters, m/s and degrees; bad values count as unknown.
  static func motion(accuracy: Double?, speed: Double?, course: Double?) -> Fix {
    var fix = Fix(coordinate: Coordinate(latitudeDegrees: .nan, longitudeDegrees: .nan))
    if let accuracy, accuracy >= 0 { fix.accuracyMeters = Float(accuracy) }
    if let speed, speed >= 0 { fix.speedMetersPerSecond = Float(speed) }
    if let course, 0...360 ~= course { fix.courseDegrees = course == 360 ? 0 : Float(course) }
    return fix
  }
}
