import FencepostFormats
import FencepostCZlib

/// zlib's inflater.
@safe
struct Inflater: ~Copyable {
  /// What surrounds the deflated data.
  enum Wrapper: Int32 {
    /// Nothing, as in zip archives: the largest window, negative.
    case none = -15
    /// A gzip header and checksum: the largest window, and 16.
    case gzip = 31
  }

  /// What a step came to.
  enum Outcome: Equatable {
    /// More may follow.
    case more
    /// The data is complete.
    case end
    /// There is no memory.
    case outOfMemory
    /// The data is damaged; zlib's own words.
    case damaged(String)
  }

  /// Whether zlib could be started.
  let isReady: Bool
  /// Whether the output was full at the last step, so that more may come without more input.
  private(set) var holdsOutput = false
  /// Ours until `deinit`; on the heap because zlib keeps a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>

  init(_ wrapper: Wrapper) {
    // One stream, initialised before zlib sees it.
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    isReady =
      unsafe inflateInit2_(
        stream, wrapper.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit {
    // The stream is ours alone.
    if isReady { unsafe inflateEnd(stream) }
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  /// Begins again; false if zlib cannot.
  mutating func reset() -> Bool {
    holdsOutput = false
    // The stream is ours and initialised.
    return unsafe inflateReset(stream) == Z_OK
  }

  /// Calls zlib's `inflate` once.
  ///
  /// - Parameters:
  ///   - input: Bytes that follow those consumed before.
  ///   - output: Receives at most `room` more bytes.
  ///   - room: At least 1.
  /// - Returns: How many bytes of the input were consumed, and what the step came to.
  mutating func step(
    _ input: Span<UInt8>, into output: inout [UInt8], room: Int
  ) -> (consumed: Int, outcome: Outcome) {
    let available = min(input.count, Int(UInt32.max))
    var status: Int32 = Z_OK
    // zlib reads `available` bytes of the input and writes at most `capacity` bytes of the storage. Both
    // stay in place until the closures return, when zlib forgets both addresses.
    let stream = unsafe stream
    output.append(addingCapacity: min(room, Int(UInt32.max))) { target in
      unsafe target.withUnsafeMutableBufferPointer { storage, count in
        unsafe input.withUnsafeBufferPointer { source in
          // zlib only reads its input, though the field's type does not say so.
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
      // The words are static text of zlib.
      return .damaged(unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "")
    }
  }

  /// The CRC-32 of bytes that follow those of another CRC-32, 0 for none.
  static func checksum(_ former: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
    // zlib reads the bytes while they are lent.
    unsafe bytes.withUnsafeBufferPointer { storage in
      UInt32(
        truncatingIfNeeded: unsafe crc32(UInt(former), storage.baseAddress, UInt32(storage.count)))
    }
  }
}
