import FencepostSession
import FencepostMonitoring
import FencepostNotifications
import FoundationEssentials
import Testing

/// The table of rules.
@Suite("A row of the table of rules")
struct RulesTests {
  /// A value of each kind that is the usual one of no rule.
  private static func unusual(_ rule: Rule) throws -> RuleValue {
    switch rule.kind {
    case .word(let words):
      let words = words.map { RuleValue.word($0.word) }
      return try #require(words.first { $0 != rule.usual })
    case .count: return .whole(7)
    case .meters: return .number(123.5)
    case .milliseconds: return .whole(90_500)
    case .metersPerSecond: return .number(12.25)
    case .flag: return .flag(true)
    case .cooldown: return .cooldown(.forever)
    case .quietHours:
      let (start, end) = (try #require(TimeOfDay("22:00")), try #require(TimeOfDay("07:00")))
      return .quietHours(try #require(QuietHours(start: start, end: end, zone: .utc)))
    case .dates: return .dates(.day(sinceEpoch: 20_516, zone: .utc))
    }
  }

  private static func values(_ options: TrackSessionOptions) -> [RuleValue] {
    Rules.table.map { $0.value(options) }
  }

  @Test("sets its own rule and no other")
  func setsOne() throws {
    let usual = Self.values(TrackSessionOptions())
    for (index, rule) in Rules.table.enumerated() {
      var options = TrackSessionOptions()
      let value = try Self.unusual(rule)
      #expect(rule.set(value, &options), "\(rule.name)")
      var expected = usual
      expected[index] = value
      #expect(Self.values(options) == expected, "\(rule.name)")
      var copied = TrackSessionOptions()
      rule.copy(from: options, to: &copied)
      #expect(Self.values(copied) == expected, "\(rule.name)")
    }
  }

  @Test("refuses a value of another kind or an unknown word, and leaves the rules as they were")
  func refuses() throws {
    let others: [RuleValue] = [
      .word("sideways"), .whole(7), .number(1), .flag(true), .cooldown(.none), .dates(.ignored),
    ]
    for rule in Rules.table {
      for other in others where other != (try Self.unusual(rule)) {
        var options = TrackSessionOptions()
        if rule.set(other, &options) {
          #expect(rule.value(options) == other, "\(rule.name)")
        } else {
          #expect(Self.values(options) == Self.values(TrackSessionOptions()), "\(rule.name)")
        }
      }
      var options = TrackSessionOptions()
      #expect(!rule.set(.word("sideways"), &options), "\(rule.name)")
    }
  }

  @Test("says where its value stands in a document of rules")
  func documents() throws {
    let usual = try Self.document(TrackSessionOptions())
    for rule in Rules.table {
      var options = TrackSessionOptions()
      #expect(rule.set(try Self.unusual(rule), &options))
      let changed = try Self.document(options)
      let (before, after) = (Self.member(rule.path, of: usual), Self.member(rule.path, of: changed))
      #expect(after != nil && before != after, "\(rule.name)")
      // Nothing else differs.
      #expect(
        Self.without(rule.path, usual) == Self.without(rule.path, changed), "\(rule.name)")
      let read = try JSONDecoder().decode(SessionRules.self, from: Self.encoded(options))
      #expect(Self.values(read.session) == Self.values(options), "\(rule.name)")
    }
  }

  @Test("has a name, a sentence and a place of its own")
  func names() {
    #expect(Set(Rules.table.map(\.name)).count == Rules.table.count)
    #expect(Set(Rules.table.map(\.path)).count == Rules.table.count)
    let keys = Rules.table.compactMap(\.field?.key)
    #expect(Set(keys).count == keys.count)
    for rule in Rules.table {
      #expect(rule.sentence.hasSuffix(".") && !rule.sentence.isEmpty, "\(rule.name)")
    }
  }

  @Test("knows the ends of its range")
  func ranges() {
    for rule in Rules.table {
      guard let range = rule.kind.range else { continue }
      let isWhole = if case .whole = rule.usual { true } else { rule.kind.demand == "at least 1" }
      func value(_ number: Double) -> RuleValue {
        isWhole ? .whole(Int64(number)) : .number(number)
      }
      #expect(rule.kind.contains(value(range.lowerBound)), "\(rule.name)")
      #expect(rule.kind.contains(value(range.upperBound)), "\(rule.name)")
      #expect(!rule.kind.contains(value(range.lowerBound - 1)), "\(rule.name)")
      #expect(!rule.kind.contains(value(range.upperBound * 2)), "\(rule.name)")
      #expect(rule.kind.contains(rule.usual), "\(rule.name)")
    }
  }

  // MARK: Documents

  private static func encoded(_ options: TrackSessionOptions) throws -> Data {
    var rules = SessionRules()
    rules.session = options
    return try JSONEncoder().encode(rules)
  }

  private static func document(_ options: TrackSessionOptions) throws -> Member {
    try JSONDecoder().decode(Member.self, from: encoded(options))
  }

  private static func member(_ path: [String], of whole: Member) -> Member? {
    path.reduce(whole) { $0?[$1] }
  }

  private static func without(_ path: [String], _ whole: Member) -> Member {
    guard case .object(var members) = whole, let name = path.first else { return .null }
    if path.count == 1 {
      members[name] = nil
    } else {
      members[name] = members[name].map { without(Array(path.dropFirst()), $0) }
    }
    return .object(members)
  }

  /// A member of a document, whatever it is.
  private indirect enum Member: Equatable, Decodable {
    case null, flag(Bool), number(Double), text(String)
    case object([String: Member])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .object(try container.decode([String: Member].self))
      }
    }

    subscript(name: String) -> Member? {
      if case .object(let members) = self { members[name] } else { nil }
    }
  }
}
