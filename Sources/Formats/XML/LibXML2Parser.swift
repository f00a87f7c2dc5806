import CLibXML2

/// libxml2's push parser with the sink that its callbacks fill.
@safe
struct LibXML2Parser: ~Copyable {
  /// Owned; freed in `deinit`.
  ///
  /// On the heap because libxml2 keeps its address.
  private let sink: UnsafeMutablePointer<XMLSink>

  init(limits: XMLReader.Limits) {
    _ = LibXML2Parser.libraryIsReady
    // One sink, initialised before anybody sees it. Every `unsafe` of this type reads or changes it
    // through `sink`, which is valid until `deinit`, or calls libxml2 with the context that belongs
    // to it.
    unsafe sink = .allocate(capacity: 1)
    unsafe sink.initialize(to: XMLSink(limits: limits))
    var handler = unsafe LibXML2Parser.makeHandler()
    // libxml2 copies the handler. It is told no file name, so that relative addresses lead nowhere.
    unsafe sink.pointee.context = xmlCreatePushParserCtxt(&handler, sink, nil, 0, nil)
    // No option but this one: no entity is replaced, no DTD loaded, nothing read from the network.
    if let context = unsafe sink.pointee.context {
      unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
    }
  }

  deinit {
    if let context = unsafe sink.pointee.context {
      // For declarations in a document type libxml2 makes itself a document, which it does not free.
      unsafe xmlFreeDoc(context.pointee.myDoc)
      unsafe xmlFreeParserCtxt(context)
    }
    unsafe sink.deinitialize(count: 1)
    unsafe sink.deallocate()
  }

  private static let libraryIsReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// What ended the parse, once all that was told before is read.
  var failure: XMLError? { unsafe sink.pointee.failure }

  /// The URI of a namespace.
  func namespace(_ index: Int) -> String { unsafe sink.pointee.namespaces[index] }

  /// Whether nothing but white space is left of the slices so far.
  var hasReadAllButWhiteSpace: Bool { unsafe sink.pointee.hasReadAllButWhiteSpace }

  /// Hands over what was told since the last call and takes the storage of what was used up.
  func exchange(
    _ records: inout [XMLRecord], _ attributes: inout [XMLAttributeRecord], _ bytes: inout [UInt8]
  ) {
    unsafe sink.pointee.exchange(&records, &attributes, &bytes)
  }

  /// Parses more of the document; events and at most one failure are kept.
  func parse(_ slice: Span<UInt8>, isLast: Bool) {
    guard failure == nil else { return }
    guard let context = unsafe sink.pointee.context else {
      unsafe sink.pointee.fail(.outOfMemory, "no memory is left to read XML")
      return
    }
    if !slice.isEmpty { unsafe sink.pointee.isEmpty = false }
    unsafe sink.pointee.isEnding = isLast
    let status = LibXML2Parser.withoutPrinting {
      unsafe LibXML2Parser.parse(slice, isLast: isLast, context)
    }
    if failure == nil, status != 0, unsafe context.pointee.wellFormed == 0 {
      unsafe sink.pointee.fail(.notWellFormed, "the XML is not well-formed")
    }
  }

  private static func parse(
    _ slice: Span<UInt8>, isLast: Bool, _ context: xmlParserCtxtPtr
  ) -> Int32 {
    unsafe slice.withUnsafeBytes { storage in
      // libxml2 copies what it needs before it returns. An empty slice has no address.
      unsafe xmlParseChunk(
        context, storage.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(storage.count), isLast ? 1 : 0)
    }
  }

  /// Keeps libxml2 from printing for the while.
  ///
  /// Faults of an encoding it reports to a handler of the thread, not of the parser, and prints
  /// them where there is none; the parser hears of them afterwards. The handler is put back, since
  /// other libraries use libxml2 too.
  private static func withoutPrinting(_ body: () -> Int32) -> Int32 {
    // Both are variables of this thread.
    let handler = unsafe __xmlStructuredError().pointee
    let user = unsafe __xmlStructuredErrorContext().pointee
    unsafe xmlSetStructuredErrorFunc(nil) { (_, _) in }
    defer { unsafe xmlSetStructuredErrorFunc(user, handler) }
    return body()
  }
}

extension LibXML2Parser {
  /// The sink that a callback is meant for.
  private static func sink(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLSink>? {
    // The pointer is that of the parser which owns the context, and which is alive while it parses.
    unsafe user?.assumingMemoryBound(to: XMLSink.self)
  }

  /// The callbacks.
  ///
  /// What is left nil libxml2 skips, so that no tree is ever built.
  private static func makeHandler() -> xmlSAXHandler {
    // A C structure of null pointers. What libxml2 hands to the callbacks is valid while they run.
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = XML_SAX2_MAGIC
    unsafe handler.startElementNs = {
      (user, name, _, uri, _, _, count, defaulted, values) in
      guard let name = unsafe name else { return }
      unsafe LibXML2Parser.sink(user)?.pointee.start(
        name, uri: uri, attributeCount: Int(count - defaulted), values)
    }
    unsafe handler.endElementNs = { (user, name, _, uri) in
      guard let name = unsafe name else { return }
      unsafe LibXML2Parser.sink(user)?.pointee.end(name, uri: uri)
    }
    let text: charactersSAXFunc = { (user, characters, count) in
      guard let characters = unsafe characters else { return }
      unsafe LibXML2Parser.sink(user)?.pointee.text(characters, count: Int(count))
    }
    unsafe handler.characters = text
    unsafe handler.ignorableWhitespace = text
    unsafe handler.cdataBlock = text
    unsafe handler.entityDecl = { (user, _, _, _, _, _) in
      unsafe LibXML2Parser.sink(user)?.pointee.stop(
        .entityDeclaration, "the document type declares an entity, which is refused")
    }
    unsafe handler.reference = { (user, name) in
      let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
      unsafe LibXML2Parser.sink(user)?.pointee.stop(
        .notWellFormed, "the entity “\(name)” is not defined")
    }
    unsafe handler.serror = { (user, error) in
      guard let error = unsafe error else { return }
      unsafe LibXML2Parser.sink(user)?.pointee.fail(error)
    }
    return unsafe handler
  }
}
