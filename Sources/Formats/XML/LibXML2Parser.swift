import CLibXML2
import Glibc

/// libxml2's push parser, with what its callbacks told since the last ``exchange(_:_:_:)``.
///
/// A class, because libxml2 keeps a pointer to it.
@safe
final class LibXML2Parser {
  private var records: [XMLRecord] = []
  private var bytes: [UInt8] = []
  private var attributes: [XMLAttributeRecord] = []
  /// The URIs of namespaces met so far; the first is none.
  private(set) var namespaces = [""]
  private(set) var failure: XMLError?
  /// How many lines came before the first one that libxml2 sees.
  var lineShift = 0
  /// How many columns came before the first one that libxml2 sees, on its first line.
  var firstLineColumnShift = 0

  private let limits: XMLReader.Limits
  private var depth = 0
  /// Owned; freed in `deinit`. Nil where there was no memory for it.
  private var context: xmlParserCtxtPtr?
  /// The address of each of `namespaces` but the first; it names the URI as long as the context lives.
  private var namespaceAddresses: [UInt] = []

  init(limits: XMLReader.Limits) {
    self.limits = limits
    _ = LibXML2Parser.libraryIsReady
    var handler = unsafe LibXML2Parser.makeHandler()
    // libxml2 copies the handler. It is told no file name, so that relative addresses lead nowhere.
    unsafe context = xmlCreatePushParserCtxt(
      &handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
    // No option but these: no entity is replaced, no DTD loaded, nothing read from the network.
    if let context = unsafe context {
      unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
    }
  }

  deinit {
    if let context = unsafe context { unsafe xmlFreeParserCtxt(context) }
  }

  private static let libraryIsReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// Hands over what was told since the last call and takes the storage of what was used up.
  func exchange(
    _ records: inout [XMLRecord], _ attributes: inout [XMLAttributeRecord], _ bytes: inout [UInt8]
  ) {
    records.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    swap(&records, &self.records)
    swap(&attributes, &self.attributes)
    swap(&bytes, &self.bytes)
  }

  /// Parses more of the document; events and at most one failure are kept.
  func parse(_ slice: Span<UInt8>, isLast: Bool) {
    guard failure == nil else { return }
    guard let context = unsafe context else {
      failure = XMLError(
        reason: .outOfMemory, line: 1, column: 0, sentence: "no memory is left to read XML")
      return
    }
    let status = unsafe slice.withUnsafeBytes { storage in
      // libxml2 copies what it needs before it returns. An empty slice has no address.
      unsafe xmlParseChunk(
        context, storage.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(storage.count), isLast ? 1 : 0)
    }
    if failure == nil, status != 0, unsafe context.pointee.wellFormed == 0 {
      fail(.notWellFormed, "the XML is not well-formed")
    }
  }

  // MARK: What the callbacks tell

  fileprivate func start(
    _ name: UnsafePointer<xmlChar>, uri: UnsafePointer<xmlChar>?,
    attributeCount: Int, _ values: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard failure == nil else { return }
    depth += 1
    guard depth <= limits.maximumDepth else {
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
        return stop(.limit, "an element's attributes are too long")
      }
      let nameRange = unsafe append(name, count: strlen(name))
      let valueRange = unsafe append(begin, count: end - begin)
      let namespace = unsafe namespaceIndex(values[5 * index + 2])
      attributes.append(
        XMLAttributeRecord(name: nameRange, value: valueRange, namespace: namespace))
    }
    let nameRange = unsafe append(name, count: strlen(name))
    records.append(
      XMLRecord(
        event: .start, name: nameRange, namespace: unsafe namespaceIndex(uri),
        attributes: first..<attributes.count, line: line))
  }

  fileprivate func end(_ name: UnsafePointer<xmlChar>, uri: UnsafePointer<xmlChar>?) {
    guard failure == nil else { return }
    depth -= 1
    let nameRange = unsafe append(name, count: strlen(name))
    records.append(
      XMLRecord(event: .end, name: nameRange, namespace: unsafe namespaceIndex(uri), line: line))
  }

