#if Command
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// A request with its body, as far as handlers need it.
///
/// Names are in lower case and the path is decoded, so that handlers can compare both.
package struct HTTPRequest: Equatable, Sendable {
  /// A decoded `name=value` pair of a query.
  ///
  /// Forms have the same pairs. A name may occur more than once.
  package struct QueryItem: Equatable, Sendable {
    /// The decoded name, in the case in which it was sent.
    package var name: String
    /// The value, or an empty string if it is missing.
    package var value: String

    /// Creates a pair of decoded texts.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A header field.
  ///
  /// Fields are in the order in which they came, and a name may occur more than once.
  package struct Field: Equatable, Sendable {
    /// The name in lower case.
    package var name: String
    /// The value without surrounding spaces.
    package var value: String

    /// Creates a field; the name must be in lower case.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The method in upper case; HEAD counts as GET.
  package var method: String
  /// The decoded path, which begins with a slash and may contain dot segments.
  package var path: String
  /// The pairs after the question mark, in order.
  package var query: [QueryItem]
  /// The header fields, in order.
  package var fields: [Field]
  /// The whole body; empty without one and while only the head has come.
  package var body: [UInt8]

  /// Creates a request, as tests do; a server makes them from what it reads.
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
  package func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The value of the first item of a name; nil without such an item.
  package func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The requested host in lower case, without port and brackets; nil if missing or malformed.
  package var host: String? { field("host").flatMap(HTTPAddress.hostAndPort)?.host.lowercased() }

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

  /// Makes the checks that NIO's parser does not make.
  init(_ head: HTTPRequestHead, limits: HTTPLimits) throws(HTTPResponse) {
    guard head.uri.hasPrefix("/"), head.uri.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw HTTPResponse(.badRequest, sentence: "the request target must begin with a slash")
    }
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = Self.decoded(parts[0]) else {
      throw HTTPResponse(.badRequest, sentence: "the path is not well-formed")
    }
    self.init(
      method: head.method.rawValue, path: path,
      query: parts.count > 1 ? try Self.items(ofQuery: parts[1]) : [],
      fields: head.headers.map { Field(name: $0.name.lowercased(), value: Self.trimmed($0.value)) })
    guard fields.count(where: { $0.name == "host" }) == 1 else {
      throw HTTPResponse(.badRequest, sentence: "a request must have exactly one Host field")
    }
    try checkFraming(limits)
  }

  /// Refuses a body that is too long or has an unsupported encoding.
  private func checkFraming(_ limits: HTTPLimits) throws(HTTPResponse) {
    let lengths = fields.filter { $0.name == "content-length" }.map(\.value)
    let codings = fields.filter { $0.name == "transfer-encoding" }.map { $0.value.lowercased() }
    guard codings.isEmpty || lengths.isEmpty else {
      throw HTTPResponse(
        .badRequest, sentence: "a body cannot have both a length and a transfer encoding")
    }
    guard codings.isEmpty || codings == ["chunked"] else {
      throw HTTPResponse(
        .notImplemented, sentence: "the only supported transfer encoding is chunked")
    }
    guard let text = lengths.first else { return }
    guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw HTTPResponse(.badRequest, sentence: "the length of the body is not well-formed")
    }
    // A number that overflows is also too large.
    guard let length = Int(text), length <= limits.bodyBytes else {
      throw HTTPResponse(tooLarge: limits)
    }
  }

  /// The fields of a form, which has the syntax of a query; nil if malformed.
  package static func items(ofForm text: String) -> [QueryItem]? {
    // The error would mention a query, so drop it.
    try? items(ofQuery: text[...])
  }

  private static func items(ofQuery text: Substring) throws(HTTPResponse) -> [QueryItem] {
    var items: [QueryItem] = []
    for item in text.split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(pair[0], plusIsBlank: true),
        let value = decoded(pair.count > 1 ? pair[1] : "", plusIsBlank: true)
      else { throw HTTPResponse(.badRequest, sentence: "the query is not well-formed") }
      items.append(QueryItem(name: name, value: value))
    }
    return items
  }

  private static func trimmed(_ value: String) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(value.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}

extension HTTPResponse {
  /// Refuses a body beyond the limit, with status 413.
  init(tooLarge limits: HTTPLimits) {
    self.init(
      .contentTooLarge, sentence: "a body must not be larger than \(limits.bodyBytes) bytes")
  }

  /// Translates an error of NIO's parser, or returns nil if the connection failed or ended.
  init?(_ error: any Error, isLineTooLong: Bool, beginsWithMethod: Bool) {
    // The parser does not count the spaces before a field's value.
    let isOverflow = error is ByteToMessageDecoderError.PayloadTooLargeError
    guard let error = isOverflow ? .headerOverflow : error as? HTTPParserError else { return nil }
    switch error {
    case .invalidEOFState, .closedConnection: return nil
    case .headerOverflow where isLineTooLong:
      self.init(.uriTooLong, sentence: "the request line is too long")
    case .headerOverflow:
      self.init(.headerFieldsTooLarge, sentence: "the header fields are too large or too many")
    case .invalidVersion:
      self.init(.versionNotSupported, sentence: "this HTTP version is not supported; use HTTP/1.1")
    case .invalidMethod where beginsWithMethod:
      self.init(.notImplemented, sentence: "this method is not supported")
    case .invalidMethod, .invalidURL, .invalidConstant:
      self.init(.badRequest, sentence: "the request line is not well-formed")
    case .invalidHeaderToken, .lfExpected:
      self.init(.badRequest, sentence: "a header field is not well-formed")
    case .invalidContentLength, .unexpectedContentLength:
      self.init(.badRequest, sentence: "the length of the body is not well-formed")
    case .invalidChunkSize, .strictModeAssertion:
      self.init(.badRequest, sentence: "a chunk is not well-formed")
    default: self.init(.badRequest, sentence: "this is not an HTTP/1.1 request")
    }
  }
}

/// Inspects a request's first line before the parser does.
///
/// The parser throws the same error for a long request line as for long fields, and for an unknown
/// method as for a missing one.
final class RequestLineGauge: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Bytes so far before the first line feed.
  private(set) var byteCount = 0
  /// Whether the bytes so far can begin with a method.
  private(set) var beginsWithMethod = false
  private var hasEnded = false
  private var hasWord = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    defer { context.fireChannelRead(data) }
    guard !hasEnded else { return }
    let bytes = unwrapInboundIn(data).readableBytesView
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    hasEnded = line.count < bytes.count
    if !hasWord {
      let word = line.prefix { $0 != UInt8(ascii: " ") }
      hasWord = word.count < line.count
      let isMethod = word.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
      beginsWithMethod = isMethod && (byteCount == 0 ? !word.isEmpty : beginsWithMethod)
    }
    byteCount += line.count
  }
}

/// Percent-encoding of parts of addresses (RFC 3986).
///
/// Addresses in messages and queries of posts go through it. A plus sign stands for itself here.
package enum Percent {
  /// Encodes all but ASCII letters and digits.
  package static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      let letter = Character(Unicode.Scalar(byte))
      if letter.isASCII, letter.isLetter || letter.isNumber {
        result.append(letter)
      } else {
        result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  /// Decodes a text, or returns nil if it is malformed or the bytes are not UTF-8.
  package static func decoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      // `UInt8` also reads a sign.
      guard digits.count == 2, digits.first != UInt8(ascii: "+"),
        digits.first != UInt8(ascii: "-"),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
#endif
