import FencepostLive
import Testing

@Suite("A live input")
struct LiveInputTests {
  @Test(
    "that is lost again and again is said once, and opened after ever longer pauses",
    arguments: [
      ("/dev/null", [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]),
      // What is missing is cheap to look for.
      ("/none/here", [200, 400, 800, 1600, 2000, 2000]),
    ] as [(String, [Int64])])
  func pauses(path: String, full: [Int64]) throws {
    var input = LiveInput(
      .device(path: path), name: "it", baud: .auto, idleTimeoutMilliseconds: nil,
      judgesSenders: false)
    var now: Int64 = 0
    var said: [String] = []
    for pause in full {
      for isReady in [false, true] {
        for event in input.advance(isReady: isReady, now: now) {
          switch event {
          case .said(let sentence): said.append(sentence)
          case .opened(let sentence): said += [sentence].compactMap { $0 }
          default: Issue.record("\(event)")
          }
        }
      }
      let due = try #require(input.dueMilliseconds)
      // At random, so that many do not come at once.
      #expect((pause / 2...pause).contains(due - now) || pause == 2000 && due - now <= pause)
      now = due
    }
    #expect(
      said
        == (path == "/dev/null"
          ? ["it: reading", "it: ended right away; waiting for it"]
          : ["it: not there; waiting for it"]))
  }
}
