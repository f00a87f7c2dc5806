import FencepostAnalysis
import FencepostFixes
package import FencepostFormats
package import FencepostGeodesy
package import FencepostMonitoring
import FencepostReporting

/// A file of story tests: the stories, the rules, and what must happen on each walk.
///
/// Errors are ``JSONPathError``s, whose paths tell where in the document they are.
package struct CaseFile: Sendable {
  /// Where the stories of the tests come from.
  ///
  /// All cases of a file share them.
  package enum Places: Sendable {
    /// A file of stories or a store, relative to the case file.
    case file(String)
    /// Stories that are written out in the case file.
    case list([Place])
  }

  /// Where the stories come from.
  package let places: Places
  /// The cases in the order of the document, at least one, each with its own name.
  package let cases: [StoryCase]

  /// The most cases, after tables of parameters are written out.
  private static let mostCases = 10_000

  /// Reads a document; `rulesIn` reads the rules of a file that it names.
  ///
  /// - Throws: `JSONPathError`, and errors of `rulesIn`.
  package init(_ root: JSONNode, rulesIn: (String) throws -> [CaseRule]) throws {
    try root.check(keys: ["$schema", "places", "rules", "persons", "cases"])
    let places = try root.member("places")
    self.places =
      if case .array = places.value {
        .list(try places.elements().map { try Place(caseNode: $0) })
      } else {
        .file(try places.text())
      }
    let rules = try CaseRule.all(in: root.optionalMember("rules"), rulesIn)
    var persons: [String: [CaseTrack]] = [:]
    if let node = try root.optionalMember("persons") {
      for name in try node.keys() { persons[name] = try CaseTrack.all(in: node.member(name)) }
    }
    let list = try root.member("cases")
    var (cases, names): ([StoryCase], Set<String>) = ([], [])
    for node in try list.elements() {
      for row in try StoryCase.rows(of: node) {
        guard cases.count < Self.mostCases else {
          throw list.error("there are more than \(Self.mostCases) cases; divide the file")
        }
        let made = try StoryCase(row, rules, persons, rulesIn)
        guard names.insert(made.name).inserted else {
          throw node.error("“\(made.name)” is the name of an earlier case")
        }
        cases.append(made)
      }
    }
    guard !cases.isEmpty else { throw list.error("there is no case") }
    self.cases = cases
  }

  /// The stories, the walks and the rules that are files, relative to the case file.
  package var files: Set<String> {
    var files: Set<String> = []
    if case .file(let name) = places { files.insert(name) }
    for story in cases {
      for track in story.tracks { if case .file(let name) = track.source { files.insert(name) } }
      for rule in story.rules where rule.namesFiles { files.formUnion(rule.values) }
    }
    return files
  }
}

/// A rule by the name of its option, such as `limit`.
///
/// The commands that read options turn the rules of a case into settings, so that a case may use
/// any option.
package struct CaseRule: Hashable, Sendable {
  /// The option's name without dashes.
  package var name: String
  /// The values as written, usually one.
  package var values: [String]
  /// Where it, or the name of its file, stands in the document.
  package var path: String

  /// Creates a rule; the path is for errors.
  package init(name: String, values: [String], path: String = "") {
    (self.name, self.values, self.path) = (name, values, path)
  }

  /// Whether the values can be files.
  package var namesFiles: Bool { ["profile", "reminders"].contains(name) }

  /// Whether the rule stands in the document itself.
  package var isInline: Bool { path.hasSuffix(name) }

  /// Reads an object of rules, or the file that a text names.
  static func all(
    in node: JSONNode?, _ rulesIn: (String) throws -> [CaseRule]
  ) throws -> [CaseRule] {
    guard let node else { return [] }
    if case .string(let file) = node.value {
      return try rulesIn(file).map { rule in
        var rule = rule
        rule.path = node.path
        return rule
      }
    }
    return try node.keys().map { name in
      let value = try node.member(name)
      return CaseRule(name: name, values: try value.texts(), path: value.path)
    }
  }
}

