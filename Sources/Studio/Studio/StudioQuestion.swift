import FencepostAnalysis
import FencepostMonitoring
import Foundation

/// What the studio's page asks: these changes and these rules, on one of the tracks.
struct StudioQuestion: Codable, Sendable {
  /// The number of the question; those of a page ascend.
  var number: Int
  /// The changed places by id; null removes one.
  var changes: [String: Place?]
  /// The rules.
  var rules: StudioRules
  /// Index of the track that the page shows.
  var track: Int
  /// Which of two settings asks: `pinned` for the one that another is compared with; nil for the other.
  var lane: String?
  /// The id of a story, where one is asked about.
  var story: String?
  /// What an export is to be: `csv`, `geojson` or `command`.
  var form: String?
  /// The places as the page knows them from the store, for a save: null for those that are new.
  var known: [String: Place?]?

  /// Reads a question from a request's body.
  init(_ body: [UInt8]) throws {
    self = try JSONDecoder().decode(StudioQuestion.self, from: Data(body))
  }

  /// The changes as a value; the places bear their ids.
  var placeChanges: PlaceChanges { PlaceChanges(changes) }

  /// A sentence without a full stop if a change is filed under another id than its own; nil if all is well.
  var fault: String? {
    let wrong = changes.first { id, place in place.map { $0.id != id } ?? false }
    return wrong.map { "the story ‘\($0.key)’ has a different id in the request" }
  }
}
