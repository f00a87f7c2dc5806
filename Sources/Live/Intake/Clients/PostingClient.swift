package import FencepostFixes
import FencepostHTTP
import Synchronization

/// The kinds of clients that post fixes, by the answer that each takes as delivery.
///
/// Most phones send their oldest message again until it is accepted, and nothing newer passes. So a
/// message that can never be used is accepted too, and reported by ``PostLog``.
package enum PostingClient: String, Sendable {
  case ownTracks = "OwnTracks"
  case overland = "Overland"
  case homeAssistant = "Home Assistant"
  /// Home Assistant's apps, when they ask what server they have; they give up on one that does not
  /// say.
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

/// Tells the user of refused positions whose sender hears only that they arrived, so that its queue
/// moves on.
///
/// The first of each kind and device is reported, or every one. A sender can make devices up, so
/// only the first hundred are. Thread-safe.
package final class PostLog: Sendable {
  private static var mostReported: Int { 100 }
  /// How much is shown of a name or value that a client sent.
  private static var mostCharacters: Int { 80 }

  private let say: @Sendable (String) -> Void
  private let isVerbose: Bool
  private let reported = Mutex<Set<String>>([])

  /// - Parameters:
  ///   - isVerbose: Whether every one is reported.
  ///   - say: Receives sentences for the user.
  package init(isVerbose: Bool = false, say: @escaping @Sendable (String) -> Void = { _ in }) {
    self.isVerbose = isVerbose
    self.say = say
  }

  /// Reports a refusal, if its kind and device are new.
  ///
  /// - Parameters:
  ///   - rejection: What was refused, and why.
  ///   - name: The device's name.
  ///   - client: What sent it.
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

  /// Reports what could not be read of a message as a whole.
  func note(_ posted: PostedFixes, of name: String, by client: PostingClient) {
    for rejection in posted.rejections { note(rejection, of: name, by: client) }
    if posted.rejections.isEmpty, let failure = posted.failure {
      note(Rejection(reason: .malformed, detail: failure), of: name, by: client)
    }
  }

  /// A text that is cut behind a word where it is too long, and shows it.
  static func shortened(_ text: String) -> String {
    let start = text.prefix(mostCharacters)
    guard start.endIndex < text.endIndex else { return text }
    // A word that goes on up to the cut is left out, unless it is most of the text.
    let isBetweenWords = text[start.endIndex] == " "
    guard let end = isBetweenWords ? start.endIndex : start.lastIndex(of: " "),
      text[..<end].count > mostCharacters / 2
    else { return "\(start)…" }
    return "\(text[..<end]) …"
  }
}
