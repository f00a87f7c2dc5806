package import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostNotifications

/// Joins the NDJSON of analyses of different tracks into what one analysis of all tracks would write.
///
/// Feed it the lines of all parts in order. Lines about one track are kept; the caller writes those about all
/// tracks anew from ``totals``. Memory holds one analysis' totals and the tracks' names.
///
/// A part may also be only the totals of its tracks with their sums, as an analysis writes them on request: then its
/// numbers come from these, so that parts can be joined in any number of steps.
package struct AnalysisMerger: Sendable {
  /// Why parts cannot be joined.
  package struct Failure: Error, Sendable, CustomStringConvertible {
    /// A sentence that begins with the file and the line.
    package var description: String
  }

  /// What the caller does with a line.
  package enum Fate: Sendable {
    /// Copies it into the joined analysis.
    case kept
    /// Drops it: the joined analysis has its own.
    case remade
  }

  /// The totals of the lines so far; complete after ``finish()``.
  package private(set) var totals = AnalysisTotals(storyCount: 0)
  /// The stories, in their order.
  package private(set) var stories: [Story] = []

  /// The losses of tracks that lost more fixes than they kept, in the order of the tracks.
  package private(set) var losses: [FixLoss] = []

  private var settingsLine: String?
  private var indices: [String: Int] = [:]
  private var partOfTrack: [String: String] = [:]
  private var partOfPerson: [String: String] = [:]
  private var moments: [String: StoryAccount] = [:]
  private var partCount = 0
  private var part = ""
  private var line = 0
  private var storiesSeen = 0
  private var isPartComplete = true
  /// Whether the analyses name only stories that a path entered or that alerted.
  package private(set) var namesOnlyCrossed = false
  /// Whether a line about a track has been in the part: then the numbers come from such lines.
  private var hasTracks = false
  /// Whether the part has its sums in place of its tracks.
  private var hasSums = false

  /// Makes a merger without parts.
  package init() {}

  /// Begins the next part.
  package mutating func begin(part: String) throws(Failure) {
    try endPart()
    self.part = part
    partCount += 1
    line = 0
    storiesSeen = 0
    isPartComplete = false
    hasTracks = false
    hasSums = false
  }

  /// Takes a line of the part.
  ///
  /// - Throws: ``Failure`` if the line is not part of an analysis, the rules differ, or a track is in two
  ///   parts.
  package mutating func take(_ text: String) throws(Failure) -> Fate {
    line += 1
    if Self.keptTypes.contains(where: { text.hasPrefix("{\"type\":\"\($0)\"") }) { return .kept }
    do throws(JSONPathError) {
      let node = try Self.parse(text)
      switch try node.member("type").string() {
      case "settings":
        totals.fatigueLimit =
          try node.optionalMember("fatigue")?.integer() ?? totals.fatigueLimit
        return try takeSettings(text, node)
      case "track": try take(track: node)
      case "skipped":
        try note(track: node.member("track").string())
        totals.skipped += 1
      case "sums", "sums-person", "sums-story":
        try take(sums: node)
        return .remade
      case "story":
        try take(story: node)
        return .remade
      case "totals":
        isPartComplete = true
        if hasSums { try totals.add(totals: node) }
        return .remade
      case "copy":
        try note(track: node.member("track").string())
        totals.copies += 1
      case "spot":
        if hasSums { try totals.add(spot: node) }
        return .remade
      case "together": return .remade
      case "chance-track", "chance-story", "chance-doubt", "chance-totals":
        let indices = indices
        return try totals.take(chance: node, try node.member("type").string()) { indices[$0] }
          ? .kept : .remade
      case let type: throw node.error("‘\(type)’ is no line of an analysis")
      }
      return .kept
    } catch {
      guard line > 1 || text.hasPrefix("{\"type\":\"settings\"") else {
        throw Failure(description: ComparedAnalysis.notAnAnalysis(part))
      }
      throw Failure(description: "\(part): line \(line): \(error)")
    }
  }

  /// Ends the last part: the totals are complete.
  package mutating func finish() throws(Failure) {
    try endPart()
    for (id, account) in moments {
      guard let index = indices[id] else { continue }
      totals.stories[index].moments = account.moments
      totals.stories[index].signature = account.signature
    }
    totals.drawPersons()
  }

  private mutating func endPart() throws(Failure) {
    guard isPartComplete, partCount == 0 || namesOnlyCrossed || storiesSeen == stories.count
    else {
      throw Failure(description: "\(part): ends early, without its totals")
    }
  }

  /// The lines about a part of a track, which nothing is made of.
  private static let keptTypes = ["verdict", "entry", "chance"]

  private static func parse(_ text: String) throws(JSONPathError) -> JSONNode {
    do throws(JSONError) {
      return JSONNode(try JSONValue(parsing: text))
    } catch {
      throw JSONPathError(path: "", sentence: "\(error)")
    }
  }

  // MARK: Lines

  private mutating func takeSettings(
    _ text: String, _ node: JSONNode
  ) throws(JSONPathError) -> Fate {
    let isSparse = try node.optionalMember("verdicts")?.string() == "crossed"
    guard let settingsLine else {
      self.settingsLine = text
      namesOnlyCrossed = isSparse
      if isSparse { makeRoom(forStories: try node.member("stories").integer()) }
      return .kept
    }
    guard namesOnlyCrossed == isSparse else {
      throw JSONPathError(
        path: "", sentence: "the parts before it were made with another --verdicts")
    }
    guard settingsLine == text else {
      throw JSONPathError(
        path: "", sentence: "the rules differ from those of the parts before it")
    }
    return .remade
  }

  /// Numbers the stories as they are in the store, of which parts name only some.
  private mutating func makeRoom(forStories count: Int) {
    let unnamed = Story(
      id: "", title: "", category: "",
      coordinate: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0), radiusMeters: 0)
    stories = Array(repeating: unnamed, count: count)
    totals.stories = StoryAccounts(count: count)
  }

  private mutating func note(track: String) throws(JSONPathError) {
    hasTracks = true
    if let other = partOfTrack.updateValue(part, forKey: track) {
      throw JSONPathError(
        path: "", sentence: "the track \(track) was in \(other == part ? "it" : other) already")
    }
  }

  private mutating func take(track node: JSONNode) throws(JSONPathError) {
    let account = try TrackAccount(node)
    try note(track: account.track)
    if let person = account.person { try note(person: person) }
    totals.add(account)
    if let loss = account.loss { losses.append(loss) }
    for (index, moment) in try node.member("moments").elements().enumerated() {
      let hash = AnalysisTotals.hash(of: account.track, moment: index)
      for story in try moment.elements() {
        moments[try story.string(), default: StoryAccount()].add(moment: hash)
      }
    }
    var crowds: [TrackAnalysis.Crowd] = []
    for crowd in try node.member("crowds").elements() {
      crowds.append(
        TrackAnalysis.Crowd(
          coordinate: try Coordinate(crowd), circles: try crowd.member("circles").integer()))
    }
    totals.add(crowds)
  }

  private mutating func note(person: String) throws(JSONPathError) {
    guard partOfPerson.updateValue(part, forKey: person) ?? part == part else {
      throw JSONPathError(
        path: "",
        sentence: "tracks of \(person) are in several parts; all tracks of a person belong in one")
    }
  }

  private mutating func take(sums node: JSONNode) throws(JSONPathError) {
    // They only repeat what the lines about the tracks came to.
    guard !hasTracks else { return }
    hasSums = true
    switch try node.member("type").string() {
    case "sums-person":
      try note(person: try node.member("person").string())
      try totals.add(person: node)
    case "sums-story":
      try moments[node.member("place").string(), default: StoryAccount()].add(sums: node)
    default: try totals.add(sums: node)
    }
  }

  private mutating func take(story node: JSONNode) throws(JSONPathError) {
    let story = try Story(node)
    let account = try StoryAccount(node)
    storiesSeen += 1
    if namesOnlyCrossed { return try take(story, account, node.member("index")) }
    if let index = indices[story.id], partCount > 1 {
      totals.stories[index] += account
    } else if partCount == 1, indices[story.id] == nil {
      indices[story.id] = stories.count
      stories.append(story)
      totals.stories.append(account)
    } else {
      throw node.error("the story \(story.id) is not in the store of the parts before it")
    }
  }

  /// Takes a story of an analysis that does not name all.
  private mutating func take(
    _ story: Story, _ account: StoryAccount, _ node: JSONNode
  ) throws(JSONPathError) {
    let index = try node.integer()
    guard stories.indices.contains(index), ["", story.id].contains(stories[index].id) else {
      throw node.error("the story \(story.id) is not in the store of the parts before it")
    }
    indices[story.id] = index
    stories[index] = story
    totals.stories[index] += account
  }
}
