/// Reads a request as its bytes come (RFC 9112), strictly and within limits.
///
/// A value without input of its own. What no ordinary client sends is refused rather than guessed at:
/// folded fields, two lengths, line ends without a return.
package struct RequestDecoder {
  /// Where the decoder is.
  package enum Progress: Equatable {
    /// More bytes are needed; whether the client waits to be told to go on.
    case incomplete(expectsContinue: Bool)
    /// The request is here.
    case complete(HTTPRequest)
  }

  private enum State {
    case head
    case body(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailer
    case complete
  }

  private let limits: HTTPLimits
  private var state = State.head
  private var pending: [UInt8] = []
  /// How many of the pending bytes have been looked at for the end of what is being read.
  private var searched = 0
  private var request = HTTPRequest(method: "", path: "")
  /// Bytes of empty lines before the head, and then of the trailer.
  private var extraBytes = 0
  private var expectsContinue = false

  /// Makes a decoder that has seen nothing.
  package init(limits: HTTPLimits) {
    self.limits = limits
  }

  /// How many bytes are kept.
  package var keptBytes: Int { pending.count + request.body.count }

  /// Whether the head has come whole.
  var hasHead: Bool {
    if case .head = state { false } else { true }
  }

  /// Takes the next bytes.
  ///
  /// - Throws: ``HTTPRefusal``; nothing can follow it on the same connection.
  package mutating func take(_ bytes: [UInt8]) throws(HTTPRefusal) -> Progress {
    pending += bytes
    while try advance() {}
    if case .complete = state { return .complete(request) }
    defer { expectsContinue = false }
    return .incomplete(expectsContinue: expectsContinue)
  }

  /// Goes on by one part; false where more bytes are needed or nothing is left to read.
  private mutating func advance() throws(HTTPRefusal) -> Bool {
    switch state {
    case .head: return try takeHead()
    case .body(let left): return takeBody(left)
    case .chunkSize: return try takeChunkSize()
    case .chunk(let left): return takeChunk(left)
    case .chunkEnd:
      guard pending.count >= 2 else { return false }
      guard pending.starts(with: [0x0D, 0x0A]) else {
        throw HTTPRefusal(.badRequest, "a chunk is not of the size that it tells")
      }
      pending.removeFirst(2)
      state = .chunkSize
      return true
    case .trailer: return try takeTrailer()
    case .complete: return false
    }
  }

  // MARK: Head

  private mutating func takeHead() throws(HTTPRefusal) -> Bool {
    // Empty lines before a request are passed over, as the standard asks, but not many of them.
    while pending.starts(with: [0x0D, 0x0A]), extraBytes < 8 {
      pending.removeFirst(2)
      extraBytes += 2
    }
    guard let end = endOfHead() else {
      guard pending.count < limits.headBytes else {
        let isLine = !pending.contains(0x0A)
        throw isLine
          ? HTTPRefusal(.uriTooLong, "the request line is too long")
          : HTTPRefusal(.headerFieldsTooLarge, "the header fields are too large")
      }
      return false
    }
    guard end <= limits.headBytes else {
      throw HTTPRefusal(.headerFieldsTooLarge, "the header fields are too large")
    }
    let head = Array(pending[..<end])
    pending.removeFirst(end + 4)
    searched = 0
    extraBytes = 0
    try read(head)
    return true
  }

  /// The index of the empty line's return, nil while it has not come.
  private mutating func endOfHead() -> Int? {
    var index = max(0, searched - 3)
    while index + 3 < pending.count {
      if pending[index] == 0x0D, pending[index + 1] == 0x0A, pending[index + 2] == 0x0D,
        pending[index + 3] == 0x0A
      {
        return index
      }
      index += 1
    }
    searched = pending.count
    return nil
  }

  private mutating func read(_ head: [UInt8]) throws(HTTPRefusal) {
    var lines = Self.lines(of: head)[...]
    try readRequestLine(lines.popFirst() ?? [])
    guard lines.count <= limits.headerCount else {
      throw HTTPRefusal(.headerFieldsTooLarge, "too many header fields")
    }
    for line in lines { request.fields.append(try Self.field(line)) }
    let hosts = request.fields.filter { $0.name == "host" }
    guard hosts.count == 1 else {
      throw HTTPRefusal(.badRequest, "a request names its host, once")
    }
    try readFraming()
  }

  private static func lines(of head: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    while index + 1 < head.count {
      if head[index] == 0x0D, head[index + 1] == 0x0A {
        lines.append(head[start..<index])
        start = index + 2
        index = start
      } else {
        index += 1
      }
    }
    lines.append(head[start...])
    return lines
  }

  private mutating func readRequestLine(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) {
    let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].count <= 20,
      words[0].allSatisfy(Self.isTokenByte), line.allSatisfy({ 0x21...0x7E ~= $0 || $0 == 0x20 })
    else { throw HTTPRefusal(.badRequest, "this is no request line") }
    let version = String(decoding: words[2], as: UTF8.self)
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw HTTPRefusal(.versionNotSupported, "HTTP/1.1 is spoken here")
    }
    request.method = String(decoding: words[0], as: UTF8.self)
    let target = String(decoding: words[1], as: UTF8.self)
    guard target.hasPrefix("/") else {
      throw HTTPRefusal(.badRequest, "the target of a request begins with a slash")
    }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = HTTPRequest.decoded(parts[0]) else {
      throw HTTPRefusal(.badRequest, "the path is not well-formed")
    }
    request.path = path
    guard parts.count > 1 else { return }
    for item in parts[1].split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = HTTPRequest.decoded(pair[0], plusIsBlank: true),
        let value = HTTPRequest.decoded(pair.count > 1 ? pair[1] : "", plusIsBlank: true)
      else { throw HTTPRefusal(.badRequest, "the query is not well-formed") }
      request.query.append(HTTPRequest.QueryItem(name: name, value: value))
    }
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) -> HTTPRequest.Field {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isTokenByte),
      line[(colon + 1)...].allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
    else { throw HTTPRefusal(.badRequest, "a header field is not well-formed") }
    let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
    let trimmed = value.drop { $0 == " " || $0 == "\t" }.reversed()
      .drop { $0 == " " || $0 == "\t" }.reversed()
    return HTTPRequest.Field(
      name: String(decoding: line[..<colon], as: UTF8.self).lowercased(), value: String(trimmed))
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  // MARK: Body

  private mutating func readFraming() throws(HTTPRefusal) {
    let lengths = request.fields.filter { $0.name == "content-length" }.map(\.value)
    let codings = request.fields.filter { $0.name == "transfer-encoding" }.map(\.value)
    expectsContinue = request.field("expect")?.lowercased() == "100-continue"
    if !codings.isEmpty {
      guard lengths.isEmpty else {
        throw HTTPRefusal(.badRequest, "a body has a length or comes in chunks, not both")
      }
      guard codings.map({ $0.lowercased() }) == ["chunked"] else {
        throw HTTPRefusal(.notImplemented, "of transfer encodings only chunked is spoken here")
      }
      state = .chunkSize
      return
    }
    guard let text = lengths.first else {
      state = .complete
      return
    }
    guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw HTTPRefusal(.badRequest, "the length of the body is not well-formed")
    }
    // A number beyond all bounds is beyond ours.
    guard let length = Int(text), length <= limits.bodyBytes else { throw tooLarge }
    state = length == 0 ? .complete : .body(left: length)
  }

  private var tooLarge: HTTPRefusal {
    HTTPRefusal(.contentTooLarge, "a body has at most \(limits.bodyBytes) bytes")
  }

  /// Moves pending bytes to the body; how many were moved.
  private mutating func move(_ most: Int) -> Int {
    let count = min(most, pending.count)
    request.body += pending[..<count]
    pending.removeFirst(count)
    return count
  }

  private mutating func takeBody(_ left: Int) -> Bool {
    let rest = left - move(left)
    state = rest == 0 ? .complete : .body(left: rest)
    return false
  }

  private mutating func takeChunk(_ left: Int) -> Bool {
    let rest = left - move(left)
    state = rest == 0 ? .chunkEnd : .chunk(left: rest)
    return rest == 0
  }

  /// Takes a line of the framing, without its end; nil while it has not come.
  private mutating func takeLine(most: Int) throws(HTTPRefusal) -> [UInt8]? {
    guard let end = pending.prefix(most).firstIndex(of: 0x0A) else {
      guard pending.count < most else {
        throw HTTPRefusal(.badRequest, "a chunk's line is too long")
      }
      return nil
    }
    let line = Array(pending[..<end])
    pending.removeFirst(end + 1)
    guard line.last == 0x0D else {
      throw HTTPRefusal(.badRequest, "a line does not end with return and line feed")
    }
    return line.dropLast()
  }

  private mutating func takeChunkSize() throws(HTTPRefusal) -> Bool {
    guard let line = try takeLine(most: 256) else { return false }
    let digits = line.prefix { HTTPRequest.hexValue($0) != nil }
    let rest = line.dropFirst(digits.count)
    guard !digits.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ";") || rest.first == 0x20
    else {
      throw HTTPRefusal(.badRequest, "the size of a chunk is not well-formed")
    }
    guard digits.count <= 8, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
      request.body.count + size <= limits.bodyBytes
    else { throw tooLarge }
    state = size == 0 ? .trailer : .chunk(left: size)
    return true
  }

  private mutating func takeTrailer() throws(HTTPRefusal) -> Bool {
    guard let line = try takeLine(most: 4096) else { return false }
    extraBytes += line.count + 2
    guard extraBytes <= 4096 else {
      throw HTTPRefusal(.headerFieldsTooLarge, "the trailer is too large")
    }
    // What a trailer says is of no use here.
    if line.isEmpty { state = .complete }
    return true
  }
}
