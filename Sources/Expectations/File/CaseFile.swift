package import FencepostFormats
import FencepostGeodesy
package import FencepostMonitoring
import FencepostReporting

/// A file of story tests: the stories, the rules, and what must happen on each walk.
///
/// Errors are ``JSONPathError``s, whose paths tell where in the document they are.
package struct CaseFile: Sendable {
  package enum Places: Sendable {
    /// A file of stories or a store, relative to the case file.
    case file(String)
    case list([Place])
  }

  package let places: Places
  package let cases: [StoryCase]

  /// The most cases, after tables of parameters are written out.
  private static let mostCases = 10_000

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - root: The document.
  ///   - rulesIn: Reads the rules of a file that the document names.
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
package struct CaseRule: Hashable, Sendable {
  package var name: String
  package var values: [String]
  /// Where it, or the name of its file, stands in the document.
  package var path: String

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

  /// The rules, with those of the same name replaced.
  static func merged(_ rules: [CaseRule], with own: [CaseRule]) -> [CaseRule] {
    let names = Set(own.map(\.name))
    return rules.filter { !names.contains($0.name) } + own
  }
}

/// A walk of a case, and where it stands in the document.
package struct CaseTrack: Sendable {
  package enum Source: Hashable, Sendable {
    /// A file, relative to the case file.
    case file(String)
    case points(Waypoints)
  }

  let source: Source
  private let path: String

  func error(_ sentence: String) -> JSONPathError { JSONPathError(path: path, sentence: sentence) }

  /// Reads one walk, or a list of walks of one reader, in order.
  static func all(in node: JSONNode) throws(JSONPathError) -> [CaseTrack] {
    guard case .array = node.value else { return [try CaseTrack(node)] }
    var tracks: [CaseTrack] = []
    for element in try node.elements() { tracks.append(try CaseTrack(element)) }
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
