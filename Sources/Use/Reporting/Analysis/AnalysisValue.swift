import FencepostAnalysis
import FencepostFormats
import FencepostPhones
import FencepostTime

/// A value of a member that an ``AnalysisField`` names.
///
/// It can be written, read back, and added to the value of another line.
protocol AnalysisValue: Sendable {
  /// Reads the value; throws if the member has another type.
  init(_ node: JSONNode) throws(JSONPathError)
  /// Appends the value as JSON.
  func append(to output: inout OutputBuffer)
  /// Adds the value of another line, or takes it if there is nothing to add.
  mutating func add(_ other: Self)
}

extension AnalysisValue {
  mutating func add(_ other: Self) { self = other }
}

/// A count; counts add up.
extension Int: AnalysisValue {
  init(_ node: JSONNode) throws(JSONPathError) { self = try node.integer() }
  func append(to output: inout OutputBuffer) { output.append(decimal: self) }
  mutating func add(_ other: Int) { self += other }
}

/// An instant in milliseconds since 1970.
extension Int64: AnalysisValue {
  init(_ node: JSONNode) throws(JSONPathError) { self = try node.instantMilliseconds() }
  func append(to output: inout OutputBuffer) { output.append(jsonTime: self) }
}

/// A fact that is the same in each line; the last one read counts.
extension Bool: AnalysisValue {
  init(_ node: JSONNode) throws(JSONPathError) { self = try node.boolean() }
  func append(to output: inout OutputBuffer) { output.append(verbatim: "\(self)") }
}

/// A name; the last one read counts.
extension String: AnalysisValue {
  init(_ node: JSONNode) throws(JSONPathError) { self = try node.string() }
  func append(to output: inout OutputBuffer) { output.append(json: self) }
}

/// The alerts in each hour of a day.
///
/// It always has 24 counts, from midnight on.
extension [Int]: AnalysisValue {
  init(_ node: JSONNode) throws(JSONPathError) { self = try node.integers(count: 24) }
  func append(to output: inout OutputBuffer) { output.appendArray(self) { $0.append(decimal: $1) } }
  mutating func add(_ other: [Int]) { self = zip(self, other).map(+) }
}

/// A ratio as its six terms, from which the interval can be computed again.
extension RatioSum: AnalysisValue {
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    add(terms: try node.integers(count: 6))
  }

  func append(to output: inout OutputBuffer) { terms.append(to: &output) }
  mutating func add(_ other: RatioSum) { add(terms: other.terms) }
}

/// A ratio as two counts: found, and all.
extension PersonTotals.Ratio: AnalysisValue {
  init(_ node: JSONNode) throws(JSONPathError) {
    let terms = try node.integers(count: 2)
    self.init(found: terms[0], all: terms[1])
  }

  func append(to output: inout OutputBuffer) { [found, all].append(to: &output) }
}

/// A distribution as the counts of its bins, from the first one that is not empty.
extension QuantileSketch: AnalysisValue {
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(
      bins: try node.member("counts").integers(), first: try node.integer("first"),
      thousandths: try node.integer("thousandths"))
  }

  func append(to output: inout OutputBuffer) {
    let kept = kept
    output.appendObject {
      $0.member("first", kept.first)
      $0.member("thousandths", kept.thousandths)
      $0.member("counts", integers: kept.bins)
    }
  }

  mutating func add(_ other: QuantileSketch) { merge(other) }
}

/// How the keys of counts are written, and read back.
///
/// Keys are days, dates or names, but JSON has only text as keys.
struct TallyNames<Key: Comparable & Hashable>: Sendable {
  /// The text of a key.
  let name: @Sendable (Key) -> String
  /// The key of a name; nil for any other name.
  let key: @Sendable (String) -> Key?
  /// What a name must be.
  let demand: String
}

extension TallyNames<String> {
  /// Names as they are.
  static let text = TallyNames(name: { $0 }, key: { $0 }, demand: "text")
}

extension TallyNames<Int> {
  /// Whole numbers in digits.
  static let number = TallyNames(name: { "\($0)" }, key: { Int($0) }, demand: "a whole number")

  /// Days since 1970 as dates.
  static let date = TallyNames(
    name: { CivilDate(daysSince1970: $0).text },
    key: { CivilDate(text: $0)?.daysSince1970 }, demand: "a date")
}

extension CivilDate {
  /// The date in ISO 8601, such as `2026-03-04`.
  var text: String {
    String(ISO8601.string(milliseconds: Int64(daysSince1970) * 86_400_000).prefix { $0 != "T" })
  }

  /// Reads a date of exactly ten characters, such as `2026-03-04`; nil for any other text.
  init?(text: String) {
    guard let milliseconds = ISO8601.milliseconds(parsing: text), text.utf8.count == 10 else {
      return nil
    }
    self.init(daysSince1970: Int(milliseconds / 86_400_000))
  }
}
