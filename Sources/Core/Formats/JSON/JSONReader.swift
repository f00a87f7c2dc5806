/// Reads JSON (RFC 8259) from chunks, token by token, in bounded memory.
///
/// ```swift
/// var reader = JSONReader()
/// while try source.read(into: &chunk) {
///   reader.push(chunk.span)
///   while let event = try reader.next() { use(event, reader.text) }
/// }
/// reader.finish()
/// while let event = try reader.next() { use(event, reader.text) }
/// ```
///
/// The grammar is strict: no comments, trailing commas or NaN, and only one value unless the text
/// is a sequence. A byte order mark is skipped. After an error, the reader keeps throwing that
/// error.
@usableFromInline
package struct JSONReader: Sendable {
  /// A token, except commas and colons.
  ///
  /// ``JSONReader/next()`` returns them in the order of the text.
  package enum Event: Equatable, Sendable {
    case beginObject
    case endObject
    case beginArray
    case endArray
    /// An object key, unescaped in ``JSONReader/text``.
    case key
    /// A string, unescaped in ``JSONReader/text``.
    case string
    /// A number, as written in ``JSONReader/text``.
    case number
    case boolean(Bool)
    case null
  }

  /// Bounds the memory that hostile input can take.
  package struct Limits: Equatable, Sendable {
    /// The deepest nesting of arrays and objects.
    package var maximumDepth: Int
    /// The longest string or number, in bytes as written.
    package var maximumTextBytes: Int

    package init(maximumDepth: Int = 128, maximumTextBytes: Int = 1 << 20) {
      self.maximumDepth = maximumDepth
      self.maximumTextBytes = maximumTextBytes
    }
  }

  private enum Expectation { case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, nothing }

  /// The last key, string or number, as UTF-8.
  package private(set) var text: [UInt8] = []
  /// The offset of the last token's first byte, from 0.
  package private(set) var byteOffset = 0

  private let limits: Limits
  private let isSequence: Bool
  private var bytes: [UInt8] = []
  private var position = 0
  /// The bytes and line ends before `bytes[0]`.
  private var baseOffset = 0
  private var baseLine = 1
  private var expectation = Expectation.value
  /// The open containers; true for an object, false for an array.
  @usableFromInline var containers: [Bool] = []
  private var isFinished = false
  private var isAtStart = true
  private var failure: JSONError?
  /// How far the incomplete string at `position` has been searched for its closing quote.
  private var scanned = 0
  /// How far ``currentLine()`` has counted, and the line there.
  private var counted = (index: 0, line: 1)

  /// Creates a reader.
  ///
  /// With `isSequence`, the text may hold several values, separated by white space or by the record
  /// separators of RFC 8142.
  package init(limits: Limits = Limits(), isSequence: Bool = false) {
    self.limits = limits
    self.isSequence = isSequence
  }

  @inlinable package var depth: Int { containers.count }

  /// The line of the last token, from 1; meant for error messages.
  ///
  /// - Complexity: O(n) in the bytes since the last push.
  package var line: Int { line(at: byteOffset - baseOffset) }

  /// Like ``line``, but cheap enough to call after every token.
  package mutating func currentLine() -> Int {
    let end = max(counted.index, min(bytes.count, byteOffset - baseOffset))
    let range = counted.index..<end
    counted.line += bytes.withSpan { $0.extracting(range).lineFeedCount }
    counted.index = end
    return counted.line
  }

  /// ``text`` as a string.
  package var string: String { String(decoding: text, as: UTF8.self) }

  /// The last number; infinite if it exceeds the range of `Double`.
  package var double: Double { text.withSpan { DecimalNumber.double(parsing: $0) } ?? .nan }

  /// Whether ``text`` equals an ASCII literal.
  package func textEquals(_ literal: StaticString) -> Bool { text.withSpan { $0.equals(literal) } }

  /// Adds the next bytes of the text.
  package mutating func push(_ chunk: Span<UInt8>) {
    if position > 0 {
      let range = counted.index..<max(counted.index, position)
      counted.line += bytes.withSpan { $0.extracting(range).lineFeedCount }
      baseLine = counted.line
      baseOffset += position
      bytes.removeFirst(position)
      scanned = max(0, scanned - position)
      position = 0
      counted = (index: 0, line: baseLine)
    }
    bytes.append(contentsOf: chunk)
  }

  /// Ends the text, so that a number at its end is complete and a missing end is an error.
  package mutating func finish() { isFinished = true }

  /// Prepares for another text, reusing the memory.
  package mutating func reset() {
    var next = JSONReader(limits: limits, isSequence: isSequence)
    swap(&next.text, &text)
    swap(&next.bytes, &bytes)
    next.bytes.removeAll(keepingCapacity: true)
    self = next
  }

  /// Advances to the next token.
  ///
  /// - Returns: Nil if more bytes are needed or, after ``finish()``, at the end.
  /// - Throws: ``JSONError``; every later call throws it again.
  package mutating func next() throws(JSONError) -> Event? {
    if let failure { throw failure }
    do throws(JSONError) {
      return try nextEvent()
    } catch {
      failure = error
      throw error
    }
  }

  // MARK: Grammar

  private mutating func nextEvent() throws(JSONError) -> Event? {
    if isAtStart {
      let mark = bytes.withSpan { ByteOrderMark.length(in: $0, isWhole: isFinished) }
      guard let mark else { return nil }
      (position, isAtStart) = (mark, false)
    }
    while true {
      skipWhiteSpace()
      guard position < bytes.count else {
        let isBetweenValues = containers.isEmpty && expectation == .value && byteOffset > 0
        guard isFinished, expectation != .nothing, !(isSequence && isBetweenValues) else {
          return nil
        }
        throw error(.truncated)
      }
      let byte = bytes[position]
      switch expectation {
      case .nothing:
        guard isSequence else { throw error(.trailingText) }
        expectation = .value
      case .value where byte == JSONReader.recordSeparator && isSequence && containers.isEmpty:
        position += 1
      case .colon:
        guard byte == UInt8(ascii: ":") else { throw unexpected(byte) }
        expectation = .value
        position += 1
      case .commaOrEnd where byte == UInt8(ascii: ","):
        expectation = containers.last == true ? .key : .value
        position += 1
      case .commaOrEnd: return try endContainer(byte)
      case .keyOrEnd where byte == UInt8(ascii: "}"), .valueOrEnd where byte == UInt8(ascii: "]"):
        return try endContainer(byte)
      case .key, .keyOrEnd:
        guard byte == UInt8(ascii: "\"") else { throw unexpected(byte) }
        guard try scanString() else { return nil }
        expectation = .colon
        return .key
      case .value, .valueOrEnd: return try beginValue(byte)
      }
    }
  }

  private mutating func beginValue(_ byte: UInt8) throws(JSONError) -> Event? {
    switch byte {
    case UInt8(ascii: "{"): return try beginContainer(isObject: true)
    case UInt8(ascii: "["): return try beginContainer(isObject: false)
    case UInt8(ascii: "\""):
      guard try scanString() else { return nil }
      endValue()
      return .string
    case UInt8(ascii: "t"): return try scanWord("true", as: .boolean(true))
    case UInt8(ascii: "f"): return try scanWord("false", as: .boolean(false))
    case UInt8(ascii: "n"): return try scanWord("null", as: .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard try scanNumber() else { return nil }
      endValue()
      return .number
    default: throw unexpected(byte)
    }
  }

  private mutating func beginContainer(isObject: Bool) throws(JSONError) -> Event {
    guard containers.count < limits.maximumDepth else { throw tooDeep }
    containers.append(isObject)
    expectation = isObject ? .keyOrEnd : .valueOrEnd
    byteOffset = baseOffset + position
    position += 1
    return isObject ? .beginObject : .beginArray
  }

  private mutating func endContainer(_ byte: UInt8) throws(JSONError) -> Event {
    let isObject = byte == UInt8(ascii: "}")
    guard isObject || byte == UInt8(ascii: "]"), containers.last == isObject else {
      throw unexpected(byte)
    }
    containers.removeLast()
    byteOffset = baseOffset + position
    position += 1
    endValue()
    return isObject ? .endObject : .endArray
  }

  /// Precedes each value in a JSON text sequence (RFC 8142).
  package static var recordSeparator: UInt8 { 0x1E }

  private mutating func endValue() { expectation = containers.isEmpty ? .nothing : .commaOrEnd }

  // MARK: Tokens

  private mutating func scanWord(
    _ word: StaticString, as event: Event
  ) throws(JSONError) -> Event? {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count else {
      guard isFinished else { return nil }
      throw error(.truncated)
    }
    guard bytes.withSpan({ $0.extracting(position..<end).equals(word) }) else {
      throw unexpected(bytes[position])
    }
    byteOffset = baseOffset + position
    position = end
    endValue()
    return event
  }

  /// Scans a number into `text`; false if more bytes are needed.
  ///
  /// The grammar is `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
  private mutating func scanNumber() throws(JSONError) -> Bool {
    var end = position
    while end < bytes.count, JSONReader.isNumberByte(bytes[end]) { end += 1 }
    guard end - position <= limits.maximumTextBytes else { throw tooLong }
    guard end < bytes.count || isFinished else { return false }
    text.removeAll(keepingCapacity: true)
    text.append(contentsOf: bytes[position..<end])
    guard text.withSpan(JSONReader.isNumber) else { throw error(.badNumber) }
    byteOffset = baseOffset + position
    position = end
    return true
  }

  private static func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private static func isNumber(_ text: Span<UInt8>) -> Bool {
    var index = 0
    func skip(_ first: UInt8, or second: UInt8? = nil) -> Bool {
      guard index < text.count, text[index] == first || text[index] == second else { return false }
      index += 1
      return true
    }
    func skipDigits() -> Int {
      let start = index
      while index < text.count, text[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
      return index - start
    }
    _ = skip(UInt8(ascii: "-"))
    if skip(UInt8(ascii: "0")) {
      // No digit may follow a leading zero.
    } else if skipDigits() == 0 {
      return false
    }
    if skip(UInt8(ascii: ".")), skipDigits() == 0 { return false }
    if skip(UInt8(ascii: "e"), or: UInt8(ascii: "E")) {
      _ = skip(UInt8(ascii: "+"), or: UInt8(ascii: "-"))
      if skipDigits() == 0 { return false }
    }
    return index == text.count
  }

  /// Scans the string at `position` into `text`; false if more bytes are needed.
  private mutating func scanString() throws(JSONError) -> Bool {
    var end = max(position + 1, scanned)
    // True for ASCII without escapes, which most strings are.
    var isPlain = scanned == 0
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      // The byte after a backslash may be a quote.
      if bytes[end] == UInt8(ascii: "\\") {
        guard end + 1 < bytes.count else { break }
        end += 1
        isPlain = false
      } else if bytes[end] < 0x20 || bytes[end] >= 0x80 {
        isPlain = false
      }
      end += 1
    }
    guard end - position - 1 <= limits.maximumTextBytes else { throw tooLong }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
      if isFinished { throw error(.truncated) }
      scanned = end
      return false
    }
    byteOffset = baseOffset + position
    text.removeAll(keepingCapacity: true)
    if isPlain {
      text.append(contentsOf: bytes[(position + 1)..<end])
    } else {
      try unescape(from: position + 1, to: end)
    }
    position = end + 1
    scanned = 0
    return true
  }

  /// Appends the contents of a string to `text` as UTF-8, without escapes.
  private mutating func unescape(from start: Int, to end: Int) throws(JSONError) {
    text.reserveCapacity(end - start)
    var (start, index) = (start, start)
    while index < end {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\\") {
        text.append(contentsOf: bytes[start..<index])
        try unescapeOne(&index)
        start = index
      } else if byte < 0x20 {
        throw error(.badString, at: index, detail: "control character")
      } else if byte < 0x80 {
        index += 1
      } else if let length = bytes.withSpan({ UTF8Sequence.length(in: $0, at: index) }) {
        index += length
      } else {
        throw error(.invalidUTF8, at: index)
      }
    }
    text.append(contentsOf: bytes[start..<end])
  }

  private mutating func unescapeOne(_ index: inout Int) throws(JSONError) {
    let start = index
    // A byte follows every backslash, since one before the closing quote would escape it.
    let letter = bytes[index + 1]
    index += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = unescapeScalar(&index) else {
        throw error(.badString, at: start, detail: "invalid Unicode escape")
      }
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default: throw error(.badString, at: start, detail: "unknown escape")
    }
  }

  /// Decodes one escape or a surrogate pair, from after its first `\u`.
  private func unescapeScalar(_ index: inout Int) -> Unicode.Scalar? {
    guard let first = scanHexadecimal(&index) else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    // The closing quote ends every scan before the bytes do.
    guard first < 0xDC00, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    index += 2
    guard let second = scanHexadecimal(&index), (0xDC00...0xDFFF).contains(second) else {
      return nil
    }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private func scanHexadecimal(_ index: inout Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - 0x57)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 0x37)
      default: return nil
      }
      index += 1
    }
    return value
  }

  private mutating func skipWhiteSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  // MARK: Errors

  private func unexpected(_ byte: UInt8) -> JSONError {
    let isPrintable = (0x21...0x7E).contains(byte)
    let name = isPrintable ? "“\(Character(UnicodeScalar(byte)))”" : "byte \(byte)"
    return error(.unexpectedCharacter, detail: name)
  }

  private var tooDeep: JSONError { error(.tooDeep, detail: "\(limits.maximumDepth)") }
  private var tooLong: JSONError { error(.tooLong, detail: "\(limits.maximumTextBytes)") }

  private func error(
    _ reason: JSONError.Reason, at index: Int? = nil, detail: String = ""
  ) -> JSONError {
    let index = index ?? position
    return JSONError(
      reason: reason, byteOffset: baseOffset + index, line: line(at: index), detail: detail)
  }

  /// The line at an index in `bytes`; LF ends a line, alone or after CR.
  private func line(at index: Int) -> Int {
    var line = baseLine
    for position in 0..<max(0, min(index, bytes.count)) where bytes[position] == 0x0A { line += 1 }
    return line
  }
}
