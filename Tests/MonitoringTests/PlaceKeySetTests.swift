import FencepostMonitoring
import TestSupport
import Testing

@Suite("A set of places' keys")
struct PlaceKeySetTests {
  @Test("The set holds the same keys as a hash table", arguments: UInt64(0)..<6)
  func sameAsSet(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let ranges: [ClosedRange<Int64>] = [
      0...100, 1...70_000, (1 << 24) - 50...(1 << 24) + 50, -40...40, .min ... .min + 20,
      .min ... .max,
    ]
    var (keys, expected): (PlaceKeySet, Set<Int64>) = (PlaceKeySet(), [])
    for number in 0..<2000 {
      let range = seed == 0 ? ranges[1] : ranges[number % ranges.count]
      let key = Int64.random(in: range, using: &random)
      keys.insert(key)
      expected.insert(key)
      #expect(keys.count == expected.count)
    }
    #expect(keys.sorted == expected.sorted())
    #expect(PlaceKeySet(expected).sorted == keys.sorted)
  }
}
