#if Command
import FencepostAnalysis
import FencepostFormats
import FencepostMonitoring

/// Why a question cannot be answered: a sentence without a period.
///
/// The page shows it in place of an answer, and the studio goes on.
package struct StudioRefusal: Error, Equatable, CustomStringConvertible {
  /// The sentence, for the page to show.
  package var description: String
}

/// A question from the studio's page: changes and rules, applied to one of the tracks.
///
/// The page keeps the user's changes and sends all of them each time, so the studio needs no memory
/// of them.
struct StudioQuestion: Sendable {
  /// The number of the question, ascending within a page.
  var number: Int
  /// The changed places by ID; nil deletes one.
  var changes: PlaceChanges
  var rules: StudioRules
  /// The index of the track that the page shows.
  var track: Int
  /// The ID of the story in question, if any.
  var story: String?
  /// The export's format: `csv`, `geojson`, `rules` or `case`.
  var form: String?
  /// What a page to send leaves out.
  var privacy = WalkPrivacy()
  /// The view that a page to send opens with, as in the studio's address; empty for the whole walk.
  var view = ""
  /// For a save, the places as the page knows them from the store; nil for new ones.
  var known = PlaceChanges()

  /// Reads a question as the page writes it.
  init(_ body: Span<UInt8>) throws(StudioRefusal) {
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: body)
    } catch {
      throw StudioRefusal(description: "the request cannot be read: \(error.sentence)")
    }
    do throws(JSONPathError) {
      try self.init(JSONNode(document))
    } catch {
      throw StudioRefusal(description: error.description)
    }
  }

  /// Reads the members; a changed story must have the id under which it stands.
  private init(_ node: JSONNode) throws(JSONPathError) {
    number = try node.member("number").integer()
    changes = try PlaceChanges(node.member("changes"))
    rules = try StudioRules(node.member("rules"))
    track = try node.member("track").integer()
    story = try node.optionalMember("story")?.string()
    form = try node.optionalMember("form")?.string()
    view = try node.optionalMember("view")?.string() ?? ""
    if let hidden = try node.optionalMember("privacy") {
      privacy.endsMeters = try hidden.member("endsMeters").double()
      privacy.clockMilliseconds = try hidden.member("clockMilliseconds").wholeNumber()
    }
    if let places = try node.optionalMember("known") { known = try PlaceChanges(places) }
    for (id, place) in changes.byID where place.map({ $0.id != id }) ?? false {
      throw node.error("the story “\(id)” has a different id in the request")
    }
  }
}

extension PlaceChanges {
  /// Reads places by ID; null is a place that is not there.
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    for id in try node.keys() {
      let place = try node.optionalMember(id)
      byID[id] = .some(try place.map { node throws(JSONPathError) in try Place(node) })
    }
  }
}

extension JSONNode {
  /// A whole number of at least 0, of 64 bits also where integers have 32.
  func wholeNumber() throws(JSONPathError) -> Int64 {
    guard case .number(let number, let text) = value,
      let whole = Int64(text) ?? Int64(exactly: number), whole >= 0
    else { throw error("expected a whole number of at least 0") }
    return whole
  }
}
#endif
