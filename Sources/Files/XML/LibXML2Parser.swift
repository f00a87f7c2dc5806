import FencepostFormats
import FencepostCLibXML2
import Glibc

/// libxml2's push parser, which records its events until ``XMLReader`` takes them.
@safe
final class LibXML2Parser {
  // Every `unsafe` of this type uses the recording, the context or its input, which live from `init` to `deinit`,
  // or what libxml2 hands to a callback, which is valid while the callback runs.

  /// What the callbacks record.
  ///
  /// They change it only while `parse` runs, which does not look at it meanwhile. Properties of a class would be
  /// checked for that, and the class retained, with each of them: as long as libxml2 takes.
  private let recording: UnsafeMutablePointer<XMLRecording>
  private let limits: XMLReader.Limits
  /// How many bytes libxml2 should get next.
  ///
  /// Fixed for what was read, so that its behaviour does not depend on how the input was cut.
  private(set) var sliceBytes = LibXML2Parser.leastSliceBytes
  /// Whether so little is held back that looking at it again costs no more than a slice.
  var mayTakeShortSlice: Bool { unreadCount < Self.leastSliceBytes }
  /// Whether the root element has begun.
  var hasRoot: Bool { unsafe recording.pointee.hasRoot }

  init(limits: XMLReader.Limits) {
    _ = LibXML2Parser.libraryIsReady
    self.limits = limits
    unsafe recording = .allocate(capacity: 1)
    unsafe recording.initialize(to: XMLRecording(limits: limits))
    var handler = unsafe LibXML2Parser.makeHandler()
    // libxml2 copies the handler and hands the recording's address to the callbacks, which run only while `parse`
    // does. Without a file name, relative addresses lead nowhere.
    guard let context = unsafe xmlCreatePushParserCtxt(&handler, recording, nil, 0, nil) else {
      return
    }
    unsafe recording.pointee.context = context
    // No other option: no entity is replaced, no DTD loaded, nothing read from the network.
    unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
    unsafe xmlDictSetLimit(context.pointee.dict, LibXML2Parser.greatestNameBytes)
  }

  deinit {
    if let context = unsafe recording.pointee.context {
      // libxml2 makes a document for the declarations of a document type, and does not free it.
      unsafe xmlFreeDoc(context.pointee.myDoc)
      unsafe xmlFreeParserCtxt(context)
    }
    unsafe recording.deinitialize(count: 1)
    unsafe recording.deallocate()
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
  func namespace(_ index: Int) -> String { unsafe recording.pointee.namespaces[index] }

  /// What ended the parse, after the last recorded event.
  var failure: XMLError? { unsafe recording.pointee.failure }

  /// Takes the events recorded since they were last taken.
  func takeEvents(into events: inout XMLEvents) {
    unsafe recording.pointee.takeEvents(into: &events)
  }

  /// Parses more of the document.
  func parse(_ slice: Span<UInt8>, isLast: Bool) {
    guard failure == nil else { return }
    guard let context = unsafe recording.pointee.context else {
      return unsafe recording.pointee.fail(.outOfMemory, "no memory is left to read XML")
    }
    if !slice.isEmpty { unsafe recording.pointee.isEmpty = false }
    unsafe recording.pointee.isEnding = isLast
    let status = LibXML2Parser.withoutPrinting {
      unsafe slice.withUnsafeBytes { storage in
        // libxml2 copies what it needs before it returns. An empty slice has no address.
        unsafe xmlParseChunk(
          context, storage.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(storage.count), isLast ? 1 : 0)
      }
    }
    if failure == nil, status != 0, unsafe context.pointee.wellFormed == 0 {
      unsafe recording.pointee.fail(.notWellFormed, "the XML is not well-formed")
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
    let context = unsafe recording.pointee.context
    guard failure == nil, let input = unsafe context?.pointee.input, unreadCount > 1,
      unsafe context?.pointee.instate != XML_PARSER_CDATA_SECTION
    else { return }
    // libxml2 has already transcoded it, and compares each attribute with all others once the tag is complete.
    let text = unsafe UnsafeBufferPointer(start: input.pointee.cur, count: unreadCount)
    guard unsafe text[0] == 0x3C, unsafe text[1] != 0x21, unsafe text[1] != 0x3F else { return }
    if let fault = unsafe limits.fault(ofTag: text.span) {
      return unsafe recording.pointee.stop(.limit, fault)
    }
    sliceBytes = min(Self.leastSliceBytes, limits.maximumTagBytes + 1 - unreadCount)
  }

  /// How many bytes libxml2 has and has not read.
  private var unreadCount: Int { unsafe recording.pointee.unreadCount }

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

  // MARK: Callbacks

  private static func recording(
    _ user: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<XMLRecording>? {
    // The address that `init` gave libxml2, of a parser whose `parse` is running.
    unsafe user?.assumingMemoryBound(to: XMLRecording.self)
  }

  /// The callbacks.
  ///
  /// libxml2 skips those that are nil, so it never builds a tree.
  private static func makeHandler() -> xmlSAXHandler {
    // A C structure of null pointers. What libxml2 hands to the callbacks is valid while they run.
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = XML_SAX2_MAGIC
    unsafe handler.startElementNs = {
      (user, name, _, uri, namespaceCount, _, count, _, values) in
      guard let name = unsafe name else { return }
      unsafe LibXML2Parser.recording(user)?.pointee.start(
        name, uri: uri, namespaceCount: Int(namespaceCount), attributeCount: Int(count), values)
    }
    unsafe handler.endElementNs = { (user, name, _, uri) in
      guard let name = unsafe name else { return }
      unsafe LibXML2Parser.recording(user)?.pointee.end(name, uri: uri)
    }
    let text: charactersSAXFunc = { (user, characters, count) in
      unsafe LibXML2Parser.recording(user)?.pointee.text(
        UnsafeBufferPointer(start: characters, count: Int(count)))
    }
    unsafe handler.characters = text
    unsafe handler.ignorableWhitespace = text
    unsafe handler.cdataBlock = text
    unsafe handler.entityDecl = { (user, _, _, _, _, _) in
      unsafe LibXML2Parser.recording(user)?.pointee.stop(
        .entityDeclaration, "the document type declares an entity, which is refused")
    }
    unsafe handler.attributeDecl = { (user, _, _, _, _, value, _) in
      guard unsafe value != nil else { return }
      unsafe LibXML2Parser.recording(user)?.pointee.stop(
        .limit, "the document type gives attributes to elements, which is refused")
    }
    unsafe handler.reference = { (user, name) in
      let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
      unsafe LibXML2Parser.recording(user)?.pointee.stop(
        .notWellFormed, "the entity “\(name)” is not defined")
    }
    unsafe handler.serror = { (user, error) in
      guard let error = unsafe error else { return }
      unsafe LibXML2Parser.recording(user)?.pointee.fail(error)
    }
    return unsafe handler
  }
}
