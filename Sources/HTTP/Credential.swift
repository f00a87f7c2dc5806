import Foundation

/// A secret that a client must know, compared in a time that does not tell how much of it was right.
public struct Credential: Sendable {
  private let secret: [UInt8]

  /// Makes a credential of a secret that is not empty.
  public init(_ secret: String) {
    self.secret = Array(secret.utf8)
  }

  /// Whether a text is the secret.
  ///
  /// - Complexity: O(length of the text), wherever the first difference is.
  public func matches(_ text: String) -> Bool {
    let tried = Array(text.utf8)
    var difference = secret.count ^ tried.count
    for index in tried.indices {
      difference |= Int(tried[index] ^ secret[index % secret.count])
    }
    return difference == 0
  }

  /// Whether a request's `Authorization` field carries the secret: as a bearer token, or as the password
  /// of any user.
  public func isCarried(by request: HTTPRequest) -> Bool {
    guard let value = request.field("authorization") else { return false }
    let words = value.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return false }
    switch words[0].lowercased() {
    case "bearer": return matches(words[1])
    case "basic":
      guard let pair = Data(base64Encoded: words[1]),
        let colon = pair.firstIndex(of: UInt8(ascii: ":"))
      else { return false }
      return matches(String(decoding: pair[(colon + 1)...], as: UTF8.self))
    default: return false
    }
  }

  /// The user that a request names with the basic scheme, nil where it names none.
  public static func user(of request: HTTPRequest) -> String? {
    guard let words = request.field("authorization")?.split(separator: " ", maxSplits: 1),
      words.count == 2, words[0].lowercased() == "basic",
      let pair = Data(base64Encoded: String(words[1]))
    else { return nil }
    let user = String(decoding: pair.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    return user.isEmpty ? nil : user
  }
}
