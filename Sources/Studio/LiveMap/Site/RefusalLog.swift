import FencepostHTTP

/// Reports each refused host name once, with the option that would admit it.
///
/// A sender can make names up, so only the first few are reported. For the server's thread only.
final class RefusalLog {
  private static var mostNames: Int { 8 }
  /// The longest possible host name.
  private static var mostBytes: Int { 253 }

  private let say: (String) -> Void
  private var names: Set<String> = []

  /// - Parameter say: Receives sentences for the user.
  init(say: @escaping (String) -> Void = { _ in }) {
    self.say = say
  }

  /// A request was refused because of its host.
  func note(host: String) {
    guard isNew(host) else { return }
    say(
      "refused a request for the host ‘\(host)’; if this machine is meant, "
        + "--allow-host \(host) lets it in")
  }

  /// A request was refused because of its origin.
  func note(origin: String) {
    guard let host = HTTPRequest.authority(ofOrigin: origin)?.host, isNew(host) else { return }
    say(
      "refused a request from a page of ‘\(host)’; if that is a name of this server, "
        + "--allow-host \(host) lets it in")
  }

  private func isNew(_ name: String) -> Bool {
    guard 1...Self.mostBytes ~= name.utf8.count, names.count < Self.mostNames else { return false }
    return names.insert(name).inserted
  }
}
