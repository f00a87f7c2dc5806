import Foundation

/// A complete request.
package struct HTTPRequest: Equatable, Sendable {
  /// One `name=value` of a query, both decoded.
  package struct QueryItem: Equatable, Sendable {
    /// The name.
    package var name: String
    /// The value, empty if there is none.
    package var value: String

    /// Makes an item of its parts.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A header field.
  package struct Field: Equatable, Sendable {
    /// The name in lower case.
    package var name: String
    /// The value without surrounding blanks.
    package var value: String

    /// Makes a field of its parts.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The method, as `GET`.
  package var method: String
  /// The decoded path, which begins with a slash; dot segments have no meaning.
  package var path: String
  /// The query, in order.
  package var query: [QueryItem]
  /// The header fields, in order.
  package var fields: [Field]
  /// The body; empty if there is none.
  package var body: [UInt8]

  /// Makes a request of its parts.
  package init(
    method: String, path: String, query: [QueryItem] = [], fields: [Field] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
  }

  /// The value of the first header field with a lower-case name, nil if there is none.
  package func field(_ name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// The value of the first query item with a name, nil if there is none.
  package func queryValue(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// The requested host in lower case, without port and brackets; nil if the field is missing or
  /// malformed.
  package var host: String? {
    guard let value = field("host") else { return nil }
    return HTTPAddress.hostAndPort(value)?.host.lowercased()
  }

  /// The lower-case host with port, and the host alone, of an origin such as
  /// `https://map.example:8443`; nil if it has none.
  package static func authority(ofOrigin origin: String) -> (text: String, host: String)? {
    guard let scheme = origin.firstRange(of: "://") else { return nil }
    let text = origin[scheme.upperBound...].lowercased()
    return HTTPAddress.hostAndPort(text).map { (text, $0.host) }
  }

  /// Decodes percent-encoding; nil if malformed.
  static func decoded(_ text: Substring, plusIsBlank: Bool = false) -> String? {
    let plain = plusIsBlank ? text.replacing("+", with: " ") : text
    // No name or value needs a control character.
    guard let decoded = String(plain).removingPercentEncoding,
      decoded.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return decoded
  }
}
