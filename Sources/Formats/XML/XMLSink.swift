import CLibXML2
import Glibc

/// What libxml2's callbacks have told, in the order they told it.
///
/// It lives at one address, which libxml2 knows, for as long as the parser does.
@safe
struct XMLSink {
  private var records: [XMLRecord] = []
  private var bytes: [UInt8] = []
  private var attributes: [XMLAttributeRecord] = []
  /// The URIs of namespaces met so far; the first is none.
  private(set) var namespaces = [""]
  /// The address of each of `namespaces` but the first.
  ///
  /// libxml2 keeps one copy of each URI as long as the parser lives, so that it names the URI.
  private var namespaceAddresses: [UInt] = []
  private(set) var failure: XMLError?
  /// Whether libxml2 has been given nothing yet.
  var isEmpty = true
  /// Whether libxml2 has been told that nothing follows.
  var isEnding = false
  /// The parser that tells, to ask where it stands and to stop it.
  var context: xmlParserCtxtPtr?

  private let limits: XMLReader.Limits
  /// The lines where the start tags of the open elements end.
  private var openLines: [Int] = []
  private var hasRoot = false

  init(limits: XMLReader.Limits) {
    self.limits = limits
  }

  /// Hands over what was told since the last call and takes the storage of what was used up.
  mutating func exchange(
    _ records: inout [XMLRecord], _ attributes: inout [XMLAttributeRecord], _ bytes: inout [UInt8]
  ) {
    records.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    swap(&records, &self.records)
    swap(&attributes, &self.attributes)
    swap(&bytes, &self.bytes)
  }

  /// An element begins.
  mutating func start(
    _ name: UnsafePointer<xmlChar>, uri: UnsafePointer<xmlChar>?,
    attributeCount: Int, _ values: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard failure == nil else { return }
    hasRoot = true
    openLines.append(line)
    guard openLines.count <= limits.maximumDepth else {
      return stop(.limit, "elements are nested more than \(limits.maximumDepth) deep")
    }
    let first = attributes.count
    var valueBytes = 0
    for index in 0..<attributeCount {
      // Five pointers an attribute: local name, prefix, URI, the value's begin and its end.
      guard let values = unsafe values, let name = unsafe values[5 * index],
        let begin = unsafe values[5 * index + 3], let end = unsafe values[5 * index + 4]
      else { continue }
      valueBytes += unsafe end - begin
      guard valueBytes <= limits.maximumAttributeBytes else {
        let most = limits.maximumAttributeBytes
        return stop(.limit, "an element's attributes are longer than \(most) bytes together")
      }
      let nameRange = unsafe append(name, count: strlen(name))
      let valueRange = unsafe append(begin, count: end - begin)
      let namespace = unsafe namespaceIndex(values[5 * index + 2])
      attributes.append(
        XMLAttributeRecord(name: nameRange, value: valueRange, namespace: namespace))
    }
    // The name is a C string of libxml2, valid while the callback runs, and copied.
    let nameRange = unsafe append(name, count: strlen(name))
    records.append(
      XMLRecord(
        event: .start, name: nameRange, namespace: unsafe namespaceIndex(uri),
        attributes: first..<attributes.count, line: line))
  }

  /// An element ends.
  mutating func end(_ name: UnsafePointer<xmlChar>, uri: UnsafePointer<xmlChar>?) {
    guard failure == nil else { return }
    openLines.removeLast()
    // The name is a C string of libxml2, valid while the callback runs, and copied.
    let nameRange = unsafe append(name, count: strlen(name))
    records.append(
      XMLRecord(event: .end, name: nameRange, namespace: unsafe namespaceIndex(uri), line: line))
  }

  /// Character data.
  mutating func text(_ characters: UnsafePointer<xmlChar>, count: Int) {
    guard failure == nil else { return }
    // So many characters are there while the callback runs; they are copied.
    let range = unsafe append(characters, count: count)
    records.append(XMLRecord(event: .text, name: range, line: line))
  }

  /// Ends the parse for a reason of ours.
  mutating func stop(_ reason: XMLError.Reason, _ sentence: String) {
    guard failure == nil else { return }
    fail(reason, sentence)
    // The context is that of the parser, which is running: a callback called us.
    unsafe xmlStopParser(context)
  }

