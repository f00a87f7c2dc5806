import FencepostFormats

/// Reads XML from chunks with libxml2, event by event.
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
/// The reader delivers every event before an error, then throws the error. It never loads external
/// entities or document types, and refuses a document type that declares entities. It reads UTF-8,
/// UTF-16, ISO 8859-1 and what iconv supports; events are always UTF-8.
package struct XMLReader: ~Copyable {
  /// The kind of event; the reader's properties hold the details.
  package enum Event: Equatable, Sendable {
    /// A start tag; see ``XMLReader/localName``, ``XMLReader/namespace`` and
    /// ``XMLReader/attribute(_:)``.
    case start
    /// An end tag; see ``XMLReader/localName`` and ``XMLReader/namespace``.
    case end
    /// Character data in ``XMLReader/text``; an element's text may come in several pieces.
    case text
  }

  private let parser = LibXML2Parser()
  private var pending: [UInt8] = []
  private var consumed = 0
  private var isFinished = false
  private var isClosed = false
  private var events = XMLEvents()
  private var nextEvent = 0
  private var current = XMLEvents.Record()

  package init() {}

  /// Adds the next bytes of the document.
  package mutating func push(_ chunk: Span<UInt8>) {
    if consumed > 0 {
      pending.removeFirst(consumed)
      consumed = 0
    }
    pending.append(contentsOf: chunk)
  }

  package mutating func finish() {
    isFinished = true
  }

  /// Advances to the next event.
  ///
  /// - Returns: Nil if more bytes are needed or, after ``finish()``, at the end.
  /// - Throws: ``XMLError`` once all events before the error are delivered; later calls throw it
  ///   again.
  package mutating func next() throws(XMLError) -> Event? {
    guard try hasEvent() else { return nil }
    current = events.records[nextEvent]
    nextEvent += 1
    return current.event
  }

  /// Returns all events of a slice at once, which is faster for many small elements.
  ///
  /// - Returns: At least one event; nil where ``next()`` returns nil.
  /// - Throws: ``XMLError``, as ``next()`` does.
  package mutating func nextEvents() throws(XMLError) -> XMLEvents? {
    guard try hasEvent() else { return nil }
    nextEvent = events.records.count
    return events
  }

  /// Feeds libxml2 until there is another event; false if more bytes are needed.
  private mutating func hasEvent() throws(XMLError) -> Bool {
    while nextEvent == events.records.count {
      if let failure = parser.failure { throw failure }
      guard feed() else { return false }
    }
    return true
  }

  /// Whether the buffer ends like markup, so that a live stream's last element need not wait for a
  /// full slice.
  ///
  /// False if libxml2 holds back much text, since it would rescan it for each piece. Also false
  /// within a document type and after invalid UTF-8: there, libxml2's errors depend on where a
  /// slice ends.
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

  /// Feeds libxml2 the next slice; false if more bytes must come first.
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

  /// The bytes that the current event's ranges refer to; valid until the next ``next()``.
  package var bytes: [UInt8] { events.bytes }

  /// The range of the character data in ``bytes``.
  package var textRange: Range<Int> { current.event == .text ? current.name : 0..<0 }

  package var localName: String { string(current.name) }

  package var text: String { string(textRange) }

  /// The element's namespace URI; empty if it has none or its prefix is undeclared.
  package var namespace: String { parser.namespace(current.namespace) }

  /// The line, from 1, where the event ended.
  package var line: Int { current.line }

  /// The number of attributes, without namespace declarations and document type defaults.
  package var attributeCount: Int { current.attributes.count }

  package func attributeName(_ index: Int) -> String {
    string(events.attributes[current.attributes.lowerBound + index].name)
  }

  package func attributeValue(_ index: Int) -> String {
    string(events.attributes[current.attributes.lowerBound + index].value)
  }

  /// Returns the range in ``bytes`` of an attribute's value, or nil.
  ///
  /// An attribute without a namespace takes precedence. `name` is the local name, in ASCII.
  package func attribute(_ name: StaticString) -> Range<Int>? {
    events.attribute(name, of: current)
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: events.bytes[range], as: UTF8.self)
  }
}
