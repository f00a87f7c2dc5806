import FencepostFiles
import FencepostFormats
import Testing

@Suite("A file name")
struct FileNameTests {
  private func bytes(_ name: String) -> [UInt8] {
    name.fileNameBytes.map { UInt8(bitPattern: $0) }
  }

  @Test("keeps every byte, whether it is UTF-8 or not")
  func everyByte() {
    for first in UInt8(1)...255 {
      for second: UInt8 in [0x2E, 0x80, 0x9F, 0xA9, 0xBF, 0xC3, 0xE2, 0xF4, 0xFF] {
        let name: [UInt8] = [0x61, first, second, 0xA9, 0x2E, 0x67]
        #expect(bytes(String(fileName: name)) == name + [0], "\(name)")
      }
    }
  }

  @Test("that is UTF-8 is its text", arguments: ["walk.gpx", "café.gpx", "道.gpx", "🚶.gpx", ""])
  func utf8(name: String) {
    #expect(String(fileName: Array(name.utf8)) == name)
    #expect(name.shownFileName == name)
    #expect(bytes(name) == Array(name.utf8) + [0])
  }

  @Test("shows U+FFFD for each byte that is not UTF-8, also next to letters that are")
  func shown() {
    let name = String(
      fileName: Array("é".utf8) + [0x63, 0xE9, 0x2E] + Array("🚶".utf8) + [0xF0, 0x9F])
    #expect(name.shownFileName == "éc\u{FFFD}.🚶\u{FFFD}\u{FFFD}")
  }

  @Test("with the scalars that stand for bytes is not mistaken for another")
  func distinct() {
    let scalar = Array("\u{10FFE9}".utf8)
    let names = [[0xE9], scalar, scalar + [0xE9]]
    #expect(Set(names.map { String(fileName: $0) }).count == 3)
    for name in names { #expect(bytes(String(fileName: name)) == name + [0]) }
  }
}
