/// What geocaching.com adds to a waypoint.
struct Geocache {
  private var isCache = false
  /// Whether it is a point beside a cache, such as a place to park.
  private(set) var isWaypoint = false
  private(set) var isFound = false
  private(set) var isArchived = false
  private var title = ""
  private var hint = ""
  private var difficulty = ""
  private var terrain = ""

  /// Takes the attributes of the element `cache`.
  mutating func begin(_ attributes: [String: String]) {
    isCache = true
    isArchived =
      attributes["archived"]?.lowercased() == "true"
      || attributes["available"]?.lowercased() == "false"
  }

  /// Takes the text of an element.
  mutating func take(_ name: String, _ value: String, parent: String) {
    switch (parent, name) {
    case ("wpt", "type"):
      if value.hasPrefix("Geocache") { isCache = true }
      if value.hasPrefix("Waypoint|") { isWaypoint = true }
    case ("wpt", "sym"): isFound = value == "Geocache Found"
    case ("cache", "name"), ("wpt", "urlname"): title = value
    case ("link", "text") where title.isEmpty: title = value
    case ("cache", "difficulty"): difficulty = value
    case ("cache", "terrain"): terrain = value
    case ("cache", "encoded_hints"): hint = value
    default: break
    }
  }

  /// Gives a waypoint the cache's code as its id, its name as title, and difficulty and hint behind its text.
  func complete(_ draft: inout PlaceDraft) {
    guard isCache || isWaypoint else { return }
    draft.set(.id, range: draft.range(.title))
    if !title.isEmpty {
      draft.set(.title, title)
    } else if isWaypoint, !draft.isEmpty(.blurb) {
      draft.set(.title, range: draft.range(.blurb))
    }
    var lines = [draft.text(.blurb)]
    if !difficulty.isEmpty, !terrain.isEmpty {
      lines.append("Difficulty \(difficulty), terrain \(terrain).")
    }
    if !hint.isEmpty { lines.append("Hint: \(hint)") }
    draft.set(.blurb, lines.filter { !$0.isEmpty }.joined(separator: "\n"))
    let kind = draft.text(.category).split(separator: "|").last
    if let kind { draft.set(.category, String(kind)) }
  }
}

/// How many caches of an import are found or archived, and which are skipped.
struct GeocacheCount {
  private struct Counts {
    var found = 0
    var archived = 0
    var waypoints = 0
    var isEmpty: Bool { found + archived + waypoints == 0 }
  }

  private var kept = Counts()
  private var skipped = Counts()
  /// The codes of skipped caches without their first two letters, which their waypoints have too.
  private var skippedCodes: Set<String> = []

  /// Counts a waypoint; true if it is left out.
  mutating func skips(_ cache: Geocache, code: String, _ skips: Set<ImportOptions.Skip>) -> Bool {
    let isSkipped =
      cache.isFound && skips.contains(.found) || cache.isArchived && skips.contains(.archived)
    if isSkipped { skippedCodes.insert(String(code.dropFirst(2))) }
    let isFound = cache.isFound && (!isSkipped || skips.contains(.found))
    let path: WritableKeyPath<Self, Counts> = isSkipped ? \.skipped : \.kept
    if isFound {
      self[keyPath: path].found += 1
    } else if cache.isArchived {
      self[keyPath: path].archived += 1
    }
    guard cache.isWaypoint, skippedCodes.contains(String(code.dropFirst(2))) else {
      return isSkipped
    }
    skipped.waypoints += 1
    return true
  }

  /// What the owner of the file should know.
  var warnings: [ImportReport.Warning] {
    [(skipped, true), (kept, false)].filter { !$0.0.isEmpty }.map { counts, isSkipped in
      .geocaches(
        found: counts.found, archived: counts.archived, waypoints: counts.waypoints,
        skipped: isSkipped)
    }
  }
}
