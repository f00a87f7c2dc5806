import FencepostCLibXML2
import FencepostFormats
import Glibc

/// libxml2's push parser, which hands what it parses to a handler.
@safe
struct XMLPushParser: ~Copyable {
  // Every `unsafe` of this type uses the context, which lives until `deinit`, the handler, which is
  // lent to `parse`, or callback arguments, which are valid during the callback.

  /// libxml2's parser; nil before the first parse, or if memory ran out.
  private var context: xmlParserCtxtPtr?
  /// The handler while `parse` runs; its type is erased, since C's callbacks cannot be generic.
  private var handler: (type: any (XMLHandler & ~Copyable).Type, address: UnsafeMutableRawPointer)?
  /// The error that the handler threw.
  private var thrown: (any Error)?
  /// The error that ended the document, after everything that was handed over.
  private(set) var failure: XMLError?
  /// How many lines of the source precede the document.
  var skippedLines = 0
  /// Whether no input has been parsed yet.
  private var isEmpty = true
  private var isEnding = false
  private(set) var hasRoot = false
  /// The line of each open element's start tag, and how many namespaces it declares.
  private var open: [(line: Int, namespaceCount: Int)] = []
  /// How many namespaces the open elements declare together.
  private var declaredCount = 0
  /// The address of each namespace's URI; libxml2 keeps one copy, so it identifies the URI.
  private var namespaceAddresses: [UInt] = []

  private static var mostNamespaces: Int { 256 }
  /// The limit for all distinct names of a document, in bytes.
  ///
  /// libxml2 keeps every name, and its table gets slow: at 10 MB, its own limit, reading takes
  /// minutes and 170 MB.
  private static var greatestNameBytes: Int { 1 << 20 }

  private static let libraryIsReady: Bool = {
    xmlInitParser()
    return true
  }()

  init() {}

  deinit {
    guard let context = unsafe context else { return }
    // libxml2 creates a document for a document type's declarations and does not free it.
    unsafe xmlFreeDoc(context.pointee.myDoc)
    unsafe xmlFreeParserCtxt(context)
  }

  private static func makeContext() -> xmlParserCtxtPtr? {
    _ = libraryIsReady
    // Without a file name, relative addresses cannot be resolved.
    guard let context = unsafe xmlCreatePushParserCtxt(nil, nil, nil, 0, nil) else { return nil }
    unsafe context.pointee.sax.pointee = makeCallbacks()
    // With no other option set, libxml2 replaces no entities, loads no DTD and uses no network.
    unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
    unsafe xmlDictSetLimit(context.pointee.dict, greatestNameBytes)
    return unsafe context
  }

  /// Parses the next bytes and calls the handler meanwhile.
  ///
  /// - Throws: What the handler threw.
  mutating func parse<Handler: XMLHandler & ~Copyable>(
    _ slice: Span<UInt8>, isLast: Bool, for handler: inout Handler
  ) throws(Handler.Failure) {
    if unsafe context == nil { unsafe context = Self.makeContext() }
    guard let context = unsafe context else {
      return fail(.outOfMemory, "there is not enough memory to read XML")
    }
    if !slice.isEmpty { isEmpty = false }
    isEnding = isLast
    let status = unsafe withUnsafeMutablePointer(to: &handler) { handler in
      unsafe self.handler = (Handler.self, UnsafeMutableRawPointer(handler))
      // The callbacks change `self` by its address, and nothing else does meanwhile.
      return unsafe withUnsafeMutablePointer(to: &self) { parser in
        unsafe context.pointee.userData = UnsafeMutableRawPointer(parser)
        return Self.withoutPrinting {
          unsafe slice.withUnsafeBytes { storage in
            // libxml2 copies what it needs before it returns. An empty slice has no address.
            unsafe xmlParseChunk(
              context, storage.baseAddress?.assumingMemoryBound(to: CChar.self),
              Int32(storage.count), isLast ? 1 : 0)
          }
        }
      }
    }
    unsafe context.pointee.userData = nil
    unsafe self.handler = nil
    if let thrown = thrown as? Handler.Failure { throw thrown }
    let isSound = unsafe status == 0 || context.pointee.wellFormed != 0
    if !isSound, failure == nil { fail(.notWellFormed, "the XML is not well-formed") }
  }

