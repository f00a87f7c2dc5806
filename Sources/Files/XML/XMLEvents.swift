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
    /// The index of the namespace's URI; 0 means no namespace.
    var namespace = 0
    var attributes = 0..<0
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
  private var names = RecentNames()

  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    names = RecentNames()
  }

  mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let first = bytes.count
    // The caller's bytes are valid during the call.
    unsafe bytes.append(contentsOf: text)
    return first..<bytes.count
  }

  /// Appends a name of libxml2, unless it is there.
  mutating func append(name: UnsafePointer<UInt8>) -> Range<Int> {
    let address = UInt(bitPattern: name)
    if let range = names[address] { return range }
    // libxml2's names end with a zero and live as long as the parser.
    let range = unsafe append(UnsafeBufferPointer(start: name, count: strlen(name)))
    names[address] = range
    return range
  }
}

/// Where the last names with a few addresses stand.
///
/// libxml2 keeps one copy of each name while the parser lives, so the address identifies it.
private struct RecentNames {
  private struct Entry {
    var address: UInt = 0
    var range = 0..<0
  }

  // Eight, in a row without a heap allocation; two names in one place only cost a copy.
  private var entries: [8 of Entry] = .init(repeating: Entry())

  subscript(address: UInt) -> Range<Int>? {
    get {
      let entry = entries[Self.place(address)]
      return entry.address == address ? entry.range : nil
    }
    set {
      entries[Self.place(address)] = Entry(address: address, range: newValue ?? 0..<0)
    }
  }

  /// Names begin on no particular boundary.
  private static func place(_ address: UInt) -> Int { Int((address ^ (address >> 3)) & 7) }
}
