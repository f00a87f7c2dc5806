import FencepostFormats

/// A start tag of XML's plain form, as indices into the bytes.
struct GPXTag {
  /// The name with its prefix.
  var name = 0..<0
  /// The index of the colon after the name's prefix, or nil.
  var colon: Int?
  /// Whether the tag is `<…/>`.
  var isEmpty = false
  /// Whether an attribute declares a namespace.
  var declaresNamespace = false
  /// How many attributes there are, those that declare a namespace included.
  var attributeCount = 0

  /// The name without its prefix.
  var localName: Range<Int> { (colon.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound }

  /// The most bytes a tag may have to count as plain.
  static var maximumBytes: Int { 8 * 1024 }

  /// Reads the tag whose `<` stands at an index.
  ///
  /// Plain is a tag of ASCII names without strange colons and repeated attributes.
  mutating func scan(_ bytes: GPXBytes, at start: Int) -> GPXScan {
    let nameEnd = bytes.skipName(from: start + 1)
    guard nameEnd < bytes.count else { return .incomplete }
    guard nameEnd > start + 1 else { return .unusual }
    self = GPXTag(name: (start + 1)..<nameEnd)
    colon = bytes.colon(in: name)
    if colon == -1 { return .unusual }
    var index = nameEnd
    var attributes: [Range<Int>] = []
    while true {
      let next = bytes.skipWhiteSpace(from: index)
      guard next < bytes.count else { return .incomplete }
      switch bytes[next] {
      case UInt8(ascii: ">"):
        return end(next + 1, start)
      case UInt8(ascii: "/"):
        guard next + 1 < bytes.count else { return .incomplete }
        isEmpty = true
        return bytes[next + 1] == UInt8(ascii: ">") ? end(next + 2, start) : .unusual
      default:
        guard next > index else { return .unusual }
        switch scanAttribute(bytes, at: next, &attributes) {
        case .complete(let end): index = end
        case .incomplete: return .incomplete
        case .unusual: return .unusual
        }
      }
    }
  }

  private func end(_ index: Int, _ start: Int) -> GPXScan {
    index - start <= GPXTag.maximumBytes ? .complete(index) : .unusual
  }

  private mutating func scanAttribute(
    _ bytes: GPXBytes, at start: Int, _ attributes: inout [Range<Int>]
  ) -> GPXScan {
    let nameEnd = bytes.skipName(from: start)
    guard nameEnd < bytes.count else { return .incomplete }
    guard nameEnd > start, attributes.count < 64 else { return .unusual }
    let name = start..<nameEnd
    if bytes.colon(in: name) == -1 { return .unusual }
    for other in attributes where other.count == name.count {
      if bytes.areEqual(other.lowerBound, start, length: name.count) { return .unusual }
    }
    attributes.append(name)
    attributeCount += 1
    if bytes.matches("xmlns", at: start) { declaresNamespace = true }
    let equals = bytes.skipWhiteSpace(from: nameEnd)
    guard equals < bytes.count else { return .incomplete }
    guard bytes[equals] == UInt8(ascii: "=") else { return .unusual }
    let open = bytes.skipWhiteSpace(from: equals + 1)
    guard open < bytes.count else { return .incomplete }
    let quote = bytes[open]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return .unusual }
    var index = open + 1
    while index < bytes.count, bytes[index] != quote {
      if bytes[index] == UInt8(ascii: "<") { return .unusual }
      index += 1
    }
    guard index < bytes.count else { return .incomplete }
    return bytes.isPlainText((open + 1)..<index) ? .complete(index + 1) : .unusual
  }
}
