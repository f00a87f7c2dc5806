import FencepostFixes
import FencepostLive
import Synchronization
import Testing

@Suite("What is said of a refused message")
struct PostLogTests {
  /// What a log has said.
  private final class Sentences: Sendable {
    let all = Mutex<[String]>([])
  }

  private static func said(_ detail: String, of device: String = "d") -> [String] {
    let sentences = Sentences()
    let log = PostLog { sentence in sentences.all.withLock { $0.append(sentence) } }
    for _ in 0..<2 {
      log.note(Rejection(reason: .malformed, detail: detail), of: device, by: .broker)
    }
    return sentences.all.withLock { $0 }
  }

  @Test(
    "ends behind a word where it is long, and shows that it goes on",
    arguments: [
      (String(repeating: "a", count: 80), String(repeating: "a", count: 80)),
      (String(repeating: "a", count: 81), String(repeating: "a", count: 80) + "…"),
      (String(repeating: "ab ", count: 40), String(repeating: "ab ", count: 25) + "ab ab …"),
      (
        String(repeating: "x", count: 60) + " " + String(repeating: "y", count: 40),
        String(repeating: "x", count: 60) + " …"
      ),
      (
        "x " + String(repeating: "y", count: 90),
        "x " + String(repeating: "y", count: 78) + "…"
      ),
    ])
  func cut(detail: String, shown: String) {
    #expect(Self.said(detail) == ["d: refused data from MQTT: malformed: \(shown)"])
    #expect(
      Self.said("x", of: detail) == ["\(shown): refused data from MQTT: malformed: x"])
  }
}
