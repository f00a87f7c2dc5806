import FencepostCExpat
import FencepostFormats

/// Reads XML from chunks with Expat.
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
/// The reader delivers every event before an error, then throws the error. However the bytes are
/// cut into chunks, events and errors are the same; only a text may come in other pieces. The
/// reader loads nothing, and refuses a document type that declares entities. It reads UTF-8,
/// UTF-16, ISO 8859-1 and what iconv supports; events are always UTF-8.
@safe
package struct XMLReader: ~Copyable {
  // Every `unsafe` of this type passes Expat its parser, which lives until `deinit` or until another
  // replaces it, and bytes or the builder, whose addresses Expat uses only during the call.

  private var parser: XML_Parser?
  private var builder: XMLEventBuilder
  /// Converts the bytes to UTF-8 if Expat does not know the declared encoding.
  private var transcoder: XMLTranscoder?
  private var pending: [UInt8] = []
  private var consumed = 0
  private var hasBegun = false
  private var isFinished = false
  private var isClosed = false
  /// How many bytes Expat has been given.
  private var parsedCount = 0
  /// How many of these are the beginning of a token that is not complete.
  private var heldCount = 0
  private var holdsTag = false

  private static var leastSliceBytes: Int { 16 * 1024 }
  private static var mostSliceBytes: Int { 256 * 1024 }

  package init() {
    unsafe parser = Self.makeParser(encoding: nil)
    unsafe builder = XMLEventBuilder(parser)
  }

  deinit { unsafe XML_ParserFree(parser) }

  package mutating func push(_ chunk: Span<UInt8>) {
    if consumed > 0 {
      pending.removeFirst(consumed)
      consumed = 0
    }
    pending.append(contentsOf: chunk)
  }

  package mutating func finish() { isFinished = true }

  /// Returns the events of the next slice of the document.
  ///
  /// - Returns: At least one event; nil if more bytes are needed or, after ``finish()``, at the end.
  /// - Throws: ``XMLError`` once all events before the error are delivered; later calls throw it
  ///   again.
  package mutating func next() throws(XMLError) -> XMLEvents? {
    builder.beginSlice()
    repeat {
      if let failure = builder.failure { throw failure }
      guard parseSlice() else { return nil }
    } while builder.events.records.isEmpty
    return builder.events
  }

  /// The URI of the namespace of an element; empty if it has none or its prefix is undeclared.
  package func namespace(of record: XMLEvents.Record) -> String {
    builder.namespaces[record.namespace]
  }

  // MARK: Slices

  /// Parses the next slice; false if more bytes must come first.
  private mutating func parseSlice() -> Bool {
    guard !isClosed, let length = sliceLength() else { return false }
    // Shares the memory, so that the slice does not borrow the reader.
    let bytes = pending
    let slice = bytes.span.extracting(consumed..<(consumed + length))
    consumed += length
    isClosed = isFinished && consumed == bytes.count
    parse(slice)
    return true
  }

  /// How many bytes Expat should get now; nil if more must come first.
  ///
  /// Expat scans an unfinished token again with each slice. A slice therefore ends behind markup or a
  /// line where it can, and a long token gets long slices.
  private func sliceLength() -> Int? {
    let unread = pending.count - consumed
    let most =
      holdsTag
      // A tag gets only enough bytes to show that it is too long.
      ? min(Self.leastSliceBytes, XMLLimits.tagBytes + 1 - heldCount)
      : max(Self.leastSliceBytes, min(heldCount / 4, Self.mostSliceBytes))
    let length = min(unread, most)
    if isFinished, length == unread { return length }
    if heldCount < Self.leastSliceBytes {
      // The first slice holds the whole XML declaration, because it may be parsed twice.
      let end = pending[consumed..<(consumed + length)].lastIndex {
        $0 == UInt8(ascii: ">") || hasBegun && $0 == UInt8(ascii: "\n")
      }
      if let end { return end + 1 - consumed }
    }
    return length == most ? length : nil
  }

  private mutating func parse(_ slice: Span<UInt8>) {
    if !hasBegun, let encoding = Self.wideEncoding(slice) { transcode(from: encoding) }
    var isSound = convert(slice)
    if !isSound, !hasBegun, unsafe XML_GetErrorCode(parser) == XML_ERROR_UNKNOWN_ENCODING,
      transcode(from: builder.declaredEncoding ?? "")
    {
      isSound = convert(slice)
    }
    hasBegun = true
    guard builder.failure == nil else { return }
    if isSound { checkHeld() } else { builder.fail(unsafe XML_GetErrorCode(parser)) }
  }

  /// The encoding of a text in units of 16 bits, whatever it declares; nil for any other.
  private static func wideEncoding(_ beginning: Span<UInt8>) -> String? {
    guard beginning.count > 1 else { return nil }
    switch (beginning[0], beginning[1]) {
    case (0xFE, 0xFF), (0, _): return "UTF-16BE"
    case (0xFF, 0xFE), (_, 0): return "UTF-16LE"
    default: return nil
    }
  }

  /// Starts over with text in an encoding that Expat does not know; false if iconv does not, either.
  @discardableResult
  private mutating func transcode(from encoding: String) -> Bool {
    transcoder = XMLTranscoder(from: encoding)
    guard transcoder != nil else { return false }
    unsafe XML_ParserFree(parser)
    unsafe parser = Self.makeParser(encoding: "UTF-8")
    unsafe builder = XMLEventBuilder(parser)
    parsedCount = 0
    return true
  }

  /// Gives Expat a slice in an encoding that it knows; false if that finds a fault.
  private mutating func convert(_ slice: Span<UInt8>) -> Bool {
    guard transcoder != nil else { return give(slice) }
    var text: [UInt8] = []
    let isSound = transcoder?.convert(slice, into: &text) ?? false
    guard give(text.span) else { return false }
    if !isSound || isClosed && transcoder?.isWhole == false { builder.failEncoding() }
    return builder.failure == nil
  }

  /// Gives Expat bytes; false if it finds a fault.
  private mutating func give(_ bytes: Span<UInt8>) -> Bool {
    parsedCount += bytes.count
    builder.noteBeginning(bytes)
    let status = unsafe withUnsafeMutablePointer(to: &builder) { builder in
      unsafe XML_SetUserData(parser, builder)
      return unsafe bytes.withUnsafeBytes { storage in
        // An empty slice has no address.
        unsafe XML_Parse(
          parser, storage.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(storage.count), isClosed ? 1 : 0)
      }
    }
    return status == XML_STATUS_OK
  }

  /// Checks the length of an unfinished token or document type.
  private mutating func checkHeld() {
    let index = unsafe XML_GetCurrentByteIndex(parser)
    heldCount = index < 0 ? parsedCount : parsedCount - Int(index)
    builder.checkDocumentType(end: parsedCount)
    let token = heldCount > 0 ? builder.context(8).after : []
    holdsTag =
      token.count > 1 && token[0] == UInt8(ascii: "<") && token[1] != UInt8(ascii: "!")
      && token[1] != UInt8(ascii: "?")
    if holdsTag, heldCount > XMLLimits.tagBytes {
      builder.stop(.limit, XMLLimits.tagIsTooLong)
    } else if heldCount > XMLLimits.tokenBytes {
      builder.stop(.limit, XMLLimits.tokenIsTooLong)
    }
  }

  // MARK: Callbacks

  private static func builder(
    _ user: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<XMLEventBuilder>? {
    // This is the address that `give` passed; its call of Expat is running.
    unsafe user?.assumingMemoryBound(to: XMLEventBuilder.self)
  }

  /// Creates a parser; nil if there is not enough memory.
  private static func makeParser(encoding: String?) -> XML_Parser? {
    let parser = unsafe XML_ParserCreate(encoding)
    // Arguments of the callbacks are valid while they run.
    unsafe XML_SetElementHandler(
      parser,
      { (user, name, attributes) in
        guard let name = unsafe name, let attributes = unsafe attributes else { return }
        unsafe XMLReader.builder(user)?.pointee.start(name, attributes)
      },
      { (user, _) in unsafe XMLReader.builder(user)?.pointee.end() })
    unsafe XML_SetCharacterDataHandler(parser) { (user, text, count) in
      guard let text = unsafe text else { return }
      unsafe XMLReader.builder(user)?.pointee.text(text, Int(count))
    }
    unsafe XML_SetXmlDeclHandler(parser) { (user, _, encoding, _) in
      guard let encoding = unsafe encoding else { return }
      unsafe XMLReader.builder(user)?.pointee.declaredEncoding = String(cString: encoding)
    }
    unsafe XML_SetDoctypeDeclHandler(
      parser, { (user, _, _, _, _) in unsafe XMLReader.builder(user)?.pointee.startDocumentType() },
      { (user) in unsafe XMLReader.builder(user)?.pointee.endDocumentType() })
    unsafe XML_SetEntityDeclHandler(parser) { (user, _, _, _, _, _, _, _, _) in
      unsafe XMLReader.builder(user)?.pointee.stop(
        .entityDeclaration, "the document type declares an entity, which is not allowed")
    }
    unsafe XML_SetAttlistDeclHandler(parser) { (user, _, _, _, value, _) in
      guard unsafe value != nil else { return }
      unsafe XMLReader.builder(user)?.pointee.stop(
        .limit, "the document type declares default attributes, which is not allowed")
    }
    unsafe XML_SetSkippedEntityHandler(parser) { (user, name, _) in
      guard let name = unsafe name else { return }
      unsafe XMLReader.builder(user)?.pointee.stop(undefinedEntity: String(cString: name))
    }
    return unsafe parser
  }
}
