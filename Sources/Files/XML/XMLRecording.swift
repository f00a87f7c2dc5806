import FencepostCLibXML2
import FencepostFormats
import Glibc

/// What libxml2's callbacks say of a document, recorded until ``XMLReader`` takes it.
@safe
struct XMLRecording {
  // Every `unsafe` of this type uses the context, which lives as long, or what libxml2 hands to a callback,
  // which is valid while the callback runs and is copied in it, or compares its address.

  /// libxml2's parser; nil if there was no memory for it.
  var context: xmlParserCtxtPtr?
  /// What ended the parse, after the last recorded event.
  private(set) var failure: XMLError?
  /// Whether libxml2 has been given nothing so far.
  var isEmpty = true
  /// Whether it has been given all there is.
  var isEnding = false

  /// The events since they were last taken.
  var events = XMLEvents()
  /// The namespaces' URIs; the first means no namespace.
  private(set) var namespaces = [""]
  /// The lines where the start tags of the open elements end.
  private var openLines: [Int] = []
  /// The number of namespaces that each open element declares, and of them all.
  private var declaredCounts: [Int] = []
  private var declaredCount = 0
  private(set) var hasRoot = false
  private let limits: XMLReader.Limits
  /// The address of each URI but the first.
  ///
  /// libxml2 keeps one copy of each URI while the parser lives, so the address identifies it.
  private var namespaceAddresses: [UInt] = []
  /// Where some names of the slice are in the bytes.
  ///
  /// libxml2 keeps one copy of each name as well.
  private var names: [(address: UInt, range: Range<Int>)] = []

  init(limits: XMLReader.Limits) { self.limits = limits }

  /// Takes the events of a slice, and leaves room for those of the next.
  mutating func takeEvents(into events: inout XMLEvents) {
    events.removeAll()
    swap(&events, &self.events)
    names.removeAll(keepingCapacity: true)
  }

  /// Records that an element begins.
  mutating func start(
    _ name: UnsafePointer<xmlChar>, uri: UnsafePointer<xmlChar>?, namespaceCount: Int,
    attributeCount: Int, _ values: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard failure == nil else { return }
    hasRoot = true
    openLines.append(line)
    guard openLines.count <= limits.maximumDepth else {
      return stop(.limit, "elements are nested more than \(limits.maximumDepth) deep")
    }
    declaredCounts.append(namespaceCount)
    declaredCount += namespaceCount
    guard namespaceCount + attributeCount <= limits.maximumAttributes else {
      return stop(.limit, limits.tooManyAttributes)
    }
    // libxml2 searches all of them for each prefix.
    guard declaredCount <= Self.mostNamespaces else { return stopForNamespaces() }
    let first = events.attributes.count
    for index in 0..<attributeCount {
      // Five pointers an attribute: local name, prefix, URI, the value's begin and its end.
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

  /// Records that an element ends.
  mutating func end(_ name: UnsafePointer<xmlChar>, uri: UnsafePointer<xmlChar>?) {
    guard failure == nil else { return }
    openLines.removeLast()
    declaredCount -= declaredCounts.removeLast()
    unsafe record(.end, name, uri, 0..<0)
  }

  /// Records character data.
  mutating func text(_ characters: UnsafeBufferPointer<xmlChar>) {
    guard failure == nil else { return }
    let range = unsafe events.append(characters)
    events.records.append(
      .init(event: .text, name: range, namespace: 0, attributes: 0..<0, line: line))
  }

  private mutating func record(
    _ event: XMLReader.Event, _ name: UnsafePointer<xmlChar>, _ uri: UnsafePointer<xmlChar>?,
    _ attributes: Range<Int>
  ) {
    guard let namespace = unsafe namespaceIndex(uri) else { return stopForNamespaces() }
    let name = unsafe range(of: name)
    events.records.append(
      .init(event: event, name: name, namespace: namespace, attributes: attributes, line: line))
  }

  /// Where a name is in the bytes, which it is appended to where it is none of the last ones.
  private mutating func range(of name: UnsafePointer<xmlChar>) -> Range<Int> {
    let address = UInt(bitPattern: name)
    for known in names where known.address == address { return known.range }
    // libxml2's names end with a zero.
    let range = unsafe events.append(UnsafeBufferPointer(start: name, count: strlen(name)))
    if names.count < 16 { names.append((address, range)) }
    return range
  }

  private static var mostNamespaces: Int { 256 }

  private mutating func stopForNamespaces() {
    stop(.limit, "there are more than \(Self.mostNamespaces) namespaces")
  }

  /// The number of a namespace; nil if there are too many.
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

  /// Ends the parse for a reason of ours.
  mutating func stop(_ reason: XMLError.Reason, _ sentence: String) {
    guard failure == nil else { return }
    fail(reason, sentence)
    unsafe xmlStopParser(context)
  }

  /// Takes libxml2's report.
  ///
  /// Warnings and namespace errors are ignored.
  mutating func fail(_ error: UnsafeMutablePointer<xmlError>) {
    // Report and message belong to libxml2 and are valid while the callback runs.
    let error = unsafe error.pointee
    let code = unsafe error.code
    // libxml2 only warns of an undefined entity if a document type might define it.
    let isFault =
      unsafe error.level == XML_ERR_FATAL || code == XML_WAR_UNDECLARED_ENTITY.rawValue
    guard failure == nil, isFault else { return }
    let words = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
    let reason = LibXML2Sentence.reason(code: code, words: words)
    if isEmpty {
      fail(reason, "there is no XML: the text is empty")
    } else if endsEarly(code: code, reason) {
      fail(reason, LibXML2Sentence.endsEarly)
    } else {
      fail(
        reason, LibXML2Sentence.make(code: code, words: words, openLine: openLines.last))
    }
    if unsafe error.level != XML_ERR_FATAL { unsafe xmlStopParser(context) }
  }

  mutating func fail(_ reason: XMLError.Reason, _ sentence: String) {
    failure = XMLError(reason: reason, line: line, column: column, sentence: sentence)
  }

  /// Whether the text was cut off: libxml2 reports what it was in the middle of.
  private func endsEarly(code: Int32, _ reason: XMLError.Reason) -> Bool {
    guard !(hasRoot && openLines.isEmpty), reason == .notWellFormed else {
      return false
    }
    switch xmlParserErrors(UInt32(bitPattern: code)) {
    // libxml2 reports extra content both after the root element and if its end tag is missing.
    case XML_ERR_DOCUMENT_END, XML_ERR_COMMENT_NOT_FINISHED, XML_ERR_PI_NOT_FINISHED: return true
    case XML_ERR_DOCUMENT_EMPTY, XML_ERR_INVALID_CHAR, XML_ERR_TAG_NAME_MISMATCH: return false
    // A final `/` or `--` would be right if a `>` followed.
    case XML_ERR_SPACE_REQUIRED: return isEnding && unreadCount <= 1
    case XML_ERR_HYPHEN_IN_COMMENT: return isEnding && unreadCount <= 2
    default: return isEnding && unreadCount == 0
    }
  }

  // MARK: Position

  /// How many bytes libxml2 has and has not read.
  var unreadCount: Int {
    guard let input = unsafe context?.pointee.input else { return 0 }
    return unsafe input.pointee.end - input.pointee.cur
  }

  private var line: Int {
    guard let input = unsafe context?.pointee.input else { return 1 }
    return unsafe Int(input.pointee.line)
  }

  private var column: Int {
    guard let input = unsafe context?.pointee.input else { return 0 }
    return unsafe Int(input.pointee.col)
  }
}