  /// Takes libxml2's report; warnings and what concerns namespaces only are let pass.
  mutating func fail(_ error: UnsafeMutablePointer<xmlError>) {
    // Report and message belong to libxml2 and are valid while the callback runs.
    let error = unsafe error.pointee
    let code = unsafe error.code
    // That an entity is undefined is a mere warning where a document type might define it.
    let isFault =
      unsafe error.level == XML_ERR_FATAL || code == XML_WAR_UNDECLARED_ENTITY.rawValue
    guard failure == nil, isFault else { return }
    let words = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
    let reason = LibXML2Sentence.reason(code: code, words: words)
    let sentence =
      isEmpty
      ? "there is no XML: the text is empty"
      : endsEarly(code: code, reason)
        ? LibXML2Sentence.endsEarly
        : LibXML2Sentence.make(code: code, words: words, openLine: openLines.last)
    fail(reason, sentence)
    if unsafe error.level != XML_ERR_FATAL { unsafe xmlStopParser(context) }
  }

  /// Whether a fault is that the text was cut: libxml2 names what it was in the middle of.
  private func endsEarly(code: Int32, _ reason: XMLError.Reason) -> Bool {
    guard !(hasRoot && openLines.isEmpty), reason == .notWellFormed else { return false }
    switch xmlParserErrors(UInt32(bitPattern: code)) {
    // libxml2 speaks of extra content both after the root element and where its end is missing.
    case XML_ERR_DOCUMENT_END, XML_ERR_COMMENT_NOT_FINISHED, XML_ERR_PI_NOT_FINISHED: return true
    case XML_ERR_DOCUMENT_EMPTY, XML_ERR_INVALID_CHAR, XML_ERR_TAG_NAME_MISMATCH: return false
    // A “/” or a “--” that comes last would be right if a “>” followed.
    case XML_ERR_SPACE_REQUIRED: return isEnding && restCount <= 1
    case XML_ERR_HYPHEN_IN_COMMENT: return isEnding && restCount <= 2
    default: return isEnding && restCount == 0
    }
  }

  /// How many bytes libxml2 has that it has not read.
  private var restCount: Int {
    // Both ends are of one buffer, which belongs to the context.
    guard let input = unsafe context?.pointee.input else { return 0 }
    return unsafe input.pointee.end - input.pointee.cur
  }

  /// Whether libxml2 has read all that it has, up to white space.
  var hasReadAllButWhiteSpace: Bool {
    // Both ends are of one buffer, which belongs to the context.
    guard failure == nil, let input = unsafe context?.pointee.input else { return false }
    let rest = unsafe UnsafeBufferPointer(start: input.pointee.cur, count: restCount)
    return unsafe rest.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
  }

  /// Keeps a fault that was noticed where libxml2 stands.
  mutating func fail(_ reason: XMLError.Reason, _ sentence: String) {
    failure = XMLError(reason: reason, line: line, column: column, sentence: sentence)
  }

  // MARK: Places and bytes

  private var line: Int {
    // The input belongs to the context, which lives as long as the parser.
    guard let input = unsafe context?.pointee.input else { return 1 }
    return unsafe Int(input.pointee.line)
  }

  private var column: Int {
    // The input belongs to the context, which lives as long as the parser.
    guard let input = unsafe context?.pointee.input else { return 0 }
    return unsafe Int(input.pointee.col)
  }

  private mutating func append(_ start: UnsafePointer<xmlChar>, count: Int) -> Range<Int> {
    let first = bytes.count
    // Callers have so many bytes from libxml2.
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
    return first..<bytes.count
  }

  /// The index of a namespace; libxml2 keeps one copy of each URI, so that its address names it.
  private mutating func namespaceIndex(_ uri: UnsafePointer<xmlChar>?) -> Int {
    // A C string that libxml2 keeps as long as the parser lives; it is copied.
    guard let uri = unsafe uri else { return 0 }
    let address = UInt(bitPattern: uri)
    if let index = namespaceAddresses.firstIndex(of: address) { return index + 1 }
    guard namespaceAddresses.count < 1024 else {
      stop(.limit, "there are more than 1024 namespaces")
      return 0
    }
    namespaceAddresses.append(address)
    unsafe namespaces.append(String(cString: uri))
    return namespaces.count - 1
  }
}
