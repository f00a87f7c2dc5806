package import FencepostFixes
import Synchronization

/// Tells the user of refused positions whose sender hears only that they arrived, so that its queue moves on.
///
/// The first of each kind and device is reported, or every one. A sender can make devices up, so only the first
/// hundred are. Thread-safe.
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
      "\(Self.shortened(name)): refused what came by \(client.rawValue): "
        + "\(rejection.reason.rawValue)\(detail)")
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
