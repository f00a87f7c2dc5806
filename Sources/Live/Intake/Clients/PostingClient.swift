package import FencepostFixes
import FencepostHTTP
import Synchronization

/// The kinds of clients that post fixes, by the response that each accepts as delivery.
///
/// Most phones repeat their oldest message until it is accepted, and send nothing newer. So a
/// message that can never be used is accepted too, and ``PostLog`` reports it.
package enum PostingClient: String, Sendable {
  case ownTracks = "OwnTracks"
  case overland = "Overland"
  case homeAssistant = "Home Assistant"
  /// Home Assistant's apps when they ask which server they have, and give up without an answer.
  case homeAssistantSetup = "Home Assistant's setup"
  /// Traccar Client, OsmAnd, GPSLogger and others that send one fix as named values.
  case reporter = "a position report"
  case broker = "MQTT"
  /// A program, which gets a summary of its fixes.
  case program = "a program"

  /// The success that the client expects; nil if it expects a summary.
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

  /// The members of a server's configuration that Home Assistant's apps read.
  private static let setup =
    #"{"location_name":"Fencepost","latitude":0,"longitude":0,"elevation":0,"time_zone":"UTC","#
    + #""unit_system":{"length":"km","mass":"g","temperature":"°C","volume":"L"},"#
    + ##""components":[],"version":"2024.1.0","theme_color":"#03A9F4","entities":{}}"##

  private static func json(_ text: String) -> HTTPResponse {
    HTTPResponse(.ok, type: "application/json", body: Array(text.utf8))
  }
}

/// Reports refused positions whose sender was told that they arrived.
///
/// Reports the first of each kind and device, or every one. Senders can invent devices, so it stops
/// after a hundred. Thread-safe.
package final class PostLog: Sendable {
  private static var mostReported: Int { 100 }
  private static var mostCharacters: Int { 80 }

  private let say: @Sendable (String) -> Void
  private let isVerbose: Bool
  private let reported = Mutex<Set<String>>([])

  package init(isVerbose: Bool = false, say: @escaping @Sendable (String) -> Void = { _ in }) {
    self.isVerbose = isVerbose
    self.say = say
  }

  /// Reports a refusal if its kind and device are new.
  package func note(_ rejection: Rejection, of name: String, by client: PostingClient) {
    let device = name.prefix(Self.mostCharacters)
    let isNew = reported.withLock { reported in
      reported.count < Self.mostReported
        && reported.insert("\(rejection.reason.rawValue) \(device)").inserted
    }
    guard isNew || isVerbose else { return }
    let detail = rejection.detail.map { ": \(Self.shortened($0))" } ?? ""
    say(
      "\(Self.shortened(name)): refused data from \(client.rawValue): "
        + "\(rejection.reason.rawValue)\(detail)")
  }

  func note(_ posted: PostedFixes, of name: String, by client: PostingClient) {
    for rejection in posted.rejections { note(rejection, of: name, by: client) }
    if posted.rejections.isEmpty, let failure = posted.failure {
      note(Rejection(reason: .malformed, detail: failure), of: name, by: client)
    }
  }

  /// The text, cut after a word and marked if it is too long.
  static func shortened(_ text: String) -> String {
    let start = text.prefix(mostCharacters)
    guard start.endIndex < text.endIndex else { return text }
    // Drop a word that the cut splits, unless it is most of the text.
    let isBetweenWords = text[start.endIndex] == " "
    guard let end = isBetweenWords ? start.endIndex : start.lastIndex(of: " "),
      text[..<end].count > mostCharacters / 2
    else { return "\(start)…" }
    return "\(text[..<end]) …"
  }
}
