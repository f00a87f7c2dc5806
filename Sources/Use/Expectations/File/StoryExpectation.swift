import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
package import FencepostNotifications
import FencepostReporting
import FencepostTime

/// Something that must happen on a walk, or must not.
///
/// Each is judged alone, over all walks of its case, and a failed one says what happened instead.
public struct StoryExpectation: Sendable {
  /// What is expected, and of which stories.
  ///
  /// Under a profile, a story alerts if at least half of the simulated phones do.
  package enum Kind: Sendable {
    /// One of the stories alerts at least once within the bounds.
    case alert(StorySubject, AlertBounds)
    /// None of the stories alerts.
    case noAlert(StorySubject)
    /// The story is entered and held back, for this reason if one is given.
    case suppressed(StorySubject, SuppressionReason?, AlertBounds)
    /// Each walk, or each day, has at most or at least so many alerts.
    case count(AlertCount)
    /// The first alerts of these stories come in this order.
    case order([StorySubject])
    /// The adaptive rule proves that nothing was missed, or does not.
    case certified(Bool)
    /// The reminder with this id is shown and never lost, or else lost at least once.
    case reminder(String, isShown: Bool, AlertBounds)
    /// The share of simulated phones that alert is above or below a bound.
    case probability(StorySubject, ProbabilityBound)
  }

  /// What must happen.
  package let kind: Kind
  /// Where it stands in the document.
  package let path: String

  /// The kinds by the name of their member, and the members that may stand beside it.
  private static let kinds: [(name: String, others: [String])] = [
    ("alert", ["between", "within", "of", "probability"]), ("no-alert", []),
    ("suppressed", ["reason", "between", "within", "of"]), ("at-most", []), ("at-least", []),
    ("order", []), ("certified", []), ("reminder-shown", ["between"]),
    ("reminder-lost", ["between"]),
  ]

  init(_ kind: Kind) { (self.kind, path) = (kind, "") }

  init(_ node: JSONNode) throws(JSONPathError) {
    let keys = try node.keys()
    guard let (name, others) = Self.kinds.first(where: { keys.contains($0.name) }) else {
      let cure = "use one of \(Self.kinds.map(\.name).joined(separator: ", "))"
      let others = Self.kinds.flatMap(\.others)
      let unknown = keys.first { !others.contains($0) } ?? keys.first
      throw unknown.map { node.unknown($0, cure) } ?? node.error("is empty; \(cure)")
    }
    path = node.path
    try node.check(keys: [name] + others)
    let value = try node.member(name)
    switch name {
    case "alert": kind = try Self.alert(value, node)
    case "no-alert": kind = .noAlert(try StorySubject(value))
    case "suppressed":
      kind = .suppressed(try StorySubject(value), try Self.reason(node), try AlertBounds(node))
    case "order":
      let subjects = try value.elements().map(StorySubject.init)
      guard subjects.count > 1 else { throw value.error("an order needs at least two stories") }
      kind = .order(subjects)
    case "certified": kind = .certified(try value.boolean())
    case "reminder-shown", "reminder-lost":
      kind = .reminder(try value.text(), isShown: name == "reminder-shown", try AlertBounds(node))
    default: kind = .count(try AlertCount(value, isMost: name == "at-most"))
    }
  }

  private static func alert(_ value: JSONNode, _ node: JSONNode) throws(JSONPathError) -> Kind {
    let (subject, bounds) = (try StorySubject(value), try AlertBounds(node))
    guard let probability = try node.optionalMember("probability") else {
      return .alert(subject, bounds)
    }
    guard bounds.isEmpty, case .named = subject else {
      throw probability.error("is that of one story, without “between” and “within”")
    }
    return .probability(subject, try ProbabilityBound(probability))
  }

  private static func reason(_ node: JSONNode) throws(JSONPathError) -> SuppressionReason? {
    guard let node = try node.optionalMember("reason") else { return nil }
    guard let reason = SuppressionReason(rawValue: try node.text()) else {
      let reasons = SuppressionReason.allCases.map(\.rawValue).joined(separator: ", ")
      throw node.error("must be one of \(reasons)")
    }
    return reason
  }
}

extension StoryExpectation: CustomStringConvertible {
  /// What is expected, as the object of “expected”, without a final period.
  public var description: String {
    switch kind {
    case .alert(let subject, let bounds): "\(subject) to alert\(bounds)"
    case .noAlert(let subject): "\(subject) not to alert"
    case .suppressed(let subject, let reason, let bounds):
      "\(subject) to be held back\(reason.map { " (\($0.rawValue))" } ?? "")\(bounds)"
    case .count(let count): "\(count)"
    case .order(let subjects):
      "alerts in this order: \(subjects.map(\.description).joined(separator: ", "))"
    case .certified(let isCertified):
      isCertified ? "a certificate that nothing was missed" : "no certificate"
    case .reminder(let id, let isShown, let bounds):
      "the reminder \(id) to be \(isShown ? "shown" : "lost")\(bounds)"
    case .probability(let subject, let bound): "\(subject) to alert with probability \(bound)"
    }
  }
}

