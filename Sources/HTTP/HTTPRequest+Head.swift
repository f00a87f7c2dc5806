import NIOCore
import NIOHTTP1

/// Checks that NIO's parser does not make.
extension HTTPRequest {
  init(_ head: HTTPRequestHead, limits: HTTPLimits) throws(HTTPRefusal) {
    guard head.uri.hasPrefix("/"), head.uri.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw HTTPRefusal(.badRequest, "the request target must begin with a slash")
    }
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = Self.decoded(parts[0]) else {
      throw HTTPRefusal(.badRequest, "the path is not well-formed")
    }
    self.init(
      method: head.method.rawValue, path: path,
      query: parts.count > 1 ? try Self.items(ofQuery: parts[1]) : [],
      fields: head.headers.map { Field(name: $0.name.lowercased(), value: Self.trimmed($0.value)) })
    guard fields.count(where: { $0.name == "host" }) == 1 else {
      throw HTTPRefusal(.badRequest, "a request must have exactly one Host field")
    }
    try checkFraming(limits)
  }

  var expectsContinue: Bool { field("expect")?.lowercased() == "100-continue" }

  /// Refuses a body that is too long or has an unsupported encoding.
  private func checkFraming(_ limits: HTTPLimits) throws(HTTPRefusal) {
    let lengths = fields.filter { $0.name == "content-length" }.map(\.value)
    let codings = fields.filter { $0.name == "transfer-encoding" }.map { $0.value.lowercased() }
    guard codings.isEmpty || lengths.isEmpty else {
      throw HTTPRefusal(.badRequest, "a body cannot have both a length and a transfer encoding")
    }
    guard codings.isEmpty || codings == ["chunked"] else {
      throw HTTPRefusal(.notImplemented, "the only supported transfer encoding is chunked")
    }
    guard let text = lengths.first else { return }
    guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw HTTPRefusal(.badRequest, "the length of the body is not well-formed")
    }
    // A number that overflows is also too large.
    guard let length = Int(text), length <= limits.bodyBytes else {
      throw HTTPRefusal(tooLarge: limits)
    }
  }

  /// The fields of a form, which has the syntax of a query; nil if malformed.
  package static func items(ofForm text: String) -> [QueryItem]? {
    // The error would mention a query, so drop it.
    try? items(ofQuery: text[...])
  }

  private static func items(ofQuery text: Substring) throws(HTTPRefusal) -> [QueryItem] {
    var items: [QueryItem] = []
    for item in text.split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(pair[0], plusIsBlank: true),
        let value = decoded(pair.count > 1 ? pair[1] : "", plusIsBlank: true)
      else { throw HTTPRefusal(.badRequest, "the query is not well-formed") }
      items.append(QueryItem(name: name, value: value))
    }
    return items
  }

  private static func trimmed(_ value: String) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(value.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}

extension HTTPRefusal {
  init(tooLarge limits: HTTPLimits) {
    self.init(.contentTooLarge, "a body must not be larger than \(limits.bodyBytes) bytes")
  }

  /// Translates an error of NIO's parser, or returns nil if the connection failed or ended.
  init?(_ error: any Error, isLineTooLong: Bool, beginsWithMethod: Bool) {
    // The parser does not count the spaces before a field's value.
    let isOverflow = error is ByteToMessageDecoderError.PayloadTooLargeError
    guard let error = isOverflow ? .headerOverflow : error as? HTTPParserError else { return nil }
    switch error {
    case .invalidEOFState, .closedConnection: return nil
    case .headerOverflow where isLineTooLong:
      self.init(.uriTooLong, "the request line is too long")
    case .headerOverflow:
      self.init(.headerFieldsTooLarge, "the header fields are too large or too many")
    case .invalidVersion:
      self.init(.versionNotSupported, "this HTTP version is not supported; use HTTP/1.1")
    case .invalidMethod where beginsWithMethod:
      self.init(.notImplemented, "this method is not supported")
    case .invalidMethod, .invalidURL, .invalidConstant:
      self.init(.badRequest, "the request line is not well-formed")
    case .invalidHeaderToken, .lfExpected:
      self.init(.badRequest, "a header field is not well-formed")
    case .invalidContentLength, .unexpectedContentLength:
      self.init(.badRequest, "the length of the body is not well-formed")
    case .invalidChunkSize, .strictModeAssertion:
      self.init(.badRequest, "a chunk is not well-formed")
    default: self.init(.badRequest, "this is not an HTTP/1.1 request")
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
    if !hasEnded { inspect(unwrapInboundIn(data).readableBytesView) }
    context.fireChannelRead(data)
  }

  private func inspect(_ bytes: ByteBufferView) {
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
