package import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostNotifications

/// Merges NDJSON analyses of different tracks into one analysis of all tracks.
///
/// Feed it the lines of all parts in order. It tells the caller to copy lines about one track;
/// lines about all tracks must be written again from `totals`. Memory holds the totals of one
/// analysis and the names of the tracks.
///
/// A part may also hold only totals and their sums, as an analysis writes them on request. The
/// result can then be merged again, in any number of steps.
package struct AnalysisMerger: Sendable {
  /// Why a part cannot be merged; its description names the file and the line.
  package typealias Failure = SavedAnalysis.Failure

  /// What to do with a line of a part.
  ///
  /// Lines about single tracks are kept; those about all tracks are made anew from the totals.
  package enum Fate: Sendable {
    /// Copy it into the merged analysis.
    case kept
    /// Drop it, because the merged analysis has its own.
    case remade
  }

  /// The totals of the lines so far; complete after ``finish()``.
  package private(set) var totals = AnalysisTotals(storyCount: 0)
  /// The stories that the parts name, without repetitions; complete after the first part, unless
  /// the parts leave out stories.
  package private(set) var stories: [Story] = []

  /// Tracks that lost more fixes than they kept, in track order.
  package private(set) var losses: [FixLoss] = []

  private var settingsLine: String?
  private var indices: [String: Int] = [:]
  private var partOfTrack: [String: String] = [:]
  private var partOfPerson: [String: String] = [:]
  private var moments: [String: StoryAccount] = [:]
  private var partCount = 0
  private var part = SavedAnalysis(name: "")
  private var storiesSeen = 0
  private var isPartComplete = true
  /// Whether the analyses leave out stories that no path entered and that never alerted.
  package private(set) var namesOnlyCrossed = false
  /// Whether the part has lines about tracks, which then provide the numbers.
  private var hasTracks = false
  /// Whether the part has sums instead of tracks.
  private var hasSums = false

  /// Begins a merger without parts.
  package init() {}

  /// Begins a part, which messages call by this name; the part before must be complete.
  package mutating func begin(part: String) throws(Failure) {
    try endPart()
    self.part = SavedAnalysis(name: part)
    partCount += 1
    storiesSeen = 0
    (isPartComplete, hasTracks, hasSums) = (false, false, false)
  }

  /// Adds a line of the part.
  ///
  /// Lines about single entries are recognized by their first bytes and are not parsed, because an
  /// analysis has many of them.
  ///
  /// - Throws: ``Failure`` if the line does not belong to an analysis, the rules differ, or a track
  ///   or a person is in two parts.
  package mutating func take(_ text: String) throws(Failure) -> Fate {
    part.line += 1
    // As analyses are written, the type of a line comes first.
    if Self.keptTypes.contains(where: { text.hasPrefix("{\"type\":\"\($0)\"") }) { return .kept }
    let part = part
    return try part.read(text) { (node, type) throws(JSONPathError) in
      switch type {
      case "settings":
        totals.fatigueLimit = try node.optional("fatigue", JSONNode.integer) ?? totals.fatigueLimit
        return try addSettings(text, node)
      case "track":
        try add(track: node)
        return .kept
      case "skipped":
        try note(track: node.string("track"))
        totals.skipped += 1
        return .kept
      case "copy":
        try note(track: node.string("track"))
        totals.copies += 1
        return .kept
      case let type where Self.keptTypes.contains(type): return .kept
      case "sums", "sums-person", "sums-story": try add(sums: node, type)
      case "story": try add(story: node)
      case "totals":
        isPartComplete = true
        guard hasSums else { return .remade }
        var line = TotalsLine(totals: totals, stories: [])
        try line.add(node)
        totals = line.totals
        totals.stories.trackCount = totals.tracks
      case "spot": if hasSums { totals.add(try CrowdedSpot(node, CrowdedSpot.fields)) }
      case "together": break
      case "chance-track", "chance-story", "chance-doubt", "chance-totals":
        let indices = indices
        return try totals.add(chance: node, type) { indices[$0] } ? .kept : .remade
      default: throw node.error("an analysis has no lines of type “\(type)”")
      }
      return .remade
    }
  }

  /// Ends the last part and completes `totals`.
  package mutating func finish() throws(Failure) {
    try endPart()
    for (id, account) in moments {
      guard let index = indices[id] else { continue }
      totals.stories[index].moments = account.moments
      totals.stories[index].signature = account.signature
    }
    totals.drawPersons()
  }

  /// Checks that a part ends with its totals and has all stories of the first one.
  ///
  /// Parts without untouched stories need only the totals.
  private mutating func endPart() throws(Failure) {
    guard isPartComplete, partCount == 0 || namesOnlyCrossed || storiesSeen == stories.count
    else { throw part.endsEarly }
  }

  /// Lines about part of a track, which do not enter the totals.
  private static let keptTypes = ["verdict", "entry", "chance"]

  // MARK: Lines

  /// Keeps the settings of the first part, and demands the same of all others.
  private mutating func addSettings(
    _ text: String, _ node: JSONNode
  ) throws(JSONPathError) -> Fate {
    let isSparse = try node.optional("verdicts", JSONNode.string) == "crossed"
    guard let settingsLine else {
      self.settingsLine = text
      namesOnlyCrossed = isSparse
      if isSparse {
        // Number the stories as in the store, because parts name only some of them.
        let unnamed = Story(
          id: "", title: "", coordinate: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0),
          radiusMeters: 0)
        stories = Array(repeating: unnamed, count: try node.integer("stories"))
        totals.stories = StoryAccounts(count: stories.count)
      }
      return .kept
    }
    guard namesOnlyCrossed == isSparse else {
      throw node.error("the earlier parts were made with a different --verdicts")
    }
    guard settingsLine == text else {
      throw node.error("the rules differ from those of the earlier parts")
    }
    return .remade
  }

  /// Remembers in which part a track is; throws if it is in one already.
  private mutating func note(track: String) throws(JSONPathError) {
    hasTracks = true
    if let other = partOfTrack.updateValue(part.name, forKey: track) {
      throw JSONPathError(
        path: "",
        sentence: other == part.name
          ? "the track \(track) is in this part twice" : "the track \(track) is also in \(other)")
    }
  }

  /// Adds the numbers of a track, with the stories that alerted together and the crowded spots.
  private mutating func add(track node: JSONNode) throws(JSONPathError) {
    var account = TrackAccount(track: "")
    try account.add(node)
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
    var crowds: [CrowdedSpot] = []
    for crowd in try node.member("crowds").elements() {
      crowds.append(try CrowdedSpot(crowd, CrowdedSpot.fieldsOnTrack))
    }
    totals.add(crowds)
  }

  /// Remembers in which part a person is; throws if that person is in another.
  private mutating func note(person: String) throws(JSONPathError) {
    guard partOfPerson.updateValue(part.name, forKey: person) ?? part.name == part.name else {
      throw JSONPathError(
        path: "",
        sentence: "tracks of \(person) are in several parts; put all tracks of a person in one")
    }
  }

  /// Adds the terms of a part without lines about tracks.
  private mutating func add(sums node: JSONNode, _ type: String) throws(JSONPathError) {
    // The lines about the tracks already contain these numbers.
    guard !hasTracks else { return }
    hasSums = true
    switch type {
    case "sums-person":
      let name = try node.string("person")
      try note(person: name)
      var person = PersonTotals.Person()
      try person.add(node)
      totals.persons.add(person, named: name)
    case "sums-story": try moments[node.string("place"), default: StoryAccount()].add(node)
    default: try totals.add(node)
    }
  }

  /// Adds a story's numbers to those of the same story in earlier parts.
  ///
  /// Parts without untouched stories number them as in the store; other parts must name the same
  /// stories as the first.
  private mutating func add(story node: JSONNode) throws(JSONPathError) {
    var line = StoryLine()
    try line.add(node)
    let (story, account) = (line.story, line.account)
    storiesSeen += 1
    func unknown(_ node: JSONNode) -> JSONPathError {
      node.error("the story \(story.id) is not in the store of the earlier parts")
    }
    if namesOnlyCrossed {
      let member = try node.member("index")
      let index = try member.integer()
      guard stories.indices.contains(index), ["", story.id].contains(stories[index].id) else {
        throw unknown(member)
      }
      indices[story.id] = index
      stories[index] = story
      totals.stories[index] += account
    } else if let index = indices[story.id], partCount > 1 {
      totals.stories[index] += account
    } else if partCount == 1, indices[story.id] == nil {
      indices[story.id] = stories.count
      stories.append(story)
      totals.stories.append(account)
    } else {
      throw unknown(node)
    }
  }
}
