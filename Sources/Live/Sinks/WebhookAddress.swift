/// Checks a webhook's address.
public enum WebhookAddress {
  /// The most bytes of an address.
  public static var mostBytes: Int { 2048 }

  /// What is wrong with an address, as a sentence; nil if nothing is.
  ///
  /// It must begin with `http://` or `https://`, followed by a host and optionally a port from 1 to 65,535.
  public static func fault(in text: String) -> String? {
    guard let rest = ["http://", "https://"].compactMap({ text.after($0) }).first else {
      return "an address begins with http:// or https://"
    }
    guard text.utf8.count <= mostBytes else {
      return "an address has at most \(mostBytes) bytes"
    }
    guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      return "an address has no blanks or controls; write them as %20 and the like"
    }
    let authority = rest.prefix { !"/?#".contains($0) }
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    let host = LiveAddress.hostAndPort(place ?? authority)?.host
    return host?.isEmpty == false ? nil : "‘\(authority)’ is no host, nor one with a port"
  }
}