/// When and where an alert must come, or an entry be held back.
///
/// At least one alert must keep all bounds; others may break them.
package struct AlertBounds: Sendable, CustomStringConvertible {
  /// A time of day or an instant, as a case writes it.
  enum Time: Sendable {
    /// On every day.
    case ofDay(TimeOfDay)
    /// In milliseconds since 1970-01-01T00:00:00Z.
    case instant(Int64)

    init(_ node: JSONNode) throws(JSONPathError) {
      if let time = TimeOfDay(try node.text()) {
        self = .ofDay(time)
      } else {
        self = .instant(try node.instantMilliseconds())
      }
    }
  }

  /// The first and the last time; both of the same kind.
  private(set) var between: (first: Time, last: Time)?
  /// The distance from the story's center, or from this point.
  private(set) var within: (meters: Double, point: Coordinate?)?
  /// The bounds as written, for messages.
  package let description: String

  var isEmpty: Bool { between == nil && within == nil }

  /// Bounds that an app gives, as instants and a distance from the center.
  init(milliseconds: ClosedRange<Int64>?, meters: Double?) {
    between = milliseconds.map { (.instant($0.lowerBound), .instant($0.upperBound)) }
    within = meters.map { ($0, nil) }
    let times = milliseconds.map { range in
      [range.lowerBound, range.upperBound].map { ISO8601.string(milliseconds: $0) }
        .joined(separator: " and ")
    }
    description =
      (times.map { " between \($0)" } ?? "")
      + (meters.map { " within \(ReportNumber.distance($0)) of its center" } ?? "")
  }

  init(_ node: JSONNode) throws(JSONPathError) {
    var words = ""
    if let node = try node.optionalMember("between") {
      let ends = try node.elements()
      guard ends.count == 2 else { throw node.error("must be two times, as in [17:10, 17:20]") }
      let (first, last) = (try Time(ends[0]), try Time(ends[1]))
      switch (first, last) {
      case (.ofDay, .ofDay): break
      case (.instant(let start), .instant(let end)) where start <= end: break
      default: throw node.error("must be two times of day, or two instants in order")
      }
      between = (first, last)
      words += " between \(try ends[0].text()) and \(try ends[1].text())"
    }
    let point = try node.optionalMember("of")
    if let node = try node.optionalMember("within") {
      let meters = try node.meters()
      within = (meters, try point?.coordinate())
      words += " within \(ReportNumber.distance(meters)) of "
      words += point == nil ? "its center" : "the point"
    } else if let point {
      throw point.error("needs “within”, a distance")
    }
    description = words
  }

  /// Whether an alert at a time is between the bounds; an alert without a time is not.
  func contain(_ milliseconds: Int64?, in zone: ClockZone) -> Bool {
    guard let between else { return true }
    guard let milliseconds else { return false }
    switch (between.first, between.last) {
    case (.ofDay(let first), .ofDay(let last)):
      let second = zone.secondOfDay(atMilliseconds: milliseconds)
      let (isAfter, isBefore) = (second >= first.secondOfDay, second <= last.secondOfDay)
      // A span such as 23:50 to 00:10 goes over midnight.
      return first <= last ? isAfter && isBefore : isAfter || isBefore
    case (.instant(let first), .instant(let last)):
      return first <= milliseconds && milliseconds <= last
    default: return false
    }
  }
}

/// How many alerts a walk or a day may bring.
///
/// The limit counts alerts of all stories, or of those that it names.
package struct AlertCount: Sendable, CustomStringConvertible {
  let isMost: Bool
  let alerts: Int
  let isPerDay: Bool
  /// The stories that count; nil for all.
  let subject: StorySubject?

  init(_ alerts: Int, isMost: Bool) {
    (self.alerts, self.isMost, isPerDay, subject) = (alerts, isMost, false, nil)
  }

  init(_ node: JSONNode, isMost: Bool) throws(JSONPathError) {
    self.isMost = isMost
    guard case .object = node.value else {
      (alerts, isPerDay, subject) = (try Self.count(node), false, nil)
      return
    }
    try node.check(keys: ["alerts", "per", "of"])
    alerts = try Self.count(try node.member("alerts"))
    let per = try node.optionalMember("per")
    let word = try per?.text() ?? "track"
    guard let per, word != "day", word != "track" else {
      isPerDay = word == "day"
      subject = try node.optionalMember("of").map { (node) throws(JSONPathError) in
        try StorySubject(node)
      }
      return
    }
    throw per.error("must be track or day")
  }

  private static func count(_ node: JSONNode) throws(JSONPathError) -> Int {
    let count = try node.integer()
    guard count >= 0 else { throw node.error("must not be negative") }
    return count
  }

  /// The count in words, such as `at most 5 alerts per walk`.
  package var description: String {
    "\(isMost ? "at most" : "at least") \(ReportNumber.counted(alerts, "alert"))"
      + "\(subject.map { " of \($0)" } ?? "") per \(isPerDay ? "reader and day" : "walk")"
  }
}

