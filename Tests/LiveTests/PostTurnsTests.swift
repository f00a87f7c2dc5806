import Dispatch
import FencepostHTTP
import FencepostLive
import Synchronization
import Testing

@Suite("Posts are read away from the server's thread")
struct PostTurnsTests {
  private static let badRow = Array("no time,no place,x\n".utf8)
  private static let long =
    Array("time,lat,lon\n".utf8) + Array(repeatElement(badRow, count: 5000).joined())
  private static let short = Array("time,lat,lon\n".utf8) + badRow

  /// A handler that holds the post it reads first until the gate opens.
  private struct Held {
    let handler: FixIngestHandler
    let isReading = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)

    init() {
      let isFirst = Atomic(true)
      var options = FixIngestOptions()
      options.now = { [isReading, gate] in
        if isFirst.exchange(false, ordering: .relaxed) {
          isReading.signal()
          gate.wait()
        }
        return 0
      }
      // None of the posts has a good fix, so none waits for a session.
      handler = FixIngestHandler(intake: FixIntake(), options: options)
    }
  }

  /// The names of posts in the order of their answers.
  private final class Answers: Sendable {
    private let contents = Mutex<[String]>([])
    private let news = DispatchSemaphore(value: 0)

    func add(_ name: String, _ answer: HTTPAnswer) {
      guard case .later(let promise) = answer else { return }
      promise.whenKept { [self] _ in
        contents.withLock { $0.append(name) }
        news.signal()
      }
    }

    func next(_ count: Int) -> [String] {
      for _ in 0..<count { news.wait() }
      return contents.withLock { $0 }
    }
  }

  private static func post(_ body: [UInt8], of device: String) -> HTTPRequest {
    HTTPRequest(
      method: "POST", path: "/fixes", query: [.init(name: "device", value: device)], body: body)
  }

  @Test(
    "so others are answered while a long one is read, and the posts of a device keep their order")
  func order() {
    let held = Held()
    let answers = Answers()
    answers.add("long of a", held.handler.take(Self.post(Self.long, of: "a")))
    held.isReading.wait()
    answers.add("short of a", held.handler.take(Self.post(Self.short, of: "a")))
    answers.add("short of b", held.handler.take(Self.post(Self.short, of: "b")))
    #expect(answers.next(1) == ["short of b"])
    held.gate.signal()
    #expect(answers.next(2) == ["short of b", "long of a", "short of a"])
  }

  @Test("and long ones take no more than 32 MiB while they wait, beside which short ones have room")
  func bound() {
    let held = Held()
    let body = [UInt8](repeating: 0x20, count: 4 << 20)
    for _ in 0..<8 {
      guard case .later = held.handler.take(Self.post(body, of: "a")) else {
        Issue.record("refused too early")
        return
      }
    }
    guard case .response(let response) = held.handler.take(Self.post(body, of: "b")) else {
      Issue.record("not refused")
      return
    }
    #expect(response.status == .unavailable)
    guard case .later = held.handler.take(Self.post(Self.short, of: "b")) else {
      Issue.record("a short one is refused")
      return
    }
    held.gate.signal()
  }
}
