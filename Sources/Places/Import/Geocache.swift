/// The extensions of geocaching.com to a waypoint.
struct Geocache {
  private var isCache = false
  /// Whether it is a point that belongs to a cache, such as a parking spot.
  private(set) var isWaypoint = false
  private(set) var isFound = false
  private(set) var isArchived = false
  private var title = ""
  private var hint = ""
  private var difficulty = ""
  private var terrain = ""

  mutating func begin(_ attributes: [String: String]) {
    isCache = true
    isArchived =
      attributes["archived"]?.lowercased() == "true"
      || attributes["available"]?.lowercased() == "false"
  }

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

  /// Uses the cache's code as id and its name as title, and adds difficulty and hint to the blurb.
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

/// Counts found and archived caches, and decides which to skip.
struct GeocacheCount {
  private struct Counts {
    var found = 0
    var archived = 0
    var waypoints = 0
    var isEmpty: Bool { found + archived + waypoints == 0 }
  }

  private var kept = Counts()
  private var skipped = Counts()
  /// The codes of skipped caches without their first two letters, as shared by their waypoints.
  private var skippedCodes: Set<String> = []

  /// Counts a waypoint, and returns true if it must be skipped.
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

  var warnings: [ImportReport.Warning] {
    [(skipped, true), (kept, false)].filter { !$0.0.isEmpty }.map { counts, isSkipped in
      .geocaches(
        found: counts.found, archived: counts.archived, waypoints: counts.waypoints,
        skipped: isSkipped)
    }
  }
}
