import FencepostAnalysis
import FencepostMonitoring
import FoundationEssentials

/// A question from the studio's page: changes and rules, applied to one of the tracks.
struct StudioQuestion: Codable, Sendable {
  /// The number of the question, ascending within a page.
  var number: Int
  /// The changed places by ID; null deletes one.
  var changes: [String: Place?]
  var rules: StudioRules
  /// The index of the track that the page shows.
  var track: Int
  /// The setting that asks: `pinned` for the one compared with, nil for the one being edited.
  var lane: String?
  /// The ID of the story in question, if any.
  var story: String?
  /// The export's format: `csv`, `geojson`, `rules` or `case`.
  var form: String?
  /// What a page to send leaves out; nil for nothing.
  var privacy: WalkPrivacy?
  /// The view that a page to send opens with, as in the studio's address.
  var view: String?
  /// For a save, the places as the page knows them from the store; null for new ones.
  var known: [String: Place?]?

  /// The changes as a value, with the places' IDs set.
  var placeChanges: PlaceChanges { PlaceChanges(changes) }

  /// A sentence without a period if a change is filed under an ID other than its own.
  var fault: String? {
    let wrong = changes.first { id, place in place.map { $0.id != id } ?? false }
    return wrong.map { "the story “\($0.key)” has a different id in the request" }
  }
}

extension StudioQuestion {
  init(_ body: [UInt8]) throws {
    self = try JSONDecoder().decode(StudioQuestion.self, from: Data(body))
  }
}