  /// Whether the parser holds the beginning of a tag; fails if the tag is already too long.
  mutating func holdsTag() -> Bool {
    guard failure == nil, let context = unsafe context, let input = unsafe context.pointee.input,
      unreadCount > 1, unsafe context.pointee.instate != XML_PARSER_CDATA_SECTION
    else { return false }
    // libxml2 has already transcoded this text. It compares all attributes pairwise once the tag is
    // complete, so the tag must be checked before.
    let text = unsafe UnsafeBufferPointer(start: input.pointee.cur, count: unreadCount)
    guard unsafe text[0] == 0x3C, unsafe text[1] != 0x21, unsafe text[1] != 0x3F else {
      return false
    }
    if let fault = unsafe XMLLimits.fault(ofTag: text.span) { stop(.limit, fault) }
    return true
  }

  /// Keeps libxml2 from printing while the body runs.
  ///
  /// It reports encoding errors to a per-thread handler, and prints them without one. The
  /// parser reports them later. The old handler is restored because other libraries use libxml2
  /// too.
  private static func withoutPrinting(_ body: () -> Int32) -> Int32 {
    // Both variables belong to this thread.
    let handler = unsafe __xmlStructuredError().pointee
    let user = unsafe __xmlStructuredErrorContext().pointee
    unsafe xmlSetStructuredErrorFunc(nil) { (_, _) in }
    defer { unsafe xmlSetStructuredErrorFunc(user, handler) }
    return body()
  }

  // MARK: Callbacks

  /// Creates the callbacks; libxml2 skips those that are nil, so it never builds a tree.
  private static func makeCallbacks() -> xmlSAXHandler {
    // A C structure of null pointers. Arguments of the callbacks are valid while they run.
    var callbacks = unsafe xmlSAXHandler()
    unsafe callbacks.initialized = XML_SAX2_MAGIC
    unsafe callbacks.startElementNs = {
      (user, name, _, uri, namespaceCount, _, attributeCount, _, parts) in
      guard let name = unsafe name else { return }
      let parts = unsafe UnsafeBufferPointer(
        start: UnsafePointer(parts), count: 5 * Int(attributeCount))
      unsafe XMLPushParser.called(user)?.pointee.start(
        name, uri: uri, namespaceCount: Int(namespaceCount), parts)
    }
    unsafe callbacks.endElementNs = { (user, _, _, _) in
      unsafe XMLPushParser.called(user)?.pointee.end()
    }
    let text: charactersSAXFunc = { (user, characters, count) in
      unsafe XMLPushParser.called(user)?.pointee.text(
        UnsafeBufferPointer(start: characters, count: Int(count)))
    }
    unsafe callbacks.characters = text
    unsafe callbacks.ignorableWhitespace = text
    unsafe callbacks.cdataBlock = text
    unsafe callbacks.entityDecl = { (user, _, _, _, _, _) in
      unsafe XMLPushParser.called(user)?.pointee.stop(
        .entityDeclaration, "the document type declares an entity, which is not allowed")
    }
    unsafe callbacks.attributeDecl = { (user, _, _, _, _, value, _) in
      guard unsafe value != nil else { return }
      unsafe XMLPushParser.called(user)?.pointee.stop(
        .limit, "the document type declares default attributes, which is not allowed")
    }
    unsafe callbacks.reference = { (user, name) in
      let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
      unsafe XMLPushParser.called(user)?.pointee.stop(
        .notWellFormed, "the entity “\(name)” is not defined")
    }
    unsafe callbacks.serror = { (user, error) in
      guard let error = unsafe error else { return }
      unsafe XMLPushParser.called(user)?.pointee.fail(error)
    }
    return unsafe callbacks
  }

