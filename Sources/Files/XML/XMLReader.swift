import FencepostFormats

/// Reads XML from chunks with libxml2.
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
package struct XMLReader: ~Copyable {
  private let parser = LibXML2Parser()
  private var pending: [UInt8] = []
  private var consumed = 0
  private var isFinished = false
  private var isClosed = false
  private var events = XMLEvents()

  package init() {}

  /// Adds the next bytes of the document.
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
    repeat {
      if let failure = parser.failure { throw failure }
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
    isClosed = isFinished && length < wanted
    parser.parse(pending.span.extracting(consumed..<(consumed + length)), isLast: isClosed)
    consumed += length
    parser.takeEvents(into: &events)
    return true
  }

  /// The URI of a record's namespace; empty if it has none or its prefix is undeclared.
  package func namespace(of record: XMLEvents.Record) -> String {
    parser.namespace(record.namespace)
  }
}