/// A bound for the share of simulated phones that alert: `>= 0.5`.
///
/// It is decided by simulating until the confidence interval of the share lies on one side.
package struct ProbabilityBound: Sendable, CustomStringConvertible {
  /// What an alert means under a profile, and what none does: no expectation fits both.
  static let half = ProbabilityBound(isLeast: true, share: 0.5, description: ">= 0.5")
  static let fewerThanHalf = ProbabilityBound(isLeast: false, share: 0.5, description: "< 0.5")

  let isLeast: Bool
  /// Above 0 and below 1.
  let share: Double
  /// The bound as written.
  package let description: String

  init(least share: Double) {
    self.init(isLeast: true, share: share, description: ">= \(share)")
  }

  private init(isLeast: Bool, share: Double, description: String) {
    (self.isLeast, self.share, self.description) = (isLeast, share, description)
  }

  init(_ node: JSONNode) throws(JSONPathError) {
    let text = try node.text()
    let sign = text.prefix { "<>=".contains($0) }
    let number = DecimalNumber.double(
      parsing: String(text.dropFirst(sign.count).drop { $0 == " " }))
    guard ["", ">=", ">", "<=", "<"].contains(sign), let number, number > 0, number < 1 else {
      throw node.error("must be a bound such as “>= 0.5”, with a number between 0 and 1")
    }
    (isLeast, share) = (!sign.hasPrefix("<"), number)
    description = sign.isEmpty ? ">= \(text)" : text
  }
}

/// The stories that an expectation is about.
///
/// A name must fit exactly one story, and properties at least one; otherwise the expectation fails.
package enum StorySubject: Sendable, CustomStringConvertible {
  /// One story, by id, title or a part that no other story has.
  case named(String)
  /// All stories with these properties.
  case filter(Filter)

  /// Properties of stories, all of which must fit.
  ///
  /// A property that is nil fits every story.
  package struct Filter: Sendable {
    /// The category, in any case.
    var category: String?
    /// A part of the title, in any case.
    var title: String?
    var id: String?

    /// The properties, such as `the category “sport”`.
    var words: String {
      [
        category.map { "the category “\($0)”" }, title.map { "“\($0)” in its title" },
        id.map { "“\($0)” in its id" },
      ].compactMap { $0 }.joined(separator: " and ")
    }

    func matches(_ story: Story) -> Bool {
      category.map { $0.lowercased() == story.category.lowercased() } ?? true
        && title.map { story.title.lowercased().contains($0.lowercased()) } ?? true
        && id.map { story.id.contains($0) } ?? true
    }
  }

  /// No story, or more than one, fits; a message without a final period.
  ///
  /// The expectation then fails, as a case about a story that is gone would prove nothing.
  struct Unfit: Error { var sentence: String }

  init(_ node: JSONNode) throws(JSONPathError) {
    guard case .object = node.value else {
      self = .named(try node.text())
      return
    }
    try node.check(keys: ["category", "title", "id"])
    let filter = Filter(
      category: try node.optional("category", JSONNode.text),
      title: try node.optional("title", JSONNode.text), id: try node.optional("id", JSONNode.text))
    guard filter.category != nil || filter.title != nil || filter.id != nil else {
      throw node.error("needs category, title or id")
    }
    self = .filter(filter)
  }

  /// The stories in words, for messages.
  package var description: String {
    switch self {
    case .named(let name): return name
    case .filter(let filter):
      return "a story with \(filter.words)"
    }
  }

  /// The index of a named story; nil for a filter.
  func index(in stories: StoryIndex) throws(Unfit) -> Int? {
    guard case .named(let name) = self else { return nil }
    if let index = stories.index(ofID: name) { return index }
    do throws(StoryChoice.Failure) {
      return try StoryChoice(stories.stories.array).index(of: name)
    } catch {
      throw Unfit(sentence: "\(error)")
    }
  }

  /// Returns a test for the stories that are meant.
  ///
  /// - Complexity: O(log n) for an id, else O(n).
  func matcher(in stories: StoryIndex) throws(Unfit) -> (Int) -> Bool {
    if let index = try index(in: stories) { return { $0 == index } }
    guard case .filter(let filter) = self else { return { _ in false } }
    guard stories.stories.array.contains(where: filter.matches) else {
      throw Unfit(sentence: "no story has \(filter.words)")
    }
    return { filter.matches(stories.stories[$0]) }
  }
}
