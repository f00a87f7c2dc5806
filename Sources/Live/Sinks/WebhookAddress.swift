/// What can be said of an address that events are posted to before anything is.
public enum WebhookAddress {
  /// The most bytes of an address.
  public static var mostBytes: Int { 2048 }

  /// What is wrong with an address, as a sentence; nil where nothing is.
  ///
  /// It begins with `http://` or `https://` and has a host, and a port from 1 to 65,535 or none. What
  /// follows is the server's matter.
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
    return isPlace(place ?? authority) ? nil : "‘\(authority)’ is no host, nor one with a port"
  }

  private static func isPlace(_ text: Substring) -> Bool {
    var rest = text
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return false }
      rest = text[text.index(after: end)...]
      guard text.distance(from: text.startIndex, to: end) > 1 else { return false }
    } else {
      rest = text.drop { $0 != ":" }
      guard rest.startIndex > text.startIndex else { return false }
    }
    if rest.isEmpty { return true }
    guard rest.first == ":", let port = Int(rest.dropFirst()) else { return false }
    return 1...65_535 ~= port
  }
}

extension String {
  /// What follows a prefix, nil where it does not begin so.
  fileprivate func after(_ prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}
