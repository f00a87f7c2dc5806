/// Collects bytes to write, which its owner drains from time to time.
///
/// Owns its memory instead of an array, so that a short literal costs one small copy. An event line
/// has about thirty of them.
@safe
package struct OutputBuffer: ~Copyable, @unchecked Sendable {
  // Sendable is safe despite the pointer: the struct cannot be copied and never exposes it, so the
  // memory has one owner.
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The day written last, which most events of a track share.
  var lastDay = WrittenDay()

  /// The number of bytes appended since the buffer was last emptied.
  package private(set) var count = 0

  /// Creates an empty buffer with an initial capacity in bytes; it grows as needed.
  package init(capacity: Int = 4096) {
    self.capacity = max(64, capacity)
    // `capacity` bytes that only this buffer uses, until it grows or `deinit`.
    // Every `unsafe` of this type stays below `capacity`, or uses bytes lent to a closure.
    unsafe self.memory = .allocate(capacity: self.capacity)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// Whether there is nothing to write out.
  package var isEmpty: Bool { count == 0 }

  /// Removes all bytes but keeps the memory.
  package mutating func removeAll() {
    count = 0
  }

  /// Appends one byte; inlined, because every separator of a line is one.
  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    // In bounds: `reserve` has just made room for it.
    unsafe memory[count] = byte
    count += 1
  }

  /// Appends a literal; inlined, so that the copy has a known length and needs no call.
  @inline(__always)
  package mutating func append(_ literal: StaticString) {
    precondition(literal.hasPointerRepresentation)
    let length = literal.utf8CodeUnitCount
    reserve(length)
    // In bounds: `reserve` made room for `length` bytes, the length of the literal.
    unsafe (memory + count).update(from: literal.utf8Start, count: length)
    count += length
  }

  /// Appends text as UTF-8, without escapes.
  package mutating func append(verbatim text: String) {
    append(text.utf8.span)
  }

  /// Appends bytes as they are.
  package mutating func append(_ bytes: Span<UInt8>) {
    let length = bytes.count
    guard length > 0 else { return }
    reserve(length)
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      // In bounds: `reserve` made room for `length` bytes. The two never overlap.
      unsafe (memory + count).update(from: start, count: length)
    }
    count += length
  }

  /// Appends all bytes of another buffer, which keeps them.
  package mutating func append(_ other: borrowing OutputBuffer) {
    other.withBytes { append($0) }
  }

  /// Whether the last byte is `{`; inlined, because each member of each JSON line asks.
  @inline(__always)
  var endsWithOpenBrace: Bool {
    // In bounds: there is a last byte.
    count > 0 && (unsafe memory[count - 1]) == UInt8(ascii: "{")
  }

  /// Lends the bytes to a closure, which must not keep them.
  package func withBytes<Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    // The first `count` bytes are initialized, and `self` is borrowed until the closure returns.
    let bytes = unsafe UnsafeBufferPointer(start: memory, count: count)
    try body(unsafe bytes.span)
  }

  /// Where the bytes are, until the buffer changes.
  package var start: UnsafePointer<UInt8> { unsafe UnsafePointer(memory) }

  /// The bytes as a string, with invalid UTF-8 repaired; for short texts.
  package var text: String {
    var result = ""
    withBytes { (bytes: Span<UInt8>) in
      // The bytes are copied before the closure returns.
      result = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
    return result
  }

  /// Appends the last `width` digits of a number, with leading zeros.
  @inline(__always)
  package mutating func appendFixed(digits value: UInt64, width: Int) {
    reserve(width)
    // In bounds: `reserve` made room for `width` bytes, and a pair below 100 is within the table's
    // 200 bytes.
    let start = unsafe memory + count
    let pairs = unsafe Self.digitPairs.utf8Start
    var rest = value
    var index = width
    while index >= 2 {
      index -= 2
      let pair = Int(truncatingIfNeeded: rest % 100)
      rest /= 100
      unsafe start[index] = pairs[2 &* pair]
      unsafe start[index &+ 1] = pairs[2 &* pair &+ 1]
    }
    if index == 1 {
      unsafe start[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
    }
    count &+= width
  }

  /// The numbers 00 to 99 in a row, so that two digits cost one division.
  private static var digitPairs: StaticString {
    """
    0001020304050607080910111213141516171819\
    2021222324252627282930313233343536373839\
    4041424344454647484950515253545556575859\
    6061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """
  }

  /// Removes zeros from the end, at most so many; the buffer must have more bytes than that.
  @inline(__always)
  package mutating func dropZeros(atMost most: Int) {
    var left = most
    // In bounds: the caller has appended more than `most` bytes.
    while left > 0, unsafe memory[count &- 1] == UInt8(ascii: "0") {
      count &-= 1
      left &-= 1
    }
  }

  /// Copies bytes eight at a time until a word, in memory order, fails the test.
  ///
  /// Returns how many bytes were copied; the rest begins with a failing or shorter word.
  @inline(__always)
  mutating func appendWords(
    of bytes: Span<UInt8>, while isPlain: (UInt64) -> Bool
  ) -> Int {
    reserve(bytes.count)
    var index = 0
    while index &+ 8 <= bytes.count {
      // In bounds by the loop's condition, and `reserve` made room. Bytes have no alignment.
      let word = unsafe bytes.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: UInt64.self)
      guard isPlain(word) else { break }
      unsafe UnsafeMutableRawPointer(memory + (count &+ index)).storeBytes(
        of: word, as: UInt64.self)
      index &+= 8
    }
    count &+= index
    return index
  }

  /// Makes room for more bytes; inlined, so that the common case is one comparison.
  @inline(__always)
  package mutating func reserve(_ more: Int) {
    if count + more > capacity { grow(toHold: count + more) }
  }

  /// Moves the bytes to memory of at least twice the size, so that appending n bytes costs O(n).
  @inline(never)
  private mutating func grow(toHold needed: Int) {
    let newCapacity = max(needed, 2 * capacity)
    let newMemory = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
    // The old memory holds `count` initialized bytes, and the new one has room for more.
    unsafe newMemory.update(from: memory, count: count)
    unsafe memory.deallocate()
    unsafe memory = newMemory
    capacity = newCapacity
  }
}
