import FencepostCExpat
import FencepostFormats
import Glibc

/// Makes events of what Expat calls back, and keeps a document's limits.
@safe
struct XMLEventBuilder {
  // Every `unsafe` of this type passes Expat its parser, which outlives the builder, or reads
  // arguments of a callback, which are valid while it runs; names end with a zero.

  private let parser: XML_Parser?
  private(set) var events = XMLEvents()
  /// The error that ended the document, after the last event.
  private(set) var failure: XMLError?
  var declaredEncoding: String?
  /// The first byte that is neither white space nor part of a byte order mark.
  private var beginning: UInt8?

  private struct OpenElement {
    var line: Int
    /// The number of its name.
    var name: Int
    /// How many prefixes are declared around it.
    var bindingCount: Int
  }

  private var open: [OpenElement] = []
  private var hasRoot = false
  /// Where the open document type began.
  private var documentTypeStart: Int?
  private var hasDocumentType = false

  /// The namespace URIs; the first stands for no namespace.
  private(set) var namespaces = [""]
  /// The prefixes in scope, the innermost last; an empty one stands for names without prefix.
  private var bindings: [(prefix: [UInt8], namespace: Int)] = []

  private struct Name {
    var whole: Range<Int>
    var local: Range<Int>
    var namespace: Int
    var number: Int
  }

  /// Names that the slice already has in its bytes.
  private var names: [Name] = []
  /// All names of the document, each of which Expat keeps, too, with their numbers.
  private var allNames: [[UInt8]: Int] = [:]
  private var nameBytes = 0

  init(_ parser: XML_Parser?) {
    unsafe self.parser = parser
    if unsafe parser == nil {
      let sentence = "there is not enough memory to read XML"
      failure = XMLError(reason: .outOfMemory, line: 1, column: 0, sentence: sentence)
    }
  }

  /// Drops the events of the last slice, and reuses their memory.
  mutating func beginSlice() {
    events.removeAll()
    names.removeAll(keepingCapacity: true)
  }

  /// Looks for the document's first character.
  mutating func noteBeginning(_ bytes: Span<UInt8>) {
    var index = 0
    while beginning == nil, index < bytes.count {
      let isBlank = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains(bytes[index])
      if !isBlank { beginning = bytes[index] }
      index += 1
    }
  }

  // MARK: Elements

  mutating func start(
    _ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
  ) {
    guard failure == nil else { return }
    hasRoot = true
    guard open.count < XMLLimits.depth else {
      return stop(.limit, "elements are nested more than \(XMLLimits.depth) deep")
    }
    let byteCount = unsafe Int(XML_GetCurrentByteCount(parser))
    guard byteCount <= XMLLimits.tagBytes else { return stop(.limit, XMLLimits.tagIsTooLong) }
    if hasDocumentType, let entity = skippedEntity(byteCount) {
      return stop(undefinedEntity: entity)
    }
    let line = line + lineFeeds(byteCount)
    let bindingCount = bindings.count
    let firstAttribute = events.attributes.count
    unsafe recordAttributes(attributes)
    let found = unsafe self.name(name)
    open.append(.init(line: line, name: found.number, bindingCount: bindingCount))
    events.records.append(
      .init(
        kind: .start, name: found.local, namespace: found.namespace,
        attributes: firstAttribute..<events.attributes.count, line: line))
  }

  /// Records attributes, which end with a null pointer, and declares their namespaces.
  private mutating func recordAttributes(
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
  ) {
    var index = 0
    while let name = unsafe attributes[2 * index], let value = unsafe attributes[2 * index + 1] {
      if let prefix = unsafe Self.declaredPrefix(name) {
        unsafe declareNamespace(Array(prefix), String(cString: value))
      } else {
        let found = unsafe self.name(name)
        unsafe events.attributes.append(
          .init(
            name: found.local, value: events.append(Self.bytes(value)),
            hasPrefix: found.local != found.whole))
      }
      index += 1
    }
    guard index > XMLLimits.attributes else { return }
    stop(.limit, "an XML tag has more than \(XMLLimits.attributes) attributes")
  }

