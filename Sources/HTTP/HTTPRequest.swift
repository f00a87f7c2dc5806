import Foundation

/// A request that came whole.
public struct HTTPRequest: Equatable, Sendable {
  /// One `name=value` of a query, both decoded.
  public struct QueryItem: Equatable, Sendable {
    /// The name.
    public var name: String
    /// The value, empty where there is none.
    public var value: String

    /// Makes an item of its parts.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A header field.
  public struct Field: Equatable, Sendable {
    /// The name in small letters.
    public var name: String
    /// The value without blanks around it.
    public var value: String

    /// Makes a field of its parts.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The method, as `GET`.
  public var method: String
  /// The path, decoded, which begins with a slash; dots in it mean nothing.
  public var path: String
  /// The query, in order.
  public var query: [QueryItem]
  /// The header fields, in order.
  public var fields: [Field]
  /// The body; empty where there is none.
  public var body: [UInt8]

  /// Makes a request of its parts.
  public init(
    method: String, path: String, query: [QueryItem] = [], fields: [Field] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
  }

  /// The value of the first header field of a name in small letters, nil where there is none.
  public func field(_ name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// The value of the first item of the query with a name, nil where there is none.
  public func queryValue(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// The host that the client means, without its port and in small letters; nil where it names none.
  ///
  /// An address of IPv6 stands without its brackets.
  public var host: String? {
    guard let value = field("host") else { return nil }
    return HTTPAddress.hostAndPort(value)?.host.lowercased()
  }

  /// The host and port of an origin such as `https://map.example:8443`, in small letters, and the host
  /// alone; nil where it names none.
  public static func authority(ofOrigin origin: String) -> (text: String, host: String)? {
    guard let scheme = origin.firstRange(of: "://") else { return nil }
    let text = origin[scheme.upperBound...].lowercased()
    return HTTPAddress.hostAndPort(text).map { (text, $0.host) }
  }

  /// What a percent-encoded text stands for; nil where it is not well-formed.
  static func decoded(_ text: Substring, plusIsBlank: Bool = false) -> String? {
    let plain = plusIsBlank ? text.replacing("+", with: " ") : text
    // A control character has no business in a name of anything.
    guard let decoded = String(plain).removingPercentEncoding,
      decoded.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return decoded
  }
}
