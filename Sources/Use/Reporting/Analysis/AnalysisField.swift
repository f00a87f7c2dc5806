import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy

/// A member of a line of an analysis, or several: their names, and where their values are.
///
/// Writing a line and reading it back walk the same table of fields, so each name is written once.
/// Reading adds numbers to those that a value has, which is how lines of several parts are merged.
///
/// A type lists its fields in a static table, in the order in which they are written.
///
/// Lines of later versions may have more members, which reading ignores. A member that an earlier
/// version did not write is marked where it is listed.
struct AnalysisField<Root>: Sendable {
  typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable

  /// Appends the member, or the members, of a value.
  let write: @Sendable (inout OutputBuffer, Root) -> Void
  /// Reads the member from an object, and adds it to what the value has.
  let add: @Sendable (JSONNode, inout Root) throws(JSONPathError) -> Void

  /// A member that every line has; with `isLater`, lines of earlier versions may lack it.
  private static func member<Value>(
    _ name: StaticString, _ path: Path<Value>, isLater: Bool = false,
    append: @escaping @Sendable (inout OutputBuffer, Value) -> Void,
    add: @escaping @Sendable (JSONNode, inout Value) throws(JSONPathError) -> Void
  ) -> Self {
    Self {
      $0.key(name)
      append(&$0, $1[keyPath: path])
    } add: { (node, root) throws(JSONPathError) in
      let member = isLater ? try node.optionalMember("\(name)") : try node.member("\(name)")
      if let member { try add(member, &root[keyPath: path]) }
    }
  }

  /// A member that ``AnalysisValue`` can write and add, such as a count.
  static func value<Value: AnalysisValue>(
    _ name: StaticString, _ path: Path<Value>, isLater: Bool = false
  ) -> Self {
    member(name, path, isLater: isLater) {
      $1.append(to: &$0)
    } add: { (node, value) throws(JSONPathError) in
      value.add(try Value(node))
    }
  }

  /// A member that lines leave out if there is no value, or else write as `null`.
  static func optional<Value: AnalysisValue>(
    _ name: StaticString, _ path: Path<Value?>, writesNull: Bool = false
  ) -> Self {
    Self {
      let value = $1[keyPath: path]
      if value != nil || writesNull { $0.key(name) }
      if let value { value.append(to: &$0) } else if writesNull { $0.append("null") }
    } add: { (node, root) throws(JSONPathError) in
      guard let member = try node.optionalMember("\(name)") else { return }
      let value = try Value(member)
      root[keyPath: path]?.add(value)
      root[keyPath: path] = root[keyPath: path] ?? value
    }
  }

  /// Numbers that add up; with `leavesOutZero`, lines have only those above 0.
  static func sums(_ counts: [Count<Root>], leavesOutZero: Bool = false) -> Self {
    Self {
      for (name, path) in counts where !leavesOutZero || $1[keyPath: path] > 0 {
        $0.member(name, $1[keyPath: path])
      }
    } add: { (node, root) throws(JSONPathError) in
      for (name, path) in counts {
        if leavesOutZero, try node.optionalMember("\(name)") == nil { continue }
        root[keyPath: path] += try node.integer("\(name)")
      }
    }
  }

  /// An object of numbers that add up, under the names of cases; one that a line lacks is 0.
  ///
  /// With `leavesOutZero`, it has only those above 0.
  static func counts<Counts: CaseCounts>(
    _ name: StaticString, of cases: [Counts.Case], leavesOutZero: Bool = false,
    _ path: Path<Counts>
  ) -> Self {
    let named = cases.map { ($0, name: $0.rawValue) }
    return member(name, path) { output, counts in
      output.appendObject {
        for (one, name) in named where !leavesOutZero || counts[count: one] > 0 {
          $0.member(named: name, counts[count: one])
        }
      }
    } add: { (node, counts) throws(JSONPathError) in
      for (one, name) in named {
        counts[count: one] += try node.optional(name, JSONNode.integer) ?? 0
      }
    }
  }

