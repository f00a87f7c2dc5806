#if Command
import FoundationEssentials

/// A secret that clients must send, compared in constant time.
///
/// The time of a comparison does not tell how much of a guess is right.
package struct Credential: Sendable {
  private let secret: [UInt8]

  /// Wraps a secret, which must not be empty.
  package init(_ secret: String) { self.secret = Array(secret.utf8) }

  /// Whether `text` equals the secret.
  ///
  /// - Complexity: O(length of the text), wherever the first difference is.
  package func matches(_ text: String) -> Bool {
    let tried = Array(text.utf8)
    var difference = secret.count ^ tried.count
    for index in tried.indices {
      difference |= Int(tried[index] ^ secret[index % secret.count])
    }
    return difference == 0
  }

  /// Whether the `Authorization` header contains the secret.
  ///
  /// It may be a bearer token, any user's password, or Overland's unencoded `Basic TOKEN:`.
  package func isCarried(by request: HTTPRequest) -> Bool {
    guard let (scheme, value) = Self.authorization(of: request) else { return false }
    switch scheme {
    case "bearer": return matches(value)
    case "basic":
      // Base64 never contains a colon.
      if value.hasSuffix(":") { return matches(String(value.dropLast())) }
      return Self.basic(value)?.password.map(matches) ?? false
    default: return false
    }
  }

  /// The user name from basic authentication; nil for a request without it.
  package static func user(of request: HTTPRequest) -> String? {
    guard let (scheme, value) = authorization(of: request), scheme == "basic",
      let user = basic(value)?.user, !user.isEmpty
    else { return nil }
    return user
  }

  private static func authorization(of request: HTTPRequest) -> (scheme: String, value: String)? {
    guard let words = request.field("authorization")?.split(separator: " ", maxSplits: 1),
      words.count == 2
    else { return nil }
    return (words[0].lowercased(), String(words[1]))
  }

  /// Decodes `USER:PASSWORD`, or returns nil if `text` is not Base64.
  private static func basic(_ text: String) -> (user: String, password: String?)? {
    guard let pair = Data(base64Encoded: text) else { return nil }
    let colon = pair.firstIndex(of: UInt8(ascii: ":"))
    return (
      String(decoding: pair[..<(colon ?? pair.endIndex)], as: UTF8.self),
      colon.map { String(decoding: pair[($0 + 1)...], as: UTF8.self) }
    )
  }
}
#endif
