/// Where bytes are cut before they are fed piece by piece; the same bytes are always cut alike.
struct Cuts {
  private var random: SplitMix64
  private let count: Int

  init(of bytes: [UInt8]) {
    var seed: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01B3 }
    random = SplitMix64(seed: seed)
    count = bytes.count
  }

  /// The ranges of a few pieces or of many, some of them short, some empty.
  mutating func pieces() -> [Range<Int>] {
    let most = [1, 4, 30].randomElement(using: &random) ?? 1
    var ends: Set<Int> = []
    for _ in 0..<most {
      let end = Int.random(in: 0...count, using: &random)
      ends.insert(end)
      if most == 30 { ends.insert(min(count, end + 1)) }
    }
    return Cuts.ranges(endingAt: ends.sorted() + [count])
  }

  /// One range for each byte.
  static func single(_ count: Int) -> [Range<Int>] { (0..<count).map { $0..<($0 + 1) } }

  private static func ranges(endingAt ends: [Int]) -> [Range<Int>] {
    var start = 0
    return ends.map { end in
      defer { start = end }
      return start..<end
    }
  }
}

extension [UInt8] {
  /// How many lines the bytes have if every line end that is known counts.
  var mostLines: Int { 1 + count { $0 == 0x0A || $0 == 0x0D } }
}
