/// Finds the end of an array or object that nobody reads, several times as fast as ``JSONReader`` reads it token by token.
///
/// It knows only JSON in its usual form: the container is complete, and its strings are ASCII without escapes. For anything
/// else, and for every fault, it finds nothing, and the reader takes the long way; so both accept the same texts.
enum JSONSkimmer {
  /// The index after the end of a container.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - start: The index after its opening bracket.
  ///   - isObject: Whether it is an object.
  ///   - moreDepth: How many containers may be nested in it.
  ///   - maximumTextBytes: The most bytes of a string or number.
  /// - Returns: The index, or nil if it takes the long way.
  static func end(
    of bytes: Span<UInt8>, from start: Int, isObject: Bool, moreDepth: Int, maximumTextBytes: Int
  ) -> Int? {
    var index = start
    // Whether each open container is an object; the innermost is the lowest bit.
    var kinds: UInt64 = isObject ? 1 : 0
    var depth = 1
    let maximumDepth = min(64, 1 + moreDepth)
    var mayEnd = true
    while true {
      skipWhiteSpace(bytes, &index)
      guard index < bytes.count else { return nil }
      let isEmpty =
        mayEnd && bytes[index] == (kinds & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]"))
      if !isEmpty {
        if kinds & 1 == 1 {
          guard skipString(bytes, &index, maximumTextBytes), skipColon(bytes, &index) else {
            return nil
          }
        }
        guard index < bytes.count else { return nil }
        let byte = bytes[index]
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
          guard depth < maximumDepth else { return nil }
          depth += 1
          kinds = kinds << 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
          index += 1
          mayEnd = true
          continue
        }
        guard skipScalar(bytes, &index, maximumTextBytes) else { return nil }
      }
      guard skipEnds(bytes, &index, &kinds, &depth) else { return nil }
      if depth == 0 { return index }
      mayEnd = false
    }
  }

  /// Skips closing brackets up to a comma, or to the end of the outermost container.
  private static func skipEnds(
    _ bytes: Span<UInt8>, _ index: inout Int, _ kinds: inout UInt64, _ depth: inout Int
  ) -> Bool {
    while true {
      skipWhiteSpace(bytes, &index)
      guard index < bytes.count else { return false }
      let byte = bytes[index]
      if byte == UInt8(ascii: ",") {
        index += 1
        return true
      }
      guard byte == (kinds & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
      index += 1
      kinds >>= 1
      depth -= 1
      if depth == 0 { return true }
    }
  }

  @inline(__always)
  private static func skipWhiteSpace(_ bytes: Span<UInt8>, _ index: inout Int) {
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      index &+= 1
    }
  }

  private static func skipColon(_ bytes: Span<UInt8>, _ index: inout Int) -> Bool {
    skipWhiteSpace(bytes, &index)
    guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return false }
    index += 1
    skipWhiteSpace(bytes, &index)
    return true
  }

  /// Skips a string in quotation marks that is ASCII without control characters and escapes.
  static func skipString(_ bytes: Span<UInt8>, _ index: inout Int, _ maximumTextBytes: Int) -> Bool
  {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return false }
    let start = index + 1
    index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        guard index - start <= maximumTextBytes else { return false }
        index &+= 1
        return true
      }
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return false }
      index &+= 1
    }
    return false
  }

  private static func skipScalar(
    _ bytes: Span<UInt8>, _ index: inout Int, _ maximumTextBytes: Int
  ) -> Bool {
    switch bytes[index] {
    case UInt8(ascii: "\""): skipString(bytes, &index, maximumTextBytes)
    case UInt8(ascii: "t"): skip("true", bytes, &index)
    case UInt8(ascii: "f"): skip("false", bytes, &index)
    case UInt8(ascii: "n"): skip("null", bytes, &index)
    default: skipNumber(bytes, &index, maximumTextBytes)
    }
  }

  private static func skip(_ word: StaticString, _ bytes: Span<UInt8>, _ index: inout Int) -> Bool {
    let end = index + word.utf8CodeUnitCount
    guard end <= bytes.count, bytes.extracting(index..<end).equals(word) else { return false }
    index = end
    return true
  }

  /// Skips `-? (0 | [1-9][0-9]*) (. [0-9]+)?`; a number with an exponent takes the long way.
  private static func skipNumber(
    _ bytes: Span<UInt8>, _ index: inout Int, _ maximumTextBytes: Int
  ) -> Bool {
    let start = index
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    let first = index
    skipDigits(bytes, &index)
    guard index > first, index == first + 1 || bytes[first] != UInt8(ascii: "0") else {
      return false
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      let decimals = index
      skipDigits(bytes, &index)
      guard index > decimals else { return false }
    }
    guard index < bytes.count, index - start <= maximumTextBytes else { return false }
    return bytes[index] | 0x20 != UInt8(ascii: "e")
  }

  @inline(__always)
  private static func skipDigits(_ bytes: Span<UInt8>, _ index: inout Int) {
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 { index &+= 1 }
  }
}
