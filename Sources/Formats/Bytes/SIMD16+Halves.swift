extension SIMD16<UInt8> {
  /// The sixteen bytes as two numbers, the first eight in the first, in the order of memory.
  @inlinable @inline(__always)
  public var halves: SIMD2<UInt64> {
    // The cast is between types of sixteen bytes of which every pattern is a value.
    unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
  }
}
