import HTTP

/// Says once of each name under which requests are refused how it could be let in.
///
/// Whoever sends requests can make up names: the first few are told. On the server's thread only.
final class RefusalLog {
  private static var mostNames: Int { 8 }
  /// No name of a host is longer.
  private static var mostBytes: Int { 253 }

  private let say: (String) -> Void
  private var names: Set<String> = []

  /// - Parameter say: Told sentences for the user.
  init(say: @escaping (String) -> Void = { _ in }) {
    self.say = say
  }

  /// A request was refused for the host that it named.
  func note(host: String) {
    guard isNew(host) else { return }
    say(
      "refused a request for the host ‘\(host)’; if this machine is meant, "
        + "--allow-host \(host) lets it in")
  }

  /// A request was refused for the page that it came from.
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
