import FencepostCLibXML2
import FencepostFormats
import Glibc

/// Records what libxml2's callbacks report, until ``XMLReader`` takes it.
@safe
struct XMLRecording {
  // Every `unsafe` of this type uses the context, which outlives every call, or callback arguments,
  // which are valid during the callback. These are copied, or only their addresses are compared.

  /// libxml2's parser; nil if memory ran out.
  var context: xmlParserCtxtPtr?
  /// The error that ended the parse, after the last recorded event.
  private(set) var failure: XMLError?
  /// How many lines of the source precede the document.
  var skippedLines = 0
  /// Whether no input has been parsed yet.
  var isEmpty = true
  var isEnding = false

  var events = XMLEvents()
  /// The namespace URIs; the first stands for no namespace.
  private(set) var namespaces = [""]
  /// The line of each open element's start tag.
  private var openLines: [Int] = []
  /// The namespace declarations per open element, and their sum.
  private var declaredCounts: [Int] = []
  private var declaredCount = 0
  private(set) var hasRoot = false
  /// The address of each URI but the first; libxml2 keeps one copy, so it identifies the URI.
  private var namespaceAddresses: [UInt] = []
  /// Where names of this slice are in the bytes; libxml2 keeps one copy of each name, too.
  private var names: [(address: UInt, range: Range<Int>)] = []

  /// Hands over the events of a slice, and reuses the memory for the next.
  mutating func takeEvents(into events: inout XMLEvents) {
    events.removeAll()
    swap(&events, &self.events)
    names.removeAll(keepingCapacity: true)
  }

  mutating func start(
    _ name: UnsafePointer<xmlChar>, uri: UnsafePointer<xmlChar>?, namespaceCount: Int,
    attributeCount: Int, _ values: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard failure == nil else { return }
    hasRoot = true
    openLines.append(line)
    guard openLines.count <= XMLLimits.depth else {
      return stop(.limit, "elements are nested more than \(XMLLimits.depth) deep")
    }
    declaredCounts.append(namespaceCount)
    declaredCount += namespaceCount
    guard namespaceCount + attributeCount <= XMLLimits.attributes else {
      return stop(.limit, XMLLimits.tooManyAttributes)
    }
    // libxml2 searches all of them for each prefix.
    guard declaredCount <= Self.mostNamespaces else { return stopForNamespaces() }
    let first = events.attributes.count
    for index in 0..<attributeCount {
      // Five pointers per attribute: local name, prefix, URI, start and end of the value.
      guard let values = unsafe values, let name = unsafe values[5 * index],
        let begin = unsafe values[5 * index + 3], let end = unsafe values[5 * index + 4]
      else { continue }
      let value = unsafe UnsafeBufferPointer(start: begin, count: end - begin)
      guard let namespace = unsafe namespaceIndex(values[5 * index + 2]) else {
        return stopForNamespaces()
      }
      unsafe events.attributes.append(
        .init(name: range(of: name), value: events.append(value), namespace: namespace))
    }
    unsafe record(.start, name, uri, first..<events.attributes.count)
  }

  mutating func end(_ name: UnsafePointer<xmlChar>, uri: UnsafePointer<xmlChar>?) {
    guard failure == nil else { return }
    openLines.removeLast()
    declaredCount -= declaredCounts.removeLast()
    unsafe record(.end, name, uri, 0..<0)
  }

  mutating func text(_ characters: UnsafeBufferPointer<xmlChar>) {
    guard failure == nil else { return }
    let range = unsafe events.append(characters)
    events.records.append(
      .init(kind: .text, name: range, namespace: 0, attributes: 0..<0, line: line))
  }

  private mutating func record(
    _ kind: XMLEvents.Record.Kind, _ name: UnsafePointer<xmlChar>, _ uri: UnsafePointer<xmlChar>?,
    _ attributes: Range<Int>
  ) {
    guard let namespace = unsafe namespaceIndex(uri) else { return stopForNamespaces() }
    let name = unsafe range(of: name)
    events.records.append(
      .init(kind: kind, name: name, namespace: namespace, attributes: attributes, line: line))
  }

