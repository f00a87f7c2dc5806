import FencepostFormats

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
/// Every event before a fault is delivered before the fault is thrown. Nothing is ever fetched, from
/// disk or network: no external entity, no document type. A document type that declares entities is
/// refused. The encodings are those of libxml2: UTF-8, UTF-16, ISO 8859-1 and what iconv knows;
/// events are always UTF-8.
package struct XMLReader: ~Copyable {
  /// What happened; the reader's properties hold the rest.
  package enum Event: Equatable, Sendable {
    /// An element begins; see ``XMLReader/localName``, ``XMLReader/namespace`` and
    /// ``XMLReader/attribute(_:)``.
    case start
    /// An element ends; see ``XMLReader/localName`` and ``XMLReader/namespace``.
    case end
    /// Character data in ``XMLReader/text``; the text of one element may come in several pieces.
    case text
  }

  /// Bounds on the memory and time that hostile text can take.
  package struct Limits: Equatable, Sendable {
    /// The deepest nesting of elements, 128 by default.
    package var maximumDepth: Int
    /// The most bytes of a tag, 64 KiB by default.
    package var maximumTagBytes: Int
    /// The most attributes of an element with its declarations of namespaces, 1,000 by default.
    package var maximumAttributes: Int

    /// Makes limits.
    package init(
      maximumDepth: Int = 128, maximumTagBytes: Int = 64 * 1024, maximumAttributes: Int = 1000
    ) {
      self.maximumDepth = maximumDepth
      self.maximumTagBytes = maximumTagBytes
      self.maximumAttributes = maximumAttributes
    }
  }

  private let parser: LibXML2Parser
  private var pending: [UInt8] = []
  private var consumed = 0
  private var isFinished = false
  private var isClosed = false
  private var events = XMLEvents()
  private var nextEvent = 0
  private var current = XMLEvents.Record()

  /// Makes a reader at the beginning of a document.
  package init(limits: Limits = Limits()) {
    parser = LibXML2Parser(limits: limits)
  }

  /// Adds bytes that follow those pushed before.
  package mutating func push(_ chunk: Span<UInt8>) {
    if consumed > 0 {
      pending.removeFirst(consumed)
      consumed = 0
    }
    pending.append(contentsOf: chunk)
  }

  /// Ends the document.
  package mutating func finish() {
    isFinished = true
  }

  /// Goes to the next event.
  ///
  /// - Returns: Nil if more bytes are needed or, after ``finish()``, at the document's end.
  /// - Throws: ``XMLError`` after the last event before the fault, and again from then on.
  package mutating func next() throws(XMLError) -> Event? {
    guard try hasEvent() else { return nil }
    current = events.records[nextEvent]
    nextEvent += 1
    return current.event
  }

  /// Goes over all events of a slice at once, for readers of very many small elements.
  ///
  /// - Returns: The next events, at least one; nil where ``next()`` returns nil.
  /// - Throws: As ``next()``.
  package mutating func nextEvents() throws(XMLError) -> XMLEvents? {
    guard try hasEvent() else { return nil }
    nextEvent = events.records.count
    return events
  }

  /// Gives libxml2 slices until there is another event; false if more bytes are needed first.
  private mutating func hasEvent() throws(XMLError) -> Bool {
    while nextEvent == events.records.count {
      if let failure = parser.failure { throw failure }
      guard feed() else { return false }
    }
    return true
  }

  /// Whether what is there ends as markup does, so that a stream's last element need not wait for a
  /// whole slice.
  ///
  /// Not where libxml2 holds back much, which it would look at again with each piece; and not in a document type
  /// or behind bytes that are not UTF-8, whose faults it reports differently where a slice ends.
  private var endsMarkup: Bool {
    guard let last = pending.last, pending.count >= consumed + 4, parser.mayTakeShortSlice,
      last == UInt8(ascii: ">") || last == UInt8(ascii: "\n")
    else { return false }
    let text = pending.span.extracting(consumed..<pending.count)
    let startsDocumentType = (2..<text.count).contains {
      text[$0 - 2] == UInt8(ascii: "<") && text[$0 - 1] == UInt8(ascii: "!")
        && text[$0] == UInt8(ascii: "D")
    }
    guard parser.hasRoot || !startsDocumentType else { return false }
    return (try? UTF8Span(validating: text)) != nil
  }

  /// Gives libxml2 the next slice; false if there is none yet.
  private mutating func feed() -> Bool {
    let wanted = parser.sliceBytes
    let length = min(wanted, pending.count - consumed)
    guard length == wanted || (isFinished && !isClosed) || endsMarkup else { return false }
    nextEvent = 0
    isClosed = isFinished && length < wanted
    parser.parse(pending.span.extracting(consumed..<(consumed + length)), isLast: isClosed)
    consumed += length
    parser.takeEvents(into: &events)
    return true
  }

  // MARK: The current event

  /// The bytes that the ranges of the current event point into; valid until the next call of
  /// ``next()``.
  package var bytes: [UInt8] { events.bytes }

  /// The range in ``bytes`` of the character data.
  package var textRange: Range<Int> { current.event == .text ? current.name : 0..<0 }

  /// The element's name without its prefix.
  package var localName: String { string(current.name) }

  /// The character data.
  package var text: String { string(textRange) }

  /// The URI of the element's namespace, empty if it has none or its prefix is undeclared.
  package var namespace: String { parser.namespace(current.namespace) }

  /// The line, from 1, where the event ended: a start tag's end, a text's end.
  package var line: Int { current.line }

  /// How many attributes the element has, without namespace declarations and defaults of the document
  /// type.
  package var attributeCount: Int { current.attributes.count }

  /// An attribute's name without its prefix.
  package func attributeName(_ index: Int) -> String {
    string(events.attributes[current.attributes.lowerBound + index].name)
  }

  /// An attribute's value.
  package func attributeValue(_ index: Int) -> String {
    string(events.attributes[current.attributes.lowerBound + index].value)
  }

  /// Finds an attribute of the element; one in no namespace comes before those in a namespace.
  ///
  /// - Parameter name: The attribute's name without prefix, ASCII.
  /// - Returns: The range in ``bytes`` of its value, or nil if the element lacks the attribute.
  package func attribute(_ name: StaticString) -> Range<Int>? {
    events.attribute(name, of: current)
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: events.bytes[range], as: UTF8.self)
  }
}