  fileprivate func text(_ characters: UnsafePointer<xmlChar>, count: Int) {
    guard failure == nil else { return }
    let range = unsafe append(characters, count: count)
    records.append(XMLRecord(event: .text, name: range, line: line))
  }

  /// Ends the parse for a reason of ours.
  fileprivate func stop(_ reason: XMLError.Reason, _ sentence: String) {
    guard failure == nil else { return }
    fail(reason, sentence)
    unsafe xmlStopParser(context)
  }

  /// Takes libxml2's report; warnings and what concerns namespaces only are let pass.
  fileprivate func fail(_ error: UnsafeMutablePointer<xmlError>) {
    let error = unsafe error.pointee
    guard failure == nil, unsafe error.level == XML_ERR_FATAL else { return }
    let words = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
    let reason: XMLError.Reason =
      switch unsafe xmlParserErrors(UInt32(bitPattern: error.code)) {
      case XML_ERR_INVALID_ENCODING, XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING,
        XML_I18N_CONV_FAILED:
        .badEncoding
      case XML_ERR_NO_MEMORY: .outOfMemory
      default: .notWellFormed
      }
    let code = unsafe error.code
    fail(reason, LibXML2Sentence.make(code: code, words: words, lineShift: lineShift))
  }

  private func fail(_ reason: XMLError.Reason, _ sentence: String) {
    failure = XMLError(reason: reason, line: line, column: column, sentence: sentence)
  }

  // MARK: Places and bytes

  private var line: Int {
    guard let input = unsafe context?.pointee.input else { return lineShift + 1 }
    return unsafe Int(input.pointee.line) + lineShift
  }

  private var column: Int {
    guard let input = unsafe context?.pointee.input else { return 0 }
    let column = unsafe Int(input.pointee.col)
    return unsafe input.pointee.line == 1 ? max(0, column + firstLineColumnShift) : column
  }

  private func append(_ start: UnsafePointer<xmlChar>, count: Int) -> Range<Int> {
    let first = bytes.count
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
    return first..<bytes.count
  }

  /// The index of a namespace; libxml2 keeps one copy of each URI, so that its address names it.
  private func namespaceIndex(_ uri: UnsafePointer<xmlChar>?) -> Int {
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

extension LibXML2Parser {
  private static func parser(_ user: UnsafeMutableRawPointer?) -> LibXML2Parser? {
    // The pointer is the parser that owns the context, which is alive while it parses.
    unsafe user.map { unsafe Unmanaged<LibXML2Parser>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The callbacks. What is left nil libxml2 skips, so that no tree is ever built.
  private static func makeHandler() -> xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = XML_SAX2_MAGIC
    unsafe handler.startElementNs = {
      (user, name, _, uri, _, _, count, defaulted, values) in
      guard let name = unsafe name else { return }
      unsafe LibXML2Parser.parser(user)?.start(
        name, uri: uri, attributeCount: Int(count - defaulted), values)
    }
    unsafe handler.endElementNs = { (user, name, _, uri) in
      guard let name = unsafe name else { return }
      unsafe LibXML2Parser.parser(user)?.end(name, uri: uri)
    }
    let text: charactersSAXFunc = { (user, characters, count) in
      guard let characters = unsafe characters else { return }
      unsafe LibXML2Parser.parser(user)?.text(characters, count: Int(count))
    }
    unsafe handler.characters = text
    unsafe handler.ignorableWhitespace = text
    unsafe handler.cdataBlock = text
    unsafe handler.entityDecl = { (user, _, _, _, _, _) in
      unsafe LibXML2Parser.parser(user)?.stop(
        .entityDeclaration, "the document type declares an entity, which is refused")
    }
    unsafe handler.reference = { (user, name) in
      let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
      unsafe LibXML2Parser.parser(user)?.stop(
        .notWellFormed, "the entity “\(name)” is not defined")
    }
    unsafe handler.serror = { (user, error) in
      guard let error = unsafe error else { return }
      unsafe LibXML2Parser.parser(user)?.fail(error)
    }
    return unsafe handler
  }
}
