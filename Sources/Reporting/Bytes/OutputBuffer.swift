import Glibc

/// Bytes to be written: text is appended at the end, and the owner drains the whole now and then.
///
/// Owns its memory instead of an array, so that a short literal costs one small copy; an event line has
/// about thirty of them.
@safe
public struct OutputBuffer: ~Copyable, @unchecked Sendable {
  // Sendable is safe despite the pointer: the struct cannot be copied and never hands it out, so the
  // memory has one owner.
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int

  /// Number of bytes held.
  public private(set) var count = 0

  /// Makes an empty buffer with room for `capacity` bytes; it grows as needed.
  public init(capacity: Int = 4096) {
    self.capacity = max(64, capacity)
    // `capacity` bytes that only this buffer uses, until `deinit` or until it grows.
    // Every `unsafe` of this type reads or writes below `capacity`, or bytes lent to a closure.
    unsafe self.memory = .allocate(capacity: self.capacity)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// Whether the buffer holds no bytes.
  public var isEmpty: Bool { count == 0 }

  /// Removes all bytes and keeps the memory.
  public mutating func removeAll() {
    count = 0
  }

  /// Appends one byte.
  @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1)
    // In bounds: `reserve` has just made room for it.
    unsafe memory[count] = byte
    count += 1
  }

  /// Appends a literal.
  ///
  /// Inlined, so that the copy has a known length and needs no call.
  @inline(__always)
  public mutating func append(_ literal: StaticString) {
    precondition(literal.hasPointerRepresentation)
    let length = literal.utf8CodeUnitCount
    reserve(length)
    // In bounds: `reserve` made room for `length` bytes, and the literal has as many.
    unsafe (memory + count).update(from: literal.utf8Start, count: length)
    count += length
  }

  /// Appends a string's UTF-8 as it is.
  public mutating func append(verbatim text: String) {
    append(text.utf8.span)
  }

  /// Appends bytes.
  public mutating func append(_ bytes: Span<UInt8>) {
    let length = bytes.count
    guard length > 0 else { return }
    reserve(length)
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      // In bounds: `reserve` made room for `length` bytes; the two never overlap.
      unsafe (memory + count).update(from: start, count: length)
    }
    count += length
  }

  /// Whether the last byte is `{`.
  ///
  /// Inlined, since it is asked before each member of each line of JSON.
  @inline(__always)
  var endsWithOpenBrace: Bool {
    // In bounds: there is a last byte.
    count > 0 && (unsafe memory[count - 1]) == UInt8(ascii: "{")
  }

  /// Calls the closure with the bytes held.
  public func withBytes<Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let bytes = unsafe UnsafeBufferPointer(start: memory, count: count)
    // The first `count` bytes are initialised, and `self` is borrowed until the closure returns.
    try body(unsafe bytes.span)
  }

  /// The bytes as a string, for short texts; invalid UTF-8 is repaired.
  public var text: String {
    var result = ""
    withBytes { (bytes: Span<UInt8>) in
      // The bytes are copied before the closure returns.
      result = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
    return result
  }

  /// Appends the last `width` digits of a number, with leading zeros.
  @inline(__always)
  mutating func appendFixed(digits value: UInt64, width: Int) {
    reserve(width)
    // In bounds: `reserve` made room for `width` bytes.
    let start = unsafe memory + count
    var rest = value
    for index in stride(from: width - 1, through: 0, by: -1) {
      unsafe start[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count &+= width
  }

  /// Removes at most `most` zeros from the end.
  @inline(__always)
  mutating func dropZeros(atMost most: Int) {
    var left = most
    // In bounds: the caller has appended more than `most` bytes.
    while left > 0, unsafe memory[count &- 1] == UInt8(ascii: "0") {
      count &-= 1
      left &-= 1
    }
  }

  /// Makes room for `more` bytes behind the last one.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if count + more > capacity { grow(toHold: count + more) }
  }

  @inline(never)
  private mutating func grow(toHold needed: Int) {
    let newCapacity = max(needed, 2 * capacity)
    let newMemory = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
    // The old memory holds `count` initialised bytes and the new one has room for more.
    unsafe newMemory.update(from: memory, count: count)
    unsafe memory.deallocate()
    unsafe memory = newMemory
    capacity = newCapacity
  }
}
