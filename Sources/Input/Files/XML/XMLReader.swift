import FencepostCLibXML2
import FencepostFormats

/// Reads XML from chunks with libxml2's push parser.
///
/// ```swift
/// var reader = XMLReader()
/// while try source.read(into: &chunk) {
///   reader.push(chunk.span)
///   while let events = try reader.next() { use(events) }
/// }
/// reader.finish()
/// while let events = try reader.next() { use(events) }
/// ```
///
/// The reader delivers every event before an error, then throws the error. It never loads external
/// entities or document types, and refuses a document type that declares entities. It reads UTF-8,
/// UTF-16, ISO 8859-1 and what iconv supports; events are always UTF-8.
@safe
package struct XMLReader: ~Copyable {
  // Every `unsafe` of this type uses the recording, the context or its input, which live from
  // `init` to `deinit`, or callback arguments, which are valid during the callback.

  /// The events and the error that the callbacks record.
  ///
  /// They change it only while `parse` runs, which does not access it meanwhile. As properties of a
  /// class, each access would cost an exclusivity check and a retain, which doubles the parse time.
  private let recording: UnsafeMutablePointer<XMLRecording>
  private var pending: [UInt8] = []
  private var consumed = 0
  private var isFinished = false
  private var isClosed = false
  private var events = XMLEvents()
  /// How many bytes libxml2 should get next.
  ///
  /// Depends only on the input read so far, so that results do not depend on how it was chunked.
  private var sliceBytes = XMLReader.leastSliceBytes

  private static var leastSliceBytes: Int { 16 * 1024 }
  private static var mostSliceBytes: Int { 256 * 1024 }
  /// The limit for all distinct names of a document, in bytes.
  ///
  /// libxml2 keeps every name, and its table gets slow: at 10 MB, its own limit, reading takes
  /// minutes and 170 MB.
  private static var greatestNameBytes: Int { 1 << 20 }

  private static let libraryIsReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// Creates a reader for one document.
  package init() {
    _ = Self.libraryIsReady
    unsafe recording = .allocate(capacity: 1)
    unsafe recording.initialize(to: XMLRecording())
    var handler = unsafe Self.makeHandler()
    // libxml2 copies the handler. It passes the recording's address to the callbacks, which run
    // only during `parse`. Without a file name, relative addresses cannot be resolved.
    guard let context = unsafe xmlCreatePushParserCtxt(&handler, recording, nil, 0, nil) else {
      return
    }
    unsafe recording.pointee.context = context
    // With no other option set, libxml2 replaces no entities, loads no DTD and uses no network.
    unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
    unsafe xmlDictSetLimit(context.pointee.dict, Self.greatestNameBytes)
  }

  deinit {
    if let context = unsafe recording.pointee.context {
      // libxml2 creates a document for a document type's declarations and does not free it.
      unsafe xmlFreeDoc(context.pointee.myDoc)
      unsafe xmlFreeParserCtxt(context)
    }
    unsafe recording.deinitialize(count: 1)
    unsafe recording.deallocate()
  }

  /// How many lines of the source precede the document; lines are counted from its first.
  package var skippedLines: Int {
    get { unsafe recording.pointee.skippedLines }
    set { unsafe recording.pointee.skippedLines = newValue }
  }

  /// Adds the next bytes of the document, which ``next()`` parses.
  package mutating func push(_ chunk: Span<UInt8>) {
    if consumed > 0 {
      pending.removeFirst(consumed)
      consumed = 0
    }
    pending.append(contentsOf: chunk)
  }

  /// Ends the document; ``next()`` returns what is left.
  package mutating func finish() { isFinished = true }

  /// Returns the events of the next slice of the document.
  ///
  /// - Returns: At least one event; nil if more bytes are needed or, after ``finish()``, at the end.
  /// - Throws: ``XMLError`` once all events before the error are delivered; later calls throw it
  ///   again.
  package mutating func next() throws(XMLError) -> XMLEvents? {
    repeat {
      if let failure = unsafe recording.pointee.failure { throw failure }
      guard feed() else { return nil }
    } while events.records.isEmpty
    return events
  }

  /// Whether the buffer ends like markup, so that a live stream's last element need not wait for a
  /// full slice.
  ///
  /// False if libxml2 holds back much text, since it would rescan it for each piece. Also false
  /// within a document type and after invalid UTF-8: there, libxml2's errors depend on where a
  /// slice ends.
  private var endsMarkup: Bool {
    guard let last = pending.last, pending.count >= consumed + 4,
      unreadCount < Self.leastSliceBytes,
      last == UInt8(ascii: ">") || last == UInt8(ascii: "\n")
    else { return false }
    let text = pending.span.extracting(consumed..<pending.count)
    let startsDocumentType = (2..<text.count).contains {
      text[$0 - 2] == UInt8(ascii: "<") && text[$0 - 1] == UInt8(ascii: "!")
        && text[$0] == UInt8(ascii: "D")
    }
    guard unsafe recording.pointee.hasRoot || !startsDocumentType else { return false }
    return (try? UTF8Span(validating: text)) != nil
  }

  /// Feeds libxml2 the next slice; false if more bytes must come first.
  private mutating func feed() -> Bool {
    let wanted = sliceBytes
    let length = min(wanted, pending.count - consumed)
    guard length == wanted || (isFinished && !isClosed) || endsMarkup else { return false }
    isClosed = isFinished && length < wanted
    parse(pending.span.extracting(consumed..<(consumed + length)))
    lookAhead()
    consumed += length
    unsafe recording.pointee.takeEvents(into: &events)
    return true
  }

  /// The URI of a record's namespace; empty if it has none or its prefix is undeclared.
  package func namespace(of record: XMLEvents.Record) -> String {
    unsafe recording.pointee.namespaces[record.namespace]
  }

  private func parse(_ slice: Span<UInt8>) {
    guard let context = unsafe recording.pointee.context else {
      return unsafe recording.pointee.fail(.outOfMemory, "there is not enough memory to read XML")
    }
    if !slice.isEmpty { unsafe recording.pointee.isEmpty = false }
    unsafe recording.pointee.isEnding = isClosed
    let status = Self.withoutPrinting {
      unsafe slice.withUnsafeBytes { storage in
        // libxml2 copies what it needs before it returns. An empty slice has no address.
        unsafe xmlParseChunk(
          context, storage.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(storage.count), isClosed ? 1 : 0)
      }
    }
    let isSound = unsafe status == 0 || context.pointee.wellFormed != 0
    if !isSound, unsafe recording.pointee.failure == nil {
      unsafe recording.pointee.fail(.notWellFormed, "the XML is not well-formed")
    }
  }

  /// Rejects a tag that is already too long, and sets the size of the next slice.
  ///
  /// libxml2 rescans unfinished comments and text with each slice, so long ones get long slices. An
  /// unfinished tag gets only enough bytes to show that it is too long.
  private mutating func lookAhead() {
    sliceBytes = max(Self.leastSliceBytes, min(unreadCount / 4, Self.mostSliceBytes))
    let context = unsafe recording.pointee.context
    guard unsafe recording.pointee.failure == nil, let input = unsafe context?.pointee.input,
      unreadCount > 1, unsafe context?.pointee.instate != XML_PARSER_CDATA_SECTION
    else { return }
    // libxml2 has already transcoded this text. It compares all attributes pairwise once the tag is
    // complete, so the tag must be checked before.
    let text = unsafe UnsafeBufferPointer(start: input.pointee.cur, count: unreadCount)
    guard unsafe text[0] == 0x3C, unsafe text[1] != 0x21, unsafe text[1] != 0x3F else { return }
    if let fault = unsafe XMLLimits.fault(ofTag: text.span) {
      return unsafe recording.pointee.stop(.limit, fault)
    }
    sliceBytes = min(Self.leastSliceBytes, XMLLimits.tagBytes + 1 - unreadCount)
  }

  /// The bytes that libxml2 holds but has not parsed.
  private var unreadCount: Int { unsafe recording.pointee.unreadCount }

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

  private static func recording(
    _ user: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<XMLRecording>? {
    // This is the address that `init` passed; the parser's `parse` is running.
    unsafe user?.assumingMemoryBound(to: XMLRecording.self)
  }

  /// Creates the callbacks; libxml2 skips those that are nil, so it never builds a tree.
  private static func makeHandler() -> xmlSAXHandler {
    // A C structure of null pointers. Arguments of the callbacks are valid while they run.
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = XML_SAX2_MAGIC
    unsafe handler.startElementNs = { (user, name, _, uri, namespaceCount, _, count, _, values) in
      guard let name = unsafe name else { return }
      unsafe XMLReader.recording(user)?.pointee.start(
        name, uri: uri, namespaceCount: Int(namespaceCount), attributeCount: Int(count), values)
    }
    unsafe handler.endElementNs = { (user, name, _, uri) in
      guard let name = unsafe name else { return }
      unsafe XMLReader.recording(user)?.pointee.end(name, uri: uri)
    }
    let text: charactersSAXFunc = { (user, characters, count) in
      unsafe XMLReader.recording(user)?.pointee.text(
        UnsafeBufferPointer(start: characters, count: Int(count)))
    }
    unsafe handler.characters = text
    unsafe handler.ignorableWhitespace = text
    unsafe handler.cdataBlock = text
    unsafe handler.entityDecl = { (user, _, _, _, _, _) in
      unsafe XMLReader.recording(user)?.pointee.stop(
        .entityDeclaration, "the document type declares an entity, which is not allowed")
    }
    unsafe handler.attributeDecl = { (user, _, _, _, _, value, _) in
      guard unsafe value != nil else { return }
      unsafe XMLReader.recording(user)?.pointee.stop(
        .limit, "the document type declares default attributes, which is not allowed")
    }
    unsafe handler.reference = { (user, name) in
      let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
      unsafe XMLReader.recording(user)?.pointee.stop(
        .notWellFormed, "the entity “\(name)” is not defined")
    }
    unsafe handler.serror = { (user, error) in
      guard let error = unsafe error else { return }
      unsafe XMLReader.recording(user)?.pointee.fail(error)
    }
    return unsafe handler
  }
}
