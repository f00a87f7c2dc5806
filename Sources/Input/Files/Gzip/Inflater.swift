import FencepostCZlib
import FencepostFormats

/// Wraps zlib's inflater.
@safe
struct Inflater: ~Copyable {
  /// The format around the deflated data, as zlib's window bits.
  enum Wrapper: Int32 {
    /// Raw data, as in zip archives: the largest window, 15, negated.
    case none = -15
    /// A gzip header and checksum: the largest window, 15, plus 16.
    case gzip = 31
  }

  enum Outcome: Equatable {
    case more
    case end
    case outOfMemory
    /// The data is damaged, with zlib's message.
    case damaged(String)
  }

  /// Whether zlib started successfully.
  let isReady: Bool
  /// Whether the last step filled the output, so that more may follow without new input.
  private(set) var holdsOutput = false
  /// Owned until `deinit`; on the heap because zlib keeps a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>

  init(_ wrapper: Wrapper) {
    // The allocation holds one stream, which is initialized before zlib sees it.
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    isReady =
      unsafe inflateInit2_(
        stream, wrapper.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit {
    // The stream is owned, so nothing uses it after this.
    if isReady { unsafe inflateEnd(stream) }
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  /// Starts over; false if zlib fails.
  mutating func reset() -> Bool {
    holdsOutput = false
    // The stream is owned and initialized.
    return unsafe inflateReset(stream) == Z_OK
  }

  /// Calls zlib's `inflate` once; appends at most `room` bytes, at least 1.
  ///
  /// - Returns: How many input bytes were consumed, and the outcome.
  mutating func step(
    _ input: Span<UInt8>, into output: inout [UInt8], room: Int
  ) -> (consumed: Int, outcome: Outcome) {
    let available = min(input.count, Int(UInt32.max))
    var status: Int32 = Z_OK
    // zlib reads at most `available` bytes and writes at most `capacity` bytes. Both buffers stay
    // valid until the closures return, and the stream's pointers are cleared before that.
    let stream = unsafe stream
    output.append(addingCapacity: min(room, Int(UInt32.max))) { target in
      unsafe target.withUnsafeMutableBufferPointer { storage, count in
        unsafe input.withUnsafeBufferPointer { source in
          // zlib only reads its input, although the field's type is mutable.
          unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
          unsafe stream.pointee.avail_in = UInt32(available)
          unsafe stream.pointee.next_out = storage.baseAddress
          let capacity = min(room, storage.count, Int(UInt32.max))
          unsafe stream.pointee.avail_out = UInt32(capacity)
          status = unsafe FencepostCZlib.inflate(stream, Z_NO_FLUSH)
          count = unsafe capacity - Int(stream.pointee.avail_out)
          unsafe stream.pointee.next_in = nil
          unsafe stream.pointee.next_out = nil
        }
      }
    }
    holdsOutput = unsafe stream.pointee.avail_out == 0
    return unsafe (available - Int(stream.pointee.avail_in), outcome(status))
  }

  private func outcome(_ status: Int32) -> Outcome {
    switch status {
    case Z_STREAM_END: return .end
    case Z_OK, Z_BUF_ERROR: return .more
    case Z_MEM_ERROR: return .outOfMemory
    default:
      // zlib's messages are static strings.
      return .damaged(unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "")
    }
  }

  /// Extends a CRC-32, initially 0, by more bytes.
  static func checksum(_ former: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
    // zlib reads the bytes only during the call.
    unsafe bytes.withUnsafeBufferPointer { storage in
      UInt32(
        truncatingIfNeeded: unsafe crc32(UInt(former), storage.baseAddress, UInt32(storage.count)))
    }
  }
}

/// Compresses bytes, less than 4 GB of them, as one gzip member without a time or a name.
package func gzip(_ bytes: [UInt8]) -> [UInt8] {
  // On the heap because zlib keeps a pointer back to the stream, which is initialized before zlib
  // sees it and deallocated after zlib has ended.
  let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  unsafe stream.initialize(to: z_stream())
  defer {
    unsafe deflateEnd(stream)
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }
  // The largest window, 15, plus 16 for a gzip header and checksum.
  let status = unsafe deflateInit2_(
    stream, Z_BEST_COMPRESSION, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
    Int32(MemoryLayout<z_stream>.size))
  precondition(status == Z_OK, "there is not enough memory to compress")
  let bound = unsafe Int(deflateBound(stream, UInt(bytes.count)))
  // zlib reads all bytes and writes at most `bound`, which is room enough for them.
  return unsafe Array(unsafeUninitializedCapacity: bound) { target, count in
    unsafe bytes.withUnsafeBufferPointer { source in
      // zlib only reads its input, although the field's type is mutable.
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(bytes.count)
      unsafe stream.pointee.next_out = target.baseAddress
      unsafe stream.pointee.avail_out = UInt32(bound)
      unsafe deflate(stream, Z_FINISH)
      count = unsafe bound - Int(stream.pointee.avail_out)
    }
  }
}