  mutating func end() {
    guard failure == nil, let element = open.popLast() else { return }
    events.records.append(
      .init(kind: .end, name: 0..<0, namespace: 0, attributes: 0..<0, line: line))
    if bindings.count > element.bindingCount {
      bindings.removeLast(bindings.count - element.bindingCount)
      names.removeAll(keepingCapacity: true)
    }
  }

  mutating func text(_ text: UnsafePointer<CChar>, _ count: Int) {
    guard failure == nil else { return }
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: count)
    let range = unsafe events.append(bytes.bindMemory(to: UInt8.self))
    // Expat reports the end of a line alone.
    let first = unsafe text[0]
    let isLineEnd = count == 1 && first == UInt8(ascii: "\n")
    events.appendText(range, endLine: line + (isLineEnd ? 1 : 0))
  }

  // MARK: Names

  private static func bytes(_ text: UnsafePointer<CChar>) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeRawBufferPointer(start: text, count: strlen(text)).bindMemory(to: UInt8.self)
  }

  /// The name in the bytes of the events; appends it unless the slice has it already.
  private mutating func name(_ text: UnsafePointer<CChar>) -> Name {
    let text = unsafe Self.bytes(text)
    if let index = names.firstIndex(where: { unsafe events.holds(text, at: $0.whole) }) {
      return names[index]
    }
    let whole = unsafe events.append(text)
    var (prefix, local) = (whole.lowerBound..<whole.lowerBound, whole)
    if let colon = events.bytes[whole].firstIndex(of: UInt8(ascii: ":")),
      colon + 1 < whole.upperBound
    {
      (prefix, local) = (whole.lowerBound..<colon, (colon + 1)..<whole.upperBound)
    }
    let binding = bindings.last { $0.prefix.elementsEqual(events.bytes[prefix]) }
    let name = Name(
      whole: whole, local: local, namespace: binding?.namespace ?? 0,
      number: number(of: Array(events.bytes[whole])))
    if names.count < 16 { names.append(name) }
    return name
  }

  @discardableResult
  private mutating func number(of name: [UInt8]) -> Int {
    if let number = allNames[name] { return number }
    allNames[name] = allNames.count
    nameBytes += name.count
    if nameBytes > XMLLimits.nameBytes {
      stop(.limit, "its names exceed \(XMLLimits.nameBytes >> 20) MB in total")
    }
    return allNames.count - 1
  }

  /// The prefix that an attribute declares, empty for names without prefix; nil for any other.
  private static func declaredPrefix(
    _ name: UnsafePointer<CChar>
  ) -> UnsafeBufferPointer<UInt8>? {
    guard unsafe name[0] == UInt8(ascii: "x"), unsafe strncmp(name, "xmlns", 5) == 0 else {
      return nil
    }
    if unsafe name[5] == 0 { return unsafe bytes(name + 5) }
    return unsafe name[5] == UInt8(ascii: ":") ? bytes(name + 6) : nil
  }

  private mutating func declareNamespace(_ prefix: [UInt8], _ uri: String) {
    let namespace = namespaces.firstIndex(of: uri) ?? namespaces.count
    if namespace == namespaces.count { namespaces.append(uri) }
    bindings.append((prefix, namespace))
    // The names may stand for another namespace now.
    names.removeAll(keepingCapacity: true)
    number(of: Array("xmlns:".utf8) + prefix)
    if max(namespaces.count - 1, bindings.count) > XMLLimits.namespaces {
      stop(.limit, "there are more than \(XMLLimits.namespaces) namespaces")
    }
  }

  // MARK: Document type

  mutating func startDocumentType() {
    hasDocumentType = true
    documentTypeStart = unsafe XML_GetCurrentByteIndex(parser)
  }

  mutating func endDocumentType() {
    checkDocumentType(end: unsafe XML_GetCurrentByteIndex(parser))
    documentTypeStart = nil
  }

  /// Expat keeps names of the document type, so it must not grow without end.
  mutating func checkDocumentType(end: Int) {
    guard let start = documentTypeStart, end - start > XMLLimits.documentTypeBytes else { return }
    stop(.limit, "the document type is longer than \(XMLLimits.documentTypeBytes >> 20) MB")
  }

  /// An entity in a tag's attributes that is not defined.
  ///
  /// Expat passes over it without a word where a document type elsewhere might define it.
  private func skippedEntity(_ byteCount: Int) -> String? {
    let tag = context(byteCount).after
    for part in tag.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .dropFirst()
    {
      let name = String(decoding: part.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
      let isDefined = ["amp", "lt", "gt", "quot", "apos"].contains(name) || name.hasPrefix("#")
      if !isDefined { return name }
    }
    return nil
  }

  // MARK: Faults

  /// Ends the document because of a limit or an entity.
  mutating func stop(_ reason: XMLError.Reason, _ sentence: String) {
    guard failure == nil else { return }
    fail(reason, sentence)
    unsafe XML_StopParser(parser, XML_Bool(0))
  }

  mutating func stop(undefinedEntity name: String) {
    stop(.notWellFormed, "the entity “\(name)” is not defined")
  }

  /// Notes Expat's error, which ends the document.
  mutating func fail(_ code: XML_Error) {
    let (before, after) = context(1024)
    let fault = XMLFault(
      code: code, before: before, after: after, beginning: beginning, hasRoot: hasRoot,
      openElement: open.last.map { element in
        let name = allNames.first { $0.value == element.name }?.key ?? []
        return (String(decoding: name, as: UTF8.self), element.line)
      },
      encoding: declaredEncoding)
    fail(fault.reason, fault.sentence)
  }

  mutating func failEncoding() {
    fail(.badEncoding, XMLFault.wrongEncoding(declaredEncoding))
  }

  private mutating func fail(_ reason: XMLError.Reason, _ sentence: String) {
    let column = unsafe Int(XML_GetCurrentColumnNumber(parser)) + 1
    failure = XMLError(reason: reason, line: line, column: column, sentence: sentence)
  }

  private var line: Int { unsafe Int(XML_GetCurrentLineNumber(parser)) }

  /// The bytes around the current token, or around an error.
  ///
  /// Up to 1,024 bytes before it, and at most `count` bytes after its beginning.
  func context(_ count: Int) -> (before: [UInt8], after: [UInt8]) {
    withContext { bytes, start in
      var (before, after): ([UInt8], [UInt8]) = ([], [])
      before.append(contentsOf: bytes.extracting(max(0, start - 1024)..<start))
      after.append(contentsOf: bytes.extracting(start..<min(bytes.count, start + count)))
      return (before, after)
    }
  }

  /// How many line feeds the current tag has, because Expat's line is that of its beginning.
  private func lineFeeds(_ byteCount: Int) -> Int {
    withContext { bytes, start in
      bytes.extracting(start..<min(bytes.count, start + byteCount)).lineFeedCount
    }
  }

  /// Lends the bytes that Expat has at hand, and the index of the current token in them.
  private func withContext<Result>(_ body: (Span<UInt8>, Int) -> Result) -> Result {
    var (offset, size): (Int32, Int32) = (0, 0)
    let text = unsafe XML_GetInputContext(parser, &offset, &size)
    // Expat's buffer has `size` bytes and does not change during the call.
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : Int(size))
    let span = unsafe bytes.bindMemory(to: UInt8.self).span
    return body(span, min(Int(offset), span.count))
  }
}

/// Bounds the memory and time that hostile XML can take.
enum XMLLimits {
  /// The deepest nesting of elements.
  static var depth: Int { 128 }
  /// The longest tag, in bytes.
  static var tagBytes: Int { 64 * 1024 }
  /// The most attributes per element, including namespace declarations.
  static var attributes: Int { 1000 }
  /// The most namespaces, and the most that are declared around an element.
  static var namespaces: Int { 256 }
  /// The limit for all distinct names of a document, in bytes.
  static var nameBytes: Int { 1 << 20 }
  /// The longest document type, in bytes.
  static var documentTypeBytes: Int { 1 << 20 }
  /// The longest comment, instruction or declaration, in bytes.
  static var tokenBytes: Int { 10_000_000 }

  static var tagIsTooLong: String { "an XML tag is longer than \(tagBytes / 1024) KiB" }
  static var tokenIsTooLong: String {
    "a comment, an instruction or a declaration is longer than \(tokenBytes / 1_000_000) MB"
  }
}