  /// The range of a name in the bytes; appends the name unless it is a recent one.
  private mutating func range(of name: UnsafePointer<xmlChar>) -> Range<Int> {
    let address = UInt(bitPattern: name)
    for known in names where known.address == address { return known.range }
    // libxml2's names are zero-terminated.
    let range = unsafe events.append(UnsafeBufferPointer(start: name, count: strlen(name)))
    if names.count < 16 { names.append((address, range)) }
    return range
  }

  private static var mostNamespaces: Int { 256 }

  private mutating func stopForNamespaces() {
    stop(.limit, "there are more than \(Self.mostNamespaces) namespaces")
  }

  /// The namespace's number; nil if there are too many.
  private mutating func namespaceIndex(_ uri: UnsafePointer<xmlChar>?) -> Int? {
    guard let uri = unsafe uri else { return 0 }
    let address = UInt(bitPattern: uri)
    if let index = namespaceAddresses.firstIndex(of: address) { return index + 1 }
    guard namespaceAddresses.count < Self.mostNamespaces else { return nil }
    namespaceAddresses.append(address)
    unsafe namespaces.append(String(cString: uri))
    return namespaces.count - 1
  }

  // MARK: Faults

  /// Stops the parse when the document exceeds a limit of this program.
  mutating func stop(_ reason: XMLError.Reason, _ sentence: String) {
    guard failure == nil else { return }
    fail(reason, sentence)
    unsafe xmlStopParser(context)
  }

  /// Handles an error from libxml2; ignores warnings and namespace errors.
  mutating func fail(_ error: UnsafeMutablePointer<xmlError>) {
    // libxml2 owns the error and its message, which are valid during the callback.
    let error = unsafe error.pointee
    let code = unsafe error.code
    // libxml2 only warns of an undefined entity if a document type might define it.
    let isFault = unsafe error.level == XML_ERR_FATAL || code == XML_WAR_UNDECLARED_ENTITY.rawValue
    guard failure == nil, isFault else { return }
    let words = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
    let reason = LibXML2Sentence.reason(code: code, words: words)
    if isEmpty {
      fail(reason, "the XML is empty")
    } else if endsEarly(code: code, reason) {
      fail(reason, LibXML2Sentence.endsEarly)
    } else {
      fail(reason, LibXML2Sentence.make(code: code, words: words, openLine: openLines.last))
    }
    if unsafe error.level != XML_ERR_FATAL { unsafe xmlStopParser(context) }
  }

  mutating func fail(_ reason: XMLError.Reason, _ sentence: String) {
    failure = XMLError(reason: reason, line: line, column: column, sentence: sentence)
  }

  /// Whether the text was cut off; libxml2 only reports what it was parsing at the time.
  private func endsEarly(code: Int32, _ reason: XMLError.Reason) -> Bool {
    guard !(hasRoot && openLines.isEmpty), reason == .notWellFormed else { return false }
    switch xmlParserErrors(UInt32(bitPattern: code)) {
    // libxml2 reports extra content both after the root and when its end tag is missing.
    case XML_ERR_DOCUMENT_END, XML_ERR_COMMENT_NOT_FINISHED, XML_ERR_PI_NOT_FINISHED: return true
    case XML_ERR_DOCUMENT_EMPTY, XML_ERR_INVALID_CHAR, XML_ERR_TAG_NAME_MISMATCH: return false
    // A final `/` or `--` would be valid with a `>` after it.
    case XML_ERR_SPACE_REQUIRED: return isEnding && unreadCount <= 1
    case XML_ERR_HYPHEN_IN_COMMENT: return isEnding && unreadCount <= 2
    default: return isEnding && unreadCount == 0
    }
  }

  // MARK: Position

  /// The bytes that libxml2 holds but has not parsed.
  var unreadCount: Int {
    unsafe context?.pointee.input.map { unsafe $0.pointee.end - $0.pointee.cur } ?? 0
  }

  private var line: Int {
    let line = unsafe context?.pointee.input.map { unsafe Int($0.pointee.line) } ?? 1
    return line + skippedLines
  }
  private var column: Int { unsafe context?.pointee.input.map { unsafe Int($0.pointee.col) } ?? 0 }
}
