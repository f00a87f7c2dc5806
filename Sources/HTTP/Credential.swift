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
      guard let pair = Base64.decoded(words[1]), let colon = pair.firstIndex(of: UInt8(ascii: ":"))
      else { return false }
      return matches(String(decoding: pair[(colon + 1)...], as: UTF8.self))
    default: return false
    }
  }

  /// The user that a request names with the basic scheme, nil where it names none.
  public static func user(of request: HTTPRequest) -> String? {
    guard let words = request.field("authorization")?.split(separator: " ", maxSplits: 1),
      words.count == 2, words[0].lowercased() == "basic",
      let pair = Base64.decoded(String(words[1]))
    else { return nil }
    let user = String(decoding: pair.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    return user.isEmpty ? nil : user
  }
}

/// The text form of bytes that the basic scheme uses (RFC 4648, section 4).
package enum Base64 {
  /// The bytes, nil where the text is not well-formed.
  package static func decoded(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount = 0
    let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
    for byte in digits {
      guard let value = value(byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    return bitCount < 6 ? bytes : nil
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