/// A walk of a case, and where it stands in the document.
///
/// ``CaseRunner`` reads it, or makes it from points, when the first case needs it.
package struct CaseTrack: Sendable {
  /// Where the fixes of a walk come from.
  ///
  /// Two cases with equal sources share the walk, which is read once.
  package enum Source: Hashable, Sendable {
    /// A file, relative to the case file.
    case file(String)
    /// A walk that is made from points.
    case points(Waypoints)
  }

  let source: Source
  private let path: String

  /// An error about this walk.
  func error(_ sentence: String) -> JSONPathError { JSONPathError(path: path, sentence: sentence) }

  /// Reads one walk, or a list of walks of one reader, in order.
  static func all(in node: JSONNode) throws(JSONPathError) -> [CaseTrack] {
    guard case .array = node.value else { return [try CaseTrack(node)] }
    let tracks = try node.elements().map(CaseTrack.init)
    guard !tracks.isEmpty else { throw node.error("there is no walk") }
    return tracks
  }

  private init(_ node: JSONNode) throws(JSONPathError) {
    path = node.path
    source =
      if case .object = node.value {
        .points(try Waypoints(node))
      } else {
        .file(try node.text())
      }
  }
}

extension Place {
  /// Reads a story written out in a case file.
  fileprivate init(caseNode node: JSONNode) throws(JSONPathError) {
    try node.check(
      keys: [
        "id", "title", "category", "lat", "lon", "radius", "priority", "published", "expires",
      ])
    let (latitude, longitude) = (try node.member("lat"), try node.member("lon"))
    let coordinate = Coordinate(
      latitudeDegrees: try latitude.double(), longitudeDegrees: try longitude.double())
    guard coordinate.isValid else {
      throw latitude.error("must be within ±90°, and lon within ±180°")
    }
    let radius = try node.optionalMember("radius")
    let meters = try radius?.meters() ?? Place.defaultRadiusMeters
    guard meters > 0, meters <= Circle.greatestRadiusMeters else {
      throw (radius ?? node).error("must be above 0 and at most 20,000 km")
    }
    self.init(
      id: try node.member("id").text(), title: try node.optional("title", JSONNode.text) ?? "",
      category: try node.optional("category", JSONNode.text) ?? "",
      priority: try node.optional("priority", JSONNode.integer) ?? 0, coordinate: coordinate,
      radiusMeters: meters,
      publishedMilliseconds: try node.optional("published", JSONNode.instantMilliseconds),
      expiresMilliseconds: try node.optional("expires", JSONNode.instantMilliseconds))
    guard !id.isEmpty else { throw node.error("\"id\" must not be empty") }
  }
}

/// One test: walks, the rules that apply, and what must happen.
///
/// A case with a table of parameters becomes one test for each row.
package struct StoryCase: Sendable {
  /// The name, unique in its file, with the parameters if there are any.
  package let name: String
  /// Where it stands in the document.
  package let path: String
  /// The walks of one reader, in order, at least one.
  package let tracks: [CaseTrack]
  /// The rules of the file and then those of the case, which replace them.
  package let rules: [CaseRule]
  /// What must happen; empty in a case that is still to be recorded.
  package let expectations: [StoryExpectation]

  init(
    _ node: JSONNode, _ shared: [CaseRule], _ persons: [String: [CaseTrack]],
    _ rulesIn: (String) throws -> [CaseRule]
  ) throws {
    try node.check(keys: ["name", "track", "person", "profile", "rules", "expect"])
    (name, path) = (try node.member("name").text(), node.path)
    var own = try CaseRule.all(in: node.optionalMember("rules"), rulesIn)
    if let profile = try node.optionalMember("profile") {
      own.append(CaseRule(name: "profile", values: try profile.texts(), path: profile.path))
    }
    let names = Set(own.map(\.name))
    rules = shared.filter { !names.contains($0.name) } + own
    switch (try node.optionalMember("track"), try node.optionalMember("person")) {
    case (let track?, nil): tracks = try CaseTrack.all(in: track)
    case (nil, let person?):
      guard let known = persons[try person.text()] else {
        throw person.error("is not one of the file's persons")
      }
      tracks = known
    default: throw node.error("needs either \"track\" or \"person\"")
    }
    expectations =
      try node.optionalMember("expect")?.elements().map { try StoryExpectation($0) } ?? []
  }
}

// MARK: - Tables of parameters

extension StoryCase {
  /// The case, once for each row of its table of parameters.
  ///
  /// `<limit>` stands for the row's value of `limit`: a text that consists of it alone becomes the
  /// value itself.
  static func rows(of node: JSONNode) throws(JSONPathError) -> [JSONNode] {
    guard let table = try node.optionalMember("parameters"),
      case .object(let members) = node.value
    else { return [node] }
    let template = members.filter { $0.key != "parameters" }
    var rows: [JSONNode] = []
    for row in try table.elements() {
      guard case .object(let parameters) = row.value, !parameters.isEmpty else {
        throw row.error("must give each parameter a value")
      }
      var filled = JSONValue.object(template).filled(with: parameters)
      filled.appendToName(parameters, unless: members)
      rows.append(JSONNode(filled, path: node.path))
    }
    guard !rows.isEmpty else { throw table.error("there is no row") }
    return rows
  }
}

