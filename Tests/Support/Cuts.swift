/// Ways to cut bytes into chunks, which must not change what a reader reads.
package enum Cuts {
  /// The bytes whole, byte by byte, with empty chunks between, and cut at random places.
  package static func all(of bytes: [UInt8], seed: UInt64 = 1) -> [[[UInt8]]] {
    var ways = [[bytes], bytes.map { [$0] }, [[], bytes, []]]
    var generator = SplitMix64(seed: seed)
    for _ in 0..<12 {
      var chunks: [[UInt8]] = []
      var start = 0
      let longest = Int.random(in: 2...max(2, bytes.count / 2), using: &generator)
      while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 1...longest, using: &generator))
        chunks.append(Array(bytes[start..<end]))
        start = end
      }
      ways.append(chunks)
    }
    return ways
  }
}
