import FencepostFormats
import FencepostCLibXML2
import Glibc

/// libxml2's push parser, which records its events until ``XMLReader`` takes them.
@safe
final class LibXML2Parser {
  // Every `unsafe` of this type uses the context or its input, which live from `init` to `deinit`, or what
  // libxml2 hands to a callback, which is valid while the callback runs and is copied in it.

  /// What the callbacks recorded.
  var recording: XMLRecording
  /// What ended the parse, after the last recorded event.
  private(set) var failure: XMLError?

  /// Nil if libxml2 had no memory for it; ours until `deinit`.
  private var context: xmlParserCtxtPtr?
  private let limits: XMLReader.Limits
  /// How many bytes libxml2 should get next.
  ///
  /// Fixed for what was read, so that its behaviour does not depend on how the input was cut.
  private(set) var sliceBytes = LibXML2Parser.leastSliceBytes
  /// Whether so little is held back that looking at it again costs no more than a slice.
  var mayTakeShortSlice: Bool { unreadCount < Self.leastSliceBytes }
  private var isEmpty = true
  private var isEnding = false

  init(limits: XMLReader.Limits) {
    _ = LibXML2Parser.libraryIsReady
    self.limits = limits
    recording = XMLRecording(limits: limits)
    var handler = unsafe LibXML2Parser.makeHandler()
    // libxml2 copies the handler and hands our address to the callbacks, which run only while `parse`
    // does. Without a file name, relative addresses lead nowhere.
    unsafe context = xmlCreatePushParserCtxt(
      &handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
    // No other option: no entity is replaced, no DTD loaded, nothing read from the network.
    if let context = unsafe context {
      unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
      unsafe xmlDictSetLimit(context.pointee.dict, LibXML2Parser.greatestNameBytes)
    }
  }

  deinit {
    if let context = unsafe context {
      // libxml2 makes a document for the declarations of a document type, and does not free it.
      unsafe xmlFreeDoc(context.pointee.myDoc)
      unsafe xmlFreeParserCtxt(context)
    }
  }

  /// How many bytes all different names of a document may have.
  ///
  /// libxml2 keeps each, and its table of names gets slow: with 10 MB of them, libxml2's own limit, reading
  /// takes minutes and 170 MB.
  private static var greatestNameBytes: Int { 1 << 20 }

  private static let libraryIsReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// The URI of a namespace.
  func namespace(_ index: Int) -> String { recording.namespaces[index] }

  /// Parses more of the document.
  func parse(_ slice: Span<UInt8>, isLast: Bool) {
    guard failure == nil else { return }
    guard let context = unsafe context else {
      return fail(.outOfMemory, "no memory is left to read XML")
    }
    if !slice.isEmpty { isEmpty = false }
    isEnding = isLast
    let status = LibXML2Parser.withoutPrinting {
      unsafe slice.withUnsafeBytes { storage in
        // libxml2 copies what it needs before it returns. An empty slice has no address.
        unsafe xmlParseChunk(
          context, storage.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(storage.count), isLast ? 1 : 0)
      }
    }
    if failure == nil, status != 0, unsafe context.pointee.wellFormed == 0 {
      fail(.notWellFormed, "the XML is not well-formed")
    }
    lookAhead()
  }

  private static var leastSliceBytes: Int { 16 * 1024 }
  private static var mostSliceBytes: Int { 256 * 1024 }

  /// Looks at what libxml2 holds back: refuses a tag that is too long already, and decides how much comes next.
  ///
  /// It looks again at all that it holds back of a comment or character data, so a long one comes in long slices.
  /// A tag comes only as far as shows that it is too long.
  private func lookAhead() {
    sliceBytes = max(Self.leastSliceBytes, min(unreadCount / 4, Self.mostSliceBytes))
    guard failure == nil, let input = unsafe context?.pointee.input, unreadCount > 1,
      unsafe context?.pointee.instate != XML_PARSER_CDATA_SECTION
    else { return }
    // libxml2 has already transcoded it, and compares each attribute with all others once the tag is complete.
    let text = unsafe UnsafeBufferPointer(start: input.pointee.cur, count: unreadCount)
    guard unsafe text[0] == 0x3C, unsafe text[1] != 0x21, unsafe text[1] != 0x3F else { return }
    if let fault = unsafe limits.fault(ofTag: text.span) { return stop(.limit, fault) }
    sliceBytes = min(Self.leastSliceBytes, limits.maximumTagBytes + 1 - unreadCount)
  }

  /// Keeps libxml2 from printing while the body runs.
  ///
  /// It reports encoding faults to a handler of the thread, not of the parser, and prints them if
  /// there is none; the parser gets them afterwards. The handler is restored, since other libraries
  /// use libxml2 too.
  private static func withoutPrinting(_ body: () -> Int32) -> Int32 {
    // Both are variables of this thread.
    let handler = unsafe __xmlStructuredError().pointee
    let user = unsafe __xmlStructuredErrorContext().pointee
    unsafe xmlSetStructuredErrorFunc(nil) { (_, _) in }
    defer { unsafe xmlSetStructuredErrorFunc(user, handler) }
    return body()
  }

  // MARK: Faults

  /// Ends the parse for a reason of ours; called by a callback.
  private func stop(_ reason: XMLError.Reason, _ sentence: String) {
    guard failure == nil else { return }
    fail(reason, sentence)
    unsafe xmlStopParser(context)
  }

  /// Takes libxml2's report.
  ///
  /// Warnings and namespace errors are ignored.
  private func fail(_ error: UnsafeMutablePointer<xmlError>) {
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
        reason, LibXML2Sentence.make(code: code, words: words, openLine: recording.openLines.last))
    }
    if unsafe error.level != XML_ERR_FATAL { unsafe xmlStopParser(context) }
  }

  private func fail(_ reason: XMLError.Reason, _ sentence: String) {
    failure = XMLError(reason: reason, line: line, column: column, sentence: sentence)
    recording.isClosed = true
  }

  /// Whether the text was cut off: libxml2 reports what it was in the middle of.
  private func endsEarly(code: Int32, _ reason: XMLError.Reason) -> Bool {
    guard !(recording.hasRoot && recording.openLines.isEmpty), reason == .notWellFormed else {
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
  private var unreadCount: Int {
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

  // MARK: Callbacks

  private static func parser(_ user: UnsafeMutableRawPointer?) -> LibXML2Parser? {
    // The address that `init` gave libxml2, of a parser whose `parse` is running.
    unsafe user.map { unsafe Unmanaged<LibXML2Parser>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The callbacks.
  ///
  /// libxml2 skips those that are nil, so it never builds a tree.
  private static func makeHandler() -> xmlSAXHandler {
    // A C structure of null pointers. What libxml2 hands to the callbacks is valid while they run.
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = XML_SAX2_MAGIC
    // A callback changes the recording by one call: each access to a property of a class is checked while the
    // program runs, which takes as long as libxml2 does if a callback makes a dozen.
    unsafe handler.startElementNs = {
      (user, name, _, uri, namespaceCount, _, count, _, values) in
      guard let name = unsafe name, let parser = unsafe LibXML2Parser.parser(user) else { return }
      let line = parser.line
      let fault = unsafe parser.recording.start(
        name, uri: uri, namespaceCount: Int(namespaceCount), attributeCount: Int(count), values,
        line: line)
      if let fault { parser.stop(.limit, fault) }
    }
    unsafe handler.endElementNs = { (user, name, _, uri) in
      guard let name = unsafe name, let parser = unsafe LibXML2Parser.parser(user) else { return }
      let line = parser.line
      let fault = unsafe parser.recording.end(name, uri: uri, line: line)
      if let fault { parser.stop(.limit, fault) }
    }
    let text: charactersSAXFunc = { (user, characters, count) in
      guard let parser = unsafe LibXML2Parser.parser(user) else { return }
      let line = parser.line
      unsafe parser.recording.text(
        UnsafeBufferPointer(start: characters, count: Int(count)), line: line)
    }
    unsafe handler.characters = text
    unsafe handler.ignorableWhitespace = text
    unsafe handler.cdataBlock = text
    unsafe handler.entityDecl = { (user, _, _, _, _, _) in
      unsafe LibXML2Parser.parser(user)?.stop(
        .entityDeclaration, "the document type declares an entity, which is refused")
    }
    unsafe handler.attributeDecl = { (user, _, _, _, _, value, _) in
      guard unsafe value != nil else { return }
      unsafe LibXML2Parser.parser(user)?.stop(
        .limit, "the document type gives attributes to elements, which is refused")
    }
    unsafe handler.reference = { (user, name) in
      let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
      unsafe LibXML2Parser.parser(user)?.stop(.notWellFormed, "the entity “\(name)” is not defined")
    }
    unsafe handler.serror = { (user, error) in
      guard let error = unsafe error else { return }
      unsafe LibXML2Parser.parser(user)?.fail(error)
    }
    return unsafe handler
  }
}
