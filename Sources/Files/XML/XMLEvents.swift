/// The events of one slice of a document.
///
/// Their ranges point into `bytes`.
struct XMLEvents {
  /// One event.
  struct Record {
    var event = XMLReader.Event.text
    /// An element's local name, or character data.
    var name = 0..<0
    /// The index of the namespace's URI; 0 means no namespace.
    var namespace = 0
    var attributes = 0..<0
    var line = 1
  }

  /// An attribute of an element.
  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
    var namespace: Int
  }

  var records: [Record] = []
  var attributes: [Attribute] = []
  var bytes: [UInt8] = []

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
}
