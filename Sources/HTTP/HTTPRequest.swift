import FoundationEssentials

/// A complete request.
package struct HTTPRequest: Equatable, Sendable {
  /// A decoded `name=value` pair of a query.
  package struct QueryItem: Equatable, Sendable {
    package var name: String
    /// The value, or an empty string if it is missing.
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package struct Field: Equatable, Sendable {
    /// The name in lower case.
    package var name: String
    /// The value without surrounding spaces.
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package var method: String
  /// The decoded path, which begins with a slash and may contain dot segments.
  package var path: String
  package var query: [QueryItem]
  package var fields: [Field]
  package var body: [UInt8]

  package init(
    method: String, path: String, query: [QueryItem] = [], fields: [Field] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
  }

  /// The value of the first header field called `name`, which must be lower case.
  package func field(_ name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// The value of the first query item called `name`.
  package func queryValue(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// The requested host in lower case, without port and brackets; nil if missing or malformed.
  package var host: String? {
    guard let value = field("host") else { return nil }
    return HTTPAddress.hostAndPort(value)?.host.lowercased()
  }

  /// The host with port, and the host alone, of an origin such as `https://map.example:8443`.
  package static func authority(ofOrigin origin: String) -> (text: String, host: String)? {
    guard let scheme = origin.firstRange(of: "://") else { return nil }
    let text = origin[scheme.upperBound...].lowercased()
    return HTTPAddress.hostAndPort(text).map { (text, $0.host) }
  }

  /// Decodes percent-encoding, or returns nil if malformed.
  static func decoded(_ text: Substring, plusIsBlank: Bool = false) -> String? {
    let plain = plusIsBlank ? text.replacing("+", with: " ") : text
    // No valid name or value contains a control character.
    guard let decoded = Percent.decoded(plain),
      decoded.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return decoded
  }
}