  /// The parser that libxml2 calls.
  private static func called(
    _ user: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<XMLPushParser>? {
    // This is the address that `parse`, which is running, gave libxml2.
    unsafe user?.assumingMemoryBound(to: XMLPushParser.self)
  }

  private mutating func start(
    _ name: UnsafePointer<xmlChar>, uri: UnsafePointer<xmlChar>?, namespaceCount: Int,
    _ parts: UnsafeBufferPointer<UnsafePointer<xmlChar>?>
  ) {
    guard !hasEnded else { return }
    hasRoot = true
    let line = line
    open.append((line, namespaceCount))
    guard open.count <= XMLLimits.depth else {
      return stop(.limit, "elements are nested more than \(XMLLimits.depth) deep")
    }
    declaredCount += namespaceCount
    guard namespaceCount + parts.count / 5 <= XMLLimits.attributes else {
      return stop(.limit, XMLLimits.tooManyAttributes)
    }
    // libxml2 searches all of them for each prefix.
    guard declaredCount <= Self.mostNamespaces else { return stopForNamespaces() }
    for index in stride(from: 2, to: parts.count, by: 5) {
      guard unsafe namespaceNumber(parts[index]) != nil else { return stopForNamespaces() }
    }
    guard let namespace = unsafe namespaceNumber(uri) else { return stopForNamespaces() }
    let tag = unsafe XMLStartTag(line: line, namespace: namespace, uri: uri, parts: parts)
    // libxml2's names are zero-terminated.
    let name = unsafe UnsafeBufferPointer(start: name, count: strlen(name))
    unsafe handOver { unsafe try $0.start(at: $1, name.span, tag) }
  }

  private mutating func end() {
    guard !hasEnded else { return }
    declaredCount -= open.removeLast().namespaceCount
    let line = line
    unsafe handOver { unsafe try $0.end(at: $1, line: line) }
  }

  private mutating func text(_ characters: UnsafeBufferPointer<xmlChar>) {
    guard !hasEnded else { return }
    let line = line
    unsafe handOver { unsafe try $0.text(at: $1, characters.span, line: line) }
  }

  private mutating func handOver(
    _ event: (any (XMLHandler & ~Copyable).Type, UnsafeMutableRawPointer) throws -> Void
  ) {
    guard let (type, address) = unsafe handler else { return }
    do {
      unsafe try event(type, address)
    } catch {
      thrown = error
      unsafe xmlStopParser(context)
    }
  }

  /// The namespace's number; nil if there are too many.
  private mutating func namespaceNumber(_ uri: UnsafePointer<xmlChar>?) -> Int? {
    guard let uri = unsafe uri else { return 0 }
    let address = UInt(bitPattern: uri)
    if let index = namespaceAddresses.firstIndex(of: address) { return index + 1 }
    guard namespaceAddresses.count < Self.mostNamespaces else { return nil }
    namespaceAddresses.append(address)
    return namespaceAddresses.count
  }

  private mutating func stopForNamespaces() {
    stop(.limit, "there are more than \(Self.mostNamespaces) namespaces")
  }

  // MARK: Faults

  /// Whether the handler receives nothing more.
  private var hasEnded: Bool { failure != nil || thrown != nil }

  /// Stops the parse when the document exceeds a limit of this program.
  private mutating func stop(_ reason: XMLError.Reason, _ sentence: String) {
    guard !hasEnded else { return }
    fail(reason, sentence)
    unsafe xmlStopParser(context)
  }

  /// Handles an error from libxml2; ignores warnings and namespace errors.
  private mutating func fail(_ error: UnsafeMutablePointer<xmlError>) {
    // libxml2 owns the error and its message, which are valid during the callback.
    let error = unsafe error.pointee
    let code = unsafe error.code
    // libxml2 only warns of an undefined entity if a document type might define it.
    let isFault = unsafe error.level == XML_ERR_FATAL || code == XML_WAR_UNDECLARED_ENTITY.rawValue
    guard !hasEnded, isFault else { return }
    let words = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
    let reason = LibXML2Sentence.reason(code: code, words: words)
    if isEmpty {
      fail(reason, "the XML is empty")
    } else if endsEarly(code: code, reason) {
      fail(reason, LibXML2Sentence.endsEarly)
    } else {
      fail(reason, LibXML2Sentence.make(code: code, words: words, openLine: open.last?.line))
    }
    if unsafe error.level != XML_ERR_FATAL { unsafe xmlStopParser(context) }
  }

  private mutating func fail(_ reason: XMLError.Reason, _ sentence: String) {
    failure = XMLError(reason: reason, line: line, column: column, sentence: sentence)
  }

  /// Whether the text was cut off; libxml2 only reports what it was parsing at the time.
  private func endsEarly(code: Int32, _ reason: XMLError.Reason) -> Bool {
    guard !(hasRoot && open.isEmpty), reason == .notWellFormed else { return false }
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
