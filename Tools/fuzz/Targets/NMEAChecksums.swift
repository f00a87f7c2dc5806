/// Gives sentences the checksums of their texts, so that what is made up reaches their fields.
enum NMEAChecksums {
  static func righted(_ bytes: [UInt8]) -> [UInt8] {
    var righted = bytes
    var index = 0
    while let start = righted[index...].firstIndex(of: UInt8(ascii: "$")) {
      index = start + 1
      guard let end = righted[index...].firstIndex(where: { endsText($0) }),
        righted[end] == UInt8(ascii: "*"), end + 2 < righted.count
      else { continue }
      let folded = righted[index..<end].reduce(0, ^)
      let digits = Array("0123456789ABCDEF".utf8)
      righted[end + 1] = digits[Int(folded >> 4)]
      righted[end + 2] = digits[Int(folded & 15)]
      index = end + 1
    }
    return righted
  }

  private static func endsText(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "*"), UInt8(ascii: "$"), 0x0D, 0x0A].contains(byte)
  }
}