extension JSONValue {
  /// The value with `<name>` replaced by the parameter of that name.
  fileprivate func filled(with parameters: [Member]) -> JSONValue {
    switch self {
    case .string(let text):
      var result = text
      for parameter in parameters {
        let mark = "<\(parameter.key)>"
        if text == mark { return parameter.value }
        if let value = parameter.value.scalarText { result.replace(mark, with: value) }
      }
      return .string(result)
    case .array(let elements): return .array(elements.map { $0.filled(with: parameters) })
    case .object(let members):
      return .object(
        members.map { Member(key: $0.key, value: $0.value.filled(with: parameters)) })
    case .null, .boolean, .number: return self
    }
  }

  /// Appends the parameters to the case's name, unless the name shows one of them.
  fileprivate mutating func appendToName(_ parameters: [Member], unless template: [Member]) {
    guard case .object(var members) = self,
      let index = members.firstIndex(where: { $0.key == "name" }),
      let name = members[index].value.scalarText,
      template.first(where: { $0.key == "name" })?.value.scalarText == name
    else { return }
    let list = parameters.map { "\($0.key) \($0.value.scalarText ?? "…")" }
    members[index].value = .string("\(name) (\(list.joined(separator: ", ")))")
    self = .object(members)
  }
}

/// A walk at a constant speed from point to point, with a fix every second and at each point.
///
/// It needs no recording, so a case can be written before anybody has walked there.
package struct Waypoints: Hashable, Sendable {
  /// At least two points.
  package let points: [Coordinate]
  /// The speed in meters per second, above 0.
  package let metersPerSecond: Double
  /// The time at the first point, in milliseconds since 1970-01-01T00:00:00Z.
  package let startMilliseconds: Int64

  private static let walkingMetersPerSecond = 1.4
  /// The longest walk: more than a day of fixes.
  private static let mostSeconds = 100_000.0

  init(_ node: JSONNode) throws(JSONPathError) {
    try node.check(keys: ["points", "speed", "start"])
    let list = try node.member("points")
    let points = try list.elements().map { (point) throws(JSONPathError) in
      try point.coordinate()
    }
    guard points.count > 1 else { throw list.error("a walk needs at least two points") }
    let speed = try node.optionalMember("speed")
    let written = try speed?.text()
    metersPerSecond =
      written.map { Quantity.metersPerSecond($0) ?? 0 } ?? Self.walkingMetersPerSecond
    guard metersPerSecond > 0 else {
      throw (speed ?? node).error("must be a speed above 0, such as 1.4m/s or 30km/h")
    }
    let meters = zip(points, points.dropFirst()).reduce(0) {
      $0 + Geodesic.distanceMeters($1.0, $1.1)
    }
    guard meters / metersPerSecond <= Self.mostSeconds else {
      throw node.error("takes longer than a day; use fewer points or a higher speed")
    }
    self.points = points
    startMilliseconds = try node.member("start").instantMilliseconds()
  }

  func track() -> RecordedTrack {
    var fixes = [Fix(coordinate: points[0], timeMilliseconds: startMilliseconds)]
    var passedSeconds = 0.0
    for (start, end) in zip(points, points.dropFirst()) {
      let segment = GeodesicSegment(from: Position(start), to: Position(end))
      let seconds = segment.lengthMeters / metersPerSecond
      guard seconds > 0 else { continue }
      var next = passedSeconds.rounded(.down) + 1
      while next < passedSeconds + seconds {
        let position = segment.position(atFraction: (next - passedSeconds) / seconds)
        append(position.coordinate, atSeconds: next, to: &fixes)
        next += 1
      }
      passedSeconds += seconds
      append(end, atSeconds: passedSeconds, to: &fixes)
    }
    return RecordedTrack(name: "waypoints", fixes: fixes)
  }

  /// Appends a fix, which replaces one of the same time.
  private func append(
    _ coordinate: Coordinate, atSeconds seconds: Double, to fixes: inout [Fix]
  ) {
    let time = startMilliseconds + Int64((seconds * 1000).rounded())
    if fixes.last?.timeMilliseconds == time { fixes.removeLast() }
    fixes.append(Fix(coordinate: coordinate, timeMilliseconds: time))
  }
}
