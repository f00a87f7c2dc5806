import FencepostCLibXML2
import FencepostFormats
import Glibc

/// The events of one slice of a document.
///
/// Their ranges point into `bytes`.
package struct XMLEvents {
  /// One event.
  package struct Record {
    package var event = XMLReader.Event.text
    /// An element's local name, or character data.
    package var name = 0..<0
    /// The number of the namespace; equal for equal namespaces of a document, 0 without one.
    package var namespace = 0
    var attributes = 0..<0
    /// The line, from 1, where the event ended.
    package var line = 1
  }

  /// An attribute of an element.
  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
    var namespace: Int
  }

  package var records: [Record] = []
  var attributes: [Attribute] = []
  package var bytes: [UInt8] = []

  /// Finds an attribute of an element; one in no namespace comes before those in a namespace.
  ///
  /// - Parameters:
  ///   - name: The attribute's name without prefix, ASCII.
  ///   - element: The element.
  /// - Returns: The range in ``bytes`` of its value, or nil if the element lacks the attribute.
  package func attribute(_ name: StaticString, of element: Record) -> Range<Int>? {
    var other: Range<Int>?
    for index in element.attributes
    where bytes.span.extracting(attributes[index].name).equals(name) {
      if attributes[index].namespace == 0 { return attributes[index].value }
      other = other ?? attributes[index].value
    }
    return other
  }

  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let first = bytes.count
    // The caller's bytes are valid during the call.
    unsafe bytes.append(contentsOf: text)
    return first..<bytes.count
  }

  /// Appends a name of libxml2, which ends with a zero.
  mutating func append(name: UnsafePointer<UInt8>) -> Range<Int> {
    // libxml2's names live as long as the parser.
    unsafe append(UnsafeBufferPointer(start: name, count: strlen(name)))
  }
}

/// What libxml2's callbacks say of a document, recorded until ``XMLReader`` takes it.
struct XMLRecording {
  // Every `unsafe` of this type uses what libxml2 hands to a callback, which is valid while the callback runs
  // and is copied in it, or compares its address.

  /// The events since they were last taken.
  var events = XMLEvents()
  /// The namespaces' URIs; the first means no namespace.
  private(set) var namespaces = [""]
  /// The lines where the start tags of the open elements end.
  private(set) var openLines: [Int] = []
  /// The number of namespaces that each open element declares, and of them all.
  private var declaredCounts: [Int] = []
  private var declaredCount = 0
  private(set) var hasRoot = false
  /// Whether a fault ended the document, so that nothing more is recorded.
  var isClosed = false

  private let limits: XMLReader.Limits
  /// The address of each URI but the first.
  ///
  /// libxml2 keeps one copy of each URI while the parser lives, so the address identifies it.
  private var namespaceAddresses: [UInt] = []

  init(limits: XMLReader.Limits) { self.limits = limits }

  /// Records that an element begins.
  ///
  /// - Returns: What is wrong with it, if it exceeds a limit.
  mutating func start(
    _ name: UnsafePointer<xmlChar>, uri: UnsafePointer<xmlChar>?, namespaceCount: Int,
    attributeCount: Int, _ values: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, line: Int
  ) -> String? {
    guard !isClosed else { return nil }
    hasRoot = true
    openLines.append(line)
    guard openLines.count <= limits.maximumDepth else {
      return "elements are nested more than \(limits.maximumDepth) deep"
    }
    declaredCounts.append(namespaceCount)
    declaredCount += namespaceCount
    guard namespaceCount + attributeCount <= limits.maximumAttributes else {
      return limits.tooManyAttributes
    }
    // libxml2 searches all of them for each prefix.
    guard declaredCount <= Self.mostNamespaces else { return Self.tooManyNamespaces }
    let first = events.attributes.count
    for index in 0..<attributeCount {
      // Five pointers an attribute: local name, prefix, URI, the value's begin and its end.
      guard let values = unsafe values, let name = unsafe values[5 * index],
        let begin = unsafe values[5 * index + 3], let end = unsafe values[5 * index + 4]
      else { continue }
      let value = unsafe UnsafeBufferPointer(start: begin, count: end - begin)
      guard let namespace = unsafe namespaceIndex(values[5 * index + 2]) else {
        return Self.tooManyNamespaces
      }
      unsafe events.attributes.append(
        .init(name: events.append(name: name), value: events.append(value), namespace: namespace))
    }
    return unsafe record(.start, name, uri, first..<events.attributes.count, line: line)
  }

  /// Records that an element ends.
  ///
  /// - Returns: What is wrong with it, if it exceeds a limit.
  mutating func end(
    _ name: UnsafePointer<xmlChar>, uri: UnsafePointer<xmlChar>?, line: Int
  ) -> String? {
    guard !isClosed else { return nil }
    openLines.removeLast()
    declaredCount -= declaredCounts.removeLast()
    return unsafe record(.end, name, uri, 0..<0, line: line)
  }

  /// Records character data.
  mutating func text(_ characters: UnsafeBufferPointer<xmlChar>, line: Int) {
    guard !isClosed else { return }
    let range = unsafe events.append(characters)
    events.records.append(
      .init(event: .text, name: range, namespace: 0, attributes: 0..<0, line: line))
  }

  private mutating func record(
    _ event: XMLReader.Event, _ name: UnsafePointer<xmlChar>, _ uri: UnsafePointer<xmlChar>?,
    _ attributes: Range<Int>, line: Int
  ) -> String? {
    guard let namespace = unsafe namespaceIndex(uri) else { return Self.tooManyNamespaces }
    let name = unsafe events.append(name: name)
    events.records.append(
      .init(event: event, name: name, namespace: namespace, attributes: attributes, line: line))
    return nil
  }

  private static var mostNamespaces: Int { 256 }

  private static var tooManyNamespaces: String {
    "there are more than \(mostNamespaces) namespaces"
  }

  /// The number of a namespace; nil if there are too many.
  private mutating func namespaceIndex(_ uri: UnsafePointer<xmlChar>?) -> Int? {
    guard let uri = unsafe uri else { return 0 }
    let address = UInt(bitPattern: uri)
    if let index = namespaceAddresses.firstIndex(of: address) { return index + 1 }
    guard namespaceAddresses.count < Self.mostNamespaces else { return nil }
    namespaceAddresses.append(address)
    unsafe namespaces.append(String(cString: uri))
    return namespaces.count - 1
  }
}

extension XMLReader.Limits {
  /// What is wrong with a tag whose end has not come yet, as far as it has; nil if nothing is.
  func fault(ofTag tag: Span<UInt8>) -> String? {
    if tag.count > maximumTagBytes { return "an XML tag is longer than \(tagLimit)" }
    var attributeCount = 0
    var quote: UInt8?
    for index in tag.indices {
      let byte = tag[index]
      if byte == quote {
        quote = nil
      } else if quote == nil {
        switch byte {
        case UInt8(ascii: "="): attributeCount += 1
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        default: break
        }
      }
    }
    return attributeCount > maximumAttributes ? tooManyAttributes : nil
  }

  /// What is wrong with a tag that has more attributes than may be.
  var tooManyAttributes: String { "an XML tag has more than \(maximumAttributes) attributes" }

  private var tagLimit: String {
    maximumTagBytes % 1024 == 0 ? "\(maximumTagBytes / 1024) KiB" : "\(maximumTagBytes) bytes"
  }
}
