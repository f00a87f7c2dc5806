/// XML read from chunks by libxml2, event by event.
///
/// ```swift
/// var reader = XMLReader()
/// while try source.read(into: &chunk) {
///   reader.push(chunk.span)
///   while let event = try reader.next() { use(event) }
/// }
/// reader.finish()
/// while let event = try reader.next() { use(event) }
/// ```
///
/// Every event before a fault is delivered before the fault is thrown. Nothing is ever fetched: no
/// external entity, no document type, from disk or network. A document type that declares
/// entities is refused. Encodings are those of libxml2: UTF-8, UTF-16, ISO 8859-1 and what
/// iconv knows; events are always UTF-8.
public struct XMLReader: ~Copyable {
  /// What happened; the reader's properties tell the rest of it.
  public enum Event: Equatable, Sendable {
    /// An element begins; see ``XMLReader/localName``, ``XMLReader/namespace`` and
    /// ``XMLReader/attribute(_:)``.
    case start
    /// An element ends; see ``XMLReader/localName`` and ``XMLReader/namespace``.
    case end
    /// Character data in ``XMLReader/text``; the text of one element may come in several pieces.
    case text
  }

  /// What bounds the memory and the patience that hostile text can take.
  public struct Limits: Equatable, Sendable {
    /// How many elements may contain each other, 128 unless told otherwise.
    public var maximumDepth: Int
    /// The most bytes of all attribute values of one element, 64 KiB unless told otherwise.
    public var maximumAttributeBytes: Int

    /// Makes limits; what is left out has its default.
    public init(maximumDepth: Int = 128, maximumAttributeBytes: Int = 64 * 1024) {
      self.maximumDepth = maximumDepth
      self.maximumAttributeBytes = maximumAttributeBytes
    }
  }

  private let parser: LibXML2Parser
  private var pending: [UInt8] = []
  private var consumed = 0
  private var isFinished = false
  private var isFlushing = false
  private var isClosed = false
  private var nextEvent = 0
  private var current = XMLRecord()
  private var records: [XMLRecord] = []
  private var attributes: [XMLAttributeRecord] = []
  /// The bytes that the ranges of the current event point into; valid until the next call of ``next()``.
  public private(set) var bytes: [UInt8] = []

  /// How many bytes libxml2 is given at a time.
  ///
  /// Slices of fixed size make its behaviour the same
  /// however the input was cut.
  private static var sliceBytes: Int { 16 * 1024 }

  /// Makes a reader at the beginning of a document.
  public init(limits: Limits = Limits()) {
    parser = LibXML2Parser(limits: limits)
  }

  /// Adds bytes that follow those pushed before.
  public mutating func push(_ chunk: Span<UInt8>) {
    if consumed > 0 {
      pending.removeFirst(consumed)
      consumed = 0
    }
    pending.append(contentsOf: chunk)
  }

  /// Has the calls of ``next()`` that follow read all bytes pushed so far, without waiting for a whole
  /// slice.
  public mutating func flush() {
    isFlushing = true
  }

  /// Whether libxml2 has read everything pushed except white space at the end, so that what it has begun
  /// are elements or a CDATA section; known once ``next()`` has returned nil after ``flush()``.
  public var isBetweenMarkup: Bool { consumed == pending.count && parser.hasReadAllButWhiteSpace }

  /// Says that no more bytes come.
  public mutating func finish() {
    isFinished = true
  }

  /// Goes to the next event.
  ///
  /// - Returns: Nil when more bytes are needed or, after ``finish()``, when the document is
  ///   complete.
  /// - Throws: ``XMLError`` after the last event before the fault, and again from then on.
  public mutating func next() throws(XMLError) -> Event? {
    while nextEvent == records.count {
      if let failure = parser.failure { throw failure }
      guard feed() else { return nil }
    }
    current = records[nextEvent]
    nextEvent += 1
    return current.event
  }

  /// Gives libxml2 the next slice; false where there is none yet.
  private mutating func feed() -> Bool {
    let length = min(XMLReader.sliceBytes, pending.count - consumed)
    guard length == XMLReader.sliceBytes || (isFlushing && length > 0) || (isFinished && !isClosed)
    else {
      isFlushing = false
      return false
    }
    nextEvent = 0
    isClosed = isFinished && length < XMLReader.sliceBytes
    parser.parse(pending.span.extracting(consumed..<(consumed + length)), isLast: isClosed)
    consumed += length
    parser.exchange(&records, &attributes, &bytes)
    return true
  }

  // MARK: The current event

  /// Where in ``bytes`` the element's name without its prefix stands.
  public var localNameRange: Range<Int> { current.name }

  /// Where in ``bytes`` the character data stands.
  public var textRange: Range<Int> { current.event == .text ? current.name : 0..<0 }

  /// The element's name without its prefix.
  public var localName: String { String(decoding: bytes[current.name], as: UTF8.self) }

  /// The character data.
  public var text: String { String(decoding: bytes[textRange], as: UTF8.self) }

  /// The URI of the element's namespace, empty where it has none or its prefix is undeclared.
  public var namespace: String { parser.namespace(current.namespace) }

  /// A number for the element's namespace, equal for equal namespaces of this document; 0 is none.
  public var namespaceIndex: Int { current.namespace }

  /// The line, from 1, where the event was noticed: a start tag's end, a text's end.
  public var line: Int { current.line }

  /// Whether the element's name without its prefix is an ASCII literal.
  public func localNameEquals(_ literal: StaticString) -> Bool {
    bytes.span.extracting(current.name).equals(literal)
  }

  /// How many attributes the element has; namespace declarations are none, and neither are
  /// attributes that only a document type gives.
  public var attributeCount: Int { current.attributes.count }

  /// An attribute's name without its prefix.
  public func attributeName(_ index: Int) -> String {
    String(decoding: bytes[attribute(at: index).name], as: UTF8.self)
  }

  /// An attribute's value.
  public func attributeValue(_ index: Int) -> String {
    String(decoding: bytes[attribute(at: index).value], as: UTF8.self)
  }

  /// Where in ``bytes`` the value of the attribute of a name stands, or nil where there is none.
  ///
  /// - Parameter name: The attribute's name without prefix, ASCII. An attribute in no namespace
  ///   goes before those in one.
  /// - Returns: A range of ``bytes``.
  public func attribute(_ name: StaticString) -> Range<Int>? {
    var inNamespace: Range<Int>?
    for index in current.attributes {
      let attribute = attributes[index]
      guard bytes.span.extracting(attribute.name).equals(name) else { continue }
      if attribute.namespace == 0 { return attribute.value }
      if inNamespace == nil { inNamespace = attribute.value }
    }
    return inNamespace
  }

  private func attribute(at index: Int) -> XMLAttributeRecord {
    attributes[current.attributes.lowerBound + index]
  }
}
