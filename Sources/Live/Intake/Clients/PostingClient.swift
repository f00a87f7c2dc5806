import FencepostHTTP

/// The kinds of clients that post fixes, by the answer that each takes as delivery.
///
/// Most phones send their oldest message again until it is accepted, and nothing newer passes. So a message
/// that can never be used is accepted too, and reported by ``PostLog``.
package enum PostingClient: String, Sendable {
  case ownTracks = "OwnTracks"
  case overland = "Overland"
  case homeAssistant = "Home Assistant"
  /// Home Assistant's apps, when they ask what server they have; they give up on one that does not say.
  case homeAssistantSetup = "Home Assistant's setup"
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
    case .homeAssistantSetup: Self.json(Self.setup)
    case .reporter: HTTPResponse(.ok)
    case .broker, .program: nil
    }
  }

  /// The members of a server's configuration that its apps read.
  private static let setup =
    #"{"location_name":"Fencepost","latitude":0,"longitude":0,"elevation":0,"time_zone":"UTC","#
    + #""unit_system":{"length":"km","mass":"g","temperature":"°C","volume":"L"},"#
    + ##""components":[],"version":"2024.1.0","theme_color":"#03A9F4","entities":{}}"##

  private static func json(_ text: String) -> HTTPResponse {
    HTTPResponse(.ok, type: "application/json", body: Array(text.utf8))
  }
}
