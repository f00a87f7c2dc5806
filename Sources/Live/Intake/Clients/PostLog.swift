import FencepostFixes
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

  func note(_ rejection: Rejection, of device: String, by client: PostingClient) {
    let device = device.prefix(Self.mostCharacters)
    let isNew = reported.withLock { reported in
      reported.count < Self.mostReported
        && reported.insert("\(rejection.reason.rawValue) \(device)").inserted
    }
    guard isNew || isVerbose else { return }
    let detail = rejection.detail.map { ": \($0.prefix(Self.mostCharacters))" } ?? ""
    say(
      "\(device): refused what came by \(client.rawValue): \(rejection.reason.rawValue)\(detail)")
  }
}