  /// An object of counts by a key that any text may be, such as a date.
  ///
  /// Keys are written in ascending order, so that equal counts give equal lines. Reading throws for
  /// a key that the names do not know.
  static func tally<Key: Sendable>(
    _ name: StaticString, _ path: Path<[Key: Int]>, by names: TallyNames<Key>, isLater: Bool = false
  ) -> Self {
    member(name, path, isLater: isLater) { output, counts in
      output.appendObject {
        for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
          $0.member(named: names.name(key), count)
        }
      }
    } add: { (node, counts) throws(JSONPathError) in
      for name in try node.keys() {
        guard let key = names.key(name) else {
          throw node.error("“\(name)” must be \(names.demand)")
        }
        counts[key, default: 0] += try node.integer(name)
      }
    }
  }

  /// A maximum, such as the most circles around a phone.
  static func greatest(_ name: StaticString, _ path: Path<Int>) -> Self {
    member(name, path) {
      $0.append(decimal: $1)
    } add: { (node, most) throws(JSONPathError) in
      most = max(most, try node.integer())
    }
  }

  /// A number that lines repeat, such as a radius; the last one read counts.
  static func number(_ name: StaticString, _ path: Path<Double>, decimals: Int) -> Self {
    member(name, path) {
      $0.append($1, decimals: decimals)
    } add: { (node, number) throws(JSONPathError) in
      number = try node.double()
    }
  }

  /// A position as the members `lat` and `lon`; the last one read counts.
  static func coordinate(_ path: Path<Coordinate>) -> Self {
    Self {
      $0.members(of: $1[keyPath: path])
    } add: { (node, root) throws(JSONPathError) in
      root[keyPath: path] = Coordinate(
        latitudeDegrees: try node.double("lat"), longitudeDegrees: try node.double("lon"))
    }
  }

  /// The members of a part of the value, among those of the whole.
  ///
  /// A line is flat where its parts have members of different names.
  static func part<Part>(_ path: Path<Part>, _ fields: [AnalysisField<Part>]) -> Self {
    Self {
      $0.members(of: $1[keyPath: path], fields)
    } add: { (node, root) throws(JSONPathError) in
      for field in fields { try field.add(node, &root[keyPath: path]) }
    }
  }

  /// The members of a part of the value, as an object of their own.
  static func object<Part>(
    _ name: StaticString, _ path: Path<Part>, _ fields: [AnalysisField<Part>]
  ) -> Self {
    member(name, path) { output, part in
      output.appendObject { $0.members(of: part, fields) }
    } add: { (node, part) throws(JSONPathError) in
      for field in fields { try field.add(node, &part) }
    }
  }

  /// Members that follow from others, and so are only written.
  static func derived(_ write: @escaping @Sendable (inout OutputBuffer, Root) -> Void) -> Self {
    Self(write: write) { _, _ in }
  }

  /// The same members, but not read where another line has them too.
  var onlyWritten: Self { .derived(write) }
}

/// Counts by the cases of an enumeration.
///
/// An object with a member for each case writes them; see ``AnalysisField``.
protocol CaseCounts: Sendable {
  associatedtype Case: RawRepresentable<String> & Sendable
  subscript(count one: Case) -> Int { get set }
}

/// A value with a table of its fields, which both writes it and reads it back.
///
/// Every kind of line in a saved analysis is one, and so are most objects in the lines.
protocol AnalysisRecord: Sendable {
  /// The fields, in the order in which lines have them.
  static var fields: [AnalysisField<Self>] { get }
}

extension AnalysisRecord {
  /// Adds a line, or an object, that was written from the same table.
  mutating func add(_ node: JSONNode) throws(JSONPathError) {
    for field in Self.fields { try field.add(node, &self) }
  }
}

extension OutputBuffer {
  /// Appends the members that a table of fields makes of a value.
  mutating func members<Root>(of root: Root, _ fields: [AnalysisField<Root>]) {
    for field in fields { field.write(&self, root) }
  }

  /// Appends the members of a record, inside an object that the caller begins and ends.
  mutating func members<Record: AnalysisRecord>(of record: Record) {
    members(of: record, Record.fields)
  }
}

extension OutputBuffer {
  /// Appends an array of whole numbers under a key.
  mutating func member(_ key: StaticString, integers: some Sequence<Int>) {
    array(key, integers) { $0.append(decimal: $1) }
  }

  /// Appends both ends of an interval, or `null`.
  mutating func member(_ key: StaticString, _ interval: ClosedRange<Double>?, decimals: Int = 6) {
    self.key(key)
    guard let interval else { return append("null") }
    appendArray([interval.lowerBound, interval.upperBound]) { $0.append($1, decimals: decimals) }
  }

  /// Appends a ratio and its interval, such as `"recall":0.77,"recallInterval":[0.7,0.83]`.
  mutating func member(_ key: StaticString, intervalKey: StaticString, _ sum: RatioSum) {
    member(key, sum.ratio, decimals: 6)
    member(intervalKey, sum.interval)
  }
}
