/// The XML declaration, as far as it says nothing but version 1.0 and UTF-8.
enum XMLDeclaration {
  /// Passes the declaration at an index; where there is none, the index itself is the end.
  static func scan(_ bytes: GPXBytes, at start: Int) -> GPXScan {
    guard start + 6 <= bytes.count else { return .incomplete }
    guard bytes.matches("<?xml", at: start) else {
      return bytes.matches("<?", at: start) ? .unusual : .complete(start)
    }
    var end = start + 5
    while end + 1 < bytes.count, bytes[end] != UInt8(ascii: "?") { end += 1 }
    guard end + 1 < bytes.count else { return .incomplete }
    guard bytes[end + 1] == UInt8(ascii: ">") else { return .unusual }
    var index = start + 5
    guard pass("version", ["1.0"], bytes, &index, end) else { return .unusual }
    _ = pass("encoding", ["UTF-8", "utf-8", "Utf-8"], bytes, &index, end)
    _ = pass("standalone", ["yes", "no"], bytes, &index, end)
    return bytes.skipWhiteSpace(from: index) == end ? .complete(end + 2) : .unusual
  }

  /// Passes white space and `name="value"`; leaves the index where it was where that is not there.
  private static func pass(
    _ name: StaticString, _ values: [StaticString], _ bytes: GPXBytes, _ index: inout Int,
    _ end: Int
  ) -> Bool {
    let start = bytes.skipWhiteSpace(from: index)
    guard start > index, bytes.matches(name, at: start) else { return false }
    let equals = bytes.skipWhiteSpace(from: start + name.utf8CodeUnitCount)
    guard equals < end, bytes[equals] == UInt8(ascii: "=") else { return false }
    let open = bytes.skipWhiteSpace(from: equals + 1)
    guard open < end, bytes[open] == UInt8(ascii: "\"") || bytes[open] == UInt8(ascii: "'") else {
      return false
    }
    for value in values where bytes.matches(value, at: open + 1) {
      let close = open + 1 + value.utf8CodeUnitCount
      guard close < end, bytes[close] == bytes[open] else { continue }
      index = close + 1
      return true
    }
    return false
  }
}
