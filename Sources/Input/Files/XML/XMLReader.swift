import FencepostFormats

/// Reads XML from chunks with libxml2's push parser.
///
/// ```swift
/// var reader = XMLReader()
/// while try source.read(into: &chunk) {
///   reader.push(chunk.span)
///   if let error = try reader.read(&handler) { throw error }
/// }
/// reader.finish()
/// if let error = try reader.read(&handler) { throw error }
/// ```
///
/// It never loads external entities or document types, and refuses a document type that declares
/// entities. It reads UTF-8, UTF-16, ISO 8859-1 and what iconv supports; handlers always receive
/// UTF-8.
package struct XMLReader: ~Copyable {
  private var parser = XMLPushParser()
  private var pending: [UInt8] = []
  private var consumed = 0
  private var isFinished = false
  private var isClosed = false
  /// How many bytes libxml2 should get next.
  ///
  /// Depends only on the input read so far, so that results do not depend on how it was chunked.
  private var sliceBytes = XMLReader.leastSliceBytes

  private static var leastSliceBytes: Int { 16 * 1024 }
  private static var mostSliceBytes: Int { 256 * 1024 }

  /// Creates a reader for one document.
  ///
  /// This costs little: libxml2's parser is created when the first bytes are read.
  package init() {}

  /// How many lines of the source precede the document; lines are counted from its first.
  package var skippedLines: Int {
    get { parser.skippedLines }
    set { parser.skippedLines = newValue }
  }

  /// Adds the next bytes of the document, which ``read(_:)`` parses.
  package mutating func push(_ chunk: Span<UInt8>) {
    if consumed > 0 {
      pending.removeFirst(consumed)
      consumed = 0
    }
    pending.append(contentsOf: chunk)
  }

  /// Ends the document; ``read(_:)`` parses what is left.
  package mutating func finish() { isFinished = true }

  /// Parses what was pushed, as far as that does not depend on what follows.
  ///
  /// A reader that a handler owns must be moved out of it first.
  ///
  /// - Returns: The error of the document, after the handler has received everything before it, and
  ///   again at each later call; nil without one.
  /// - Throws: What the handler threw. Do not use the reader after that.
  package mutating func read<Handler: XMLHandler & ~Copyable>(
    _ handler: inout Handler
  ) throws(Handler.Failure) -> XMLError? {
    let bytes = pending
    while parser.failure == nil, let length = nextSliceLength {
      isClosed = isFinished && length < sliceBytes
      let slice = bytes.span.extracting(consumed..<(consumed + length))
      consumed += length
      try parser.parse(slice, isLast: isClosed, for: &handler)
      lookAhead()
    }
    return parser.failure
  }

  /// The length of the slice that libxml2 gets next; nil if more bytes must come first.
  private var nextSliceLength: Int? {
    let length = min(sliceBytes, pending.count - consumed)
    return length == sliceBytes || (isFinished && !isClosed) || endsMarkup ? length : nil
  }

  /// Whether the buffer ends like markup, so that a live stream's last element need not wait for a
  /// full slice.
  ///
  /// False if libxml2 holds back much text, since it would rescan it for each piece. Also false
  /// within a document type and after invalid UTF-8: there, libxml2's errors depend on where a
  /// slice ends.
  private var endsMarkup: Bool {
    guard let last = pending.last, pending.count >= consumed + 4,
      parser.unreadCount < Self.leastSliceBytes,
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

  /// Sets the size of the next slice.
  ///
  /// libxml2 rescans unfinished comments and text with each slice, so long ones get long slices. An
  /// unfinished tag gets only enough bytes to show that it is too long.
  private mutating func lookAhead() {
    let unread = parser.unreadCount
    sliceBytes =
      parser.holdsTag()
      ? min(Self.leastSliceBytes, XMLLimits.tagBytes + 1 - unread)
      : max(Self.leastSliceBytes, min(unread / 4, Self.mostSliceBytes))
  }
}
