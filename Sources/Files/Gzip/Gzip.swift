import FencepostCZlib

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
