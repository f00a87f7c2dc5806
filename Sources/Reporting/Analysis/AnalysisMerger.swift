public import FencepostAnalysis
public import FencepostMonitoring
import FencepostFormats
import FencepostGeodesy
import FencepostPhones

/// Joins the NDJSON of analyses of different tracks into what one analysis of all tracks would write.
///
/// Feed it the lines of all parts in order. Lines about one track are kept; the caller writes those about all
/// tracks anew from ``totals``. Memory holds one analysis' totals and the tracks' names.
///
/// A part may also be only the totals of its tracks with their sums, as an analysis writes them on request: then its
/// numbers come from these, so that parts can be joined in any number of steps.
public struct AnalysisMerger: Sendable {
  /// Why an analysis cannot be read or joined.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// A sentence that begins with the file and the line.
    public var description: String

    init(_ error: JSONPathError, _ name: String, line: Int, _ text: String) {
      description =
        line > 1 || text.hasPrefix("{\"type\":\"settings\"")
        ? "\(name): line \(line): \(error)" : Self.notAnAnalysis(name)
    }

    init(_ description: String) {
      self.description = description
    }

    /// That a file is something else, and how to get an analysis.
    static func notAnAnalysis(_ name: String) -> String {
      let file = name.split(separator: "/").last ?? "analysis"
      let stem = file.prefix { $0 != "." }
      let output = stem.isEmpty || stem == "-" ? "analysis" : stem
      return "\(name) is not an analysis. Save one with: fencepost analyze … -o \(output).ndjson"
    }
  }

  /// What the caller does with a line.
  public enum Fate: Sendable {
    /// Copies it into the joined analysis.
    case kept
    /// Drops it: the joined analysis has its own.
    case remade
  }

  /// The totals of the lines so far; complete after ``finish()``.
  public private(set) var totals = AnalysisTotals(storyCount: 0)
  /// The stories, in their order.
  public private(set) var stories: [Place] = []

  /// The losses of tracks that lost more fixes than they kept, in the order of the tracks.
  public private(set) var losses: [FixLoss] = []

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
  public private(set) var namesOnlyCrossed = false
  /// Whether a line about a track has been in the part: then the numbers come from such lines.
  private var hasTracks = false
  /// Whether the part has its sums in place of its tracks.
  private var hasSums = false

  /// Makes a merger without parts.
  public init() {}

  /// Begins the next part.
  public mutating func begin(part: String) throws(Failure) {
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
  public mutating func take(_ text: String) throws(Failure) -> Fate {
    line += 1
    if Self.keptTypes.contains(where: { text.hasPrefix("{\"type\":\"\($0)\"") }) { return .kept }
    do throws(JSONPathError) {
      return try take(text, try JSONNode(line: text))
    } catch {
      throw Failure(error, part, line: line, text)
    }
  }

  private mutating func take(_ text: String, _ node: JSONNode) throws(JSONPathError) -> Fate {
    var reader = DocumentReader(node: node)
    switch try node.member("type").string() {
    case "settings":
      try reader.property("fatigue", &totals.fatigueLimit)
      return try takeSettings(text, node)
    case "track": try take(track: &reader)
    case "skipped":
      try note(track: node.member("track").string())
      totals.skipped += 1
    case "copy":
      try note(track: node.member("track").string())
      totals.copies += 1
    case "chance-track":
      let name = try node.member("profile").string()
      let number = totals.profile(named: name, trials: try node.member("trials").integer())
      try totals.profiles[number].add(trackOf: node)
    case let type:
      try take(type, &reader)
      return .remade
    }
    return .kept
  }

  /// Reads a line about all tracks.
  private mutating func take(
    _ type: String, _ reader: inout DocumentReader
  ) throws(JSONPathError) {
    switch type {
    case "sums", "sums-person", "sums-story":
      // They only repeat what the lines about the tracks came to.
      if !hasTracks { try take(sums: type, &reader) }
    case "story": try take(story: &reader)
    case "totals":
      isPartComplete = true
      guard hasSums else { return }
      var part = AnalysisTotals(storyCount: 0)
      try reader.members(of: &part, [])
      totals += part
    case "spot":
      guard hasSums else { return }
      var spot = CrowdedSpot(coordinate: Self.origin, circles: 0, tracks: 0)
      try reader.members(of: &spot)
      totals.add(spot)
    case "chance-story":
      let place = try reader.node.member("place")
      guard let story = indices[try place.string()] else {
        throw place.error("there is no such story")
      }
      totals.profiles[try profile(in: reader.node)].add(try StoryOdds(reader.node), of: story)
    case "chance-doubt":
      totals.profiles[try profile(in: reader.node)].add(try DoubtEffect(reader.node))
    case "together", "chance-totals": break
    default: throw reader.node.error("‘\(type)’ is no line of an analysis")
    }
  }

  private func profile(in node: JSONNode) throws(JSONPathError) -> Int {
    let name = try node.member("profile").string()
    guard let number = totals.profiles.firstIndex(where: { $0.name == name }) else {
      throw node.error("no track was simulated on \(name)")
    }
    return number
  }

  /// Ends the last part: the totals are complete.
  public mutating func finish() throws(Failure) {
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
      throw Failure("\(part): ends early, without its totals")
    }
  }

  /// The lines about a part of a track, which nothing is made of.
  private static let keptTypes = ["verdict", "entry", "chance"]

  private static let origin = Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)

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
    stories = Array(repeating: Place(id: "", coordinate: Self.origin), count: count)
    totals.stories = StoryAccounts(count: count)
  }

  private mutating func note(track: String) throws(JSONPathError) {
    hasTracks = true
    if let other = partOfTrack.updateValue(part, forKey: track) {
      throw JSONPathError(
        path: "", sentence: "the track \(track) was in \(other == part ? "it" : other) already")
    }
  }

  private mutating func take(track reader: inout DocumentReader) throws(JSONPathError) {
    let node = reader.node
    var account = TrackAccount(track: try node.member("track").string())
    try reader.members(of: &account)
    try reader.members(ofMeasuresOf: &account)
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
      var coordinate = Self.origin
      var crowdReader = DocumentReader(node: crowd)
      try crowdReader.members(of: &coordinate)
      crowds.append(.init(coordinate: coordinate, circles: try crowd.member("circles").integer()))
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

  private mutating func take(
    sums type: String, _ reader: inout DocumentReader
  ) throws(JSONPathError) {
    hasSums = true
    let node = reader.node
    switch type {
    case "sums-person":
      let name = try node.member("person").string()
      try note(person: name)
      var person = PersonTotals.Person()
      try reader.members(of: &person)
      totals.persons.add(person, named: name)
    case "sums-story":
      let member = try node.member("signature")
      guard let signature = UInt64(try member.string(), radix: 16) else {
        throw member.error("expected up to sixteen hexadecimal digits")
      }
      var account = StoryAccount()
      account.moments = try node.member("moments").integer()
      account.signature = signature
      moments[try node.member("place").string(), default: StoryAccount()] += account
    default:
      var part = AnalysisTotals(storyCount: 0)
      try reader.members(ofSumsIn: &part)
      totals += part
      for profile in try node.member("profiles").elements() {
        let name = try profile.member("profile").string()
        let number = totals.profile(named: name, trials: try profile.member("trials").integer())
        try totals.profiles[number].add(sumsOf: profile)
      }
    }
  }

  private mutating func take(story reader: inout DocumentReader) throws(JSONPathError) {
    let node = reader.node
    var story = Place(id: try node.member("place").string(), coordinate: Self.origin)
    var account = StoryAccount()
    try reader.members(of: &story, &account)
    try reader.property("url", &story.url)
    try reader.members(ofReachOf: &account)
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
    _ story: Place, _ account: StoryAccount, _ node: JSONNode
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

/// Reads the NDJSON of an analysis for a comparison, line by line.
public struct ComparedAnalysis: Sendable {
  /// Why an analysis cannot be read.
  public typealias Failure = AnalysisMerger.Failure

  /// What was read.
  public private(set) var side = AnalysisComparison.Side()
  private let name: String
  private var line = 0
  private var isComplete = false

  /// Begins a file.
  public init(name: String) {
    self.name = name
  }

  /// Takes a line.
  public mutating func take(_ text: String) throws(Failure) {
    line += 1
    // Most lines say nothing about alerts.
    if text.hasPrefix("{\"type\":\"verdict\"") { return }
    do throws(JSONPathError) {
      let node = try JSONNode(line: text)
      switch try node.member("type").string() {
      case "settings": side.rule = try Self.rule(node)
      case "entry": try take(entry: node)
      case "track":
        var account = TrackAccount(track: try node.member("track").string())
        var reader = DocumentReader(node: node)
        try reader.members(of: &account)
        side.tracks.append(account)
      case "story":
        side.titles[try node.member("place").string()] = try node.member("title").string()
      case "totals": isComplete = true
      case "skipped", "spot", "together", "copy": break
      case let type: throw node.error("‘\(type)’ is no line of an analysis")
      }
    } catch {
      throw Failure(error, name, line: line, text)
    }
  }

  /// Ends the file.
  public func finish() throws(Failure) {
    guard line > 0 else { throw Failure(Failure.notAnAnalysis(name)) }
    guard isComplete else { throw Failure("\(name): ends early, without its totals") }
  }

  private mutating func take(entry node: JSONNode) throws(JSONPathError) {
    guard try node.member("alert").boolean() else { return }
    let (track, place) = (try node.member("track").string(), try node.member("place").string())
    side.alerts[track, default: [:]][place, default: 0] += 1
  }

  private static func rule(_ node: JSONNode) throws(JSONPathError) -> String {
    var rule = MonitoringOptions()
    rule.limit = try node.optionalMember("limit")?.integer()
    rule.refresh = try node.member("refresh").string() == "fixed" ? .fixed : .adaptive
    rule.significantChangeMeters = try node.member("significantChange").double()
    rule.rank = try node.member("rank").string() == "center" ? .center : .edge
    return rule.refreshSentence
  }
}
