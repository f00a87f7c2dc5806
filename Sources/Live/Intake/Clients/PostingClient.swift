import FencepostHTTP

/// The kinds of clients that post fixes, by the answer that each takes as delivery.
///
/// Most phones send their oldest message again until it is accepted, and nothing newer passes. So a message
/// that can never be used is accepted too, and reported by ``PostLog``.
package enum PostingClient: String, Sendable {
  case ownTracks = "OwnTracks"
  case overland = "Overland"
  case homeAssistant = "Home Assistant"
  /// Traccar Client, OsmAnd, GPSLogger and others that name the values of one fix.
  case reporter = "a position report"
  /// Something on a message broker, which gets no answer.
  case broker = "MQTT"
  /// A program, which gets an account of its fixes.
  case program = "a program"

  /// The success that the client expects; nil for an account.
  var taken: HTTPResponse? {
    switch self {
    case .ownTracks: Self.json("[]")
    case .overland: Self.json(#"{"result":"ok"}"#)
    case .homeAssistant: Self.json("{}")
    case .reporter: HTTPResponse(.ok)
    case .broker, .program: nil
    }
  }

  private static func json(_ text: String) -> HTTPResponse {
    HTTPResponse(.ok, type: "application/json", body: Array(text.utf8))
  }
}
