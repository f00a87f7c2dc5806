#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#elseif canImport(ucrt)
import ucrt
#elseif canImport(WASILibc)
import WASILibc
#endif

extension Span<UInt8> {
  /// Returns the index of the first matching byte at or after `start`, or nil.
  ///
  /// - Complexity: O(n), about 16 bytes per cycle (`memchr`).
  package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    precondition(start >= 0)
    guard start < count else { return nil }
    // The search stays within the `count` bytes of the span, which outlives the call.
    return unsafe withUnsafeBufferPointer { storage in
      guard let base = storage.baseAddress,
        let hit = unsafe memchr(base + start, Int32(byte), storage.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(hit) - UnsafeRawPointer(base)
    }
  }

  /// The number of line feeds, in O(n).
  package var lineFeedCount: Int {
    var (count, index) = (0, 0)
    while let next = firstIndex(of: 0x0A, from: index) {
      count += 1
      index = next + 1
    }
    return count
  }

  /// Whether the bytes equal those of an array.
  package func equals(_ bytes: [UInt8]) -> Bool {
    count == bytes.count && indices.allSatisfy { self[$0] == bytes[$0] }
  }

  /// Whether the bytes equal an ASCII literal.
  package func equals(_ text: StaticString) -> Bool {
    guard text.hasPointerRepresentation, text.utf8CodeUnitCount == count else { return false }
    // Both sides have `count` bytes.
    return unsafe withUnsafeBufferPointer { storage in
      guard let base = storage.baseAddress else { return true }
      return unsafe memcmp(base, text.utf8Start, storage.count) == 0
    }
  }
}

extension Array<UInt8> {
  /// Lends the bytes to a closure; stands in for `span` on Apple platforms before version 26.
  @inlinable @inline(__always)
  package func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The span ends with the call, before the buffer does.
    try unsafe withUnsafeBufferPointer { buffer throws(Failure) in try body(unsafe buffer.span) }
  }

  /// Appends the bytes of a span.
  package mutating func append(contentsOf bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return }
    append(addingCapacity: bytes.count) { $0.append(bytes) }
  }
}

extension OutputSpan<UInt8> {
  /// Appends bytes; `freeCapacity` must be large enough.
  @inlinable
  package mutating func append(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= freeCapacity)
    // The precondition ensures room. The two cannot overlap: one is mutable, the other borrowed.
    unsafe withUnsafeMutableBufferPointer { target, count in
      unsafe bytes.withUnsafeBufferPointer { source in
        if let from = source.baseAddress, let to = target.baseAddress {
          unsafe (to + count).initialize(from: from, count: source.count)
          count += source.count
        }
      }
    }
  }
}

extension String {
  /// Decodes UTF-8; replaces invalid sequences with U+FFFD.
  package init(utf8 bytes: Span<UInt8>) {
    // The bytes are copied during the closure.
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
