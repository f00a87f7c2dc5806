import Foundation
import FencepostLive
import Testing

@Suite("An answer to a post")
struct WebhookAnswerTests {
  private static func answer(_ text: String, epochNow: Int64 = 0) -> WebhookAnswer {
    WebhookAnswer(Data(text.replacing("\n", with: "\r\n").utf8), epochNow: epochNow)
  }

  @Test("accepts the event if it is a success", arguments: [200, 201, 202, 204, 299])
  func success(status: Int) {
    let answer = Self.answer("HTTP/1.1 \(status) X\nServer: x\n\n\n\(status)\n")
    #expect(answer.outcome == .delivered)
  }

  @Test(
    "otherwise makes the event wait, and others only if it is not the event's fault",
    arguments: [
      (301, false), (302, false), (304, false), (307, false), (308, false), (400, true),
      (401, true), (404, true), (408, false), (410, true), (413, true), (422, true), (425, false),
      (429, false), (500, false), (502, false), (503, false), (100, false), (600, false),
    ])
  func failure(status: Int, isOfDelivery: Bool) {
    let answer = Self.answer("HTTP/1.1 \(status) X\n\n\n\(status)\n")
    guard case .failed(let failure) = answer.outcome else {
      Issue.record("\(answer.outcome)")
      return
    }
    #expect(failure.isOfDelivery == isOfDelivery)
    #expect(failure.reason.hasPrefix("it answered with status \(status)"))
    #expect(failure.retryAfterMilliseconds == nil)
  }

  @Test("with a redirect names its target, which is not followed")
  func redirect() {
    let answer = Self.answer("HTTP/1.1 301 Moved\nLocation: https://new.example/hook\n\n\n301\n")
    guard case .failed(let failure) = answer.outcome else {
      Issue.record("\(answer.outcome)")
      return
    }
    #expect(
      failure.reason
        == "it answered with status 301 to https://new.example/hook, and redirects are not followed"
    )
  }

  @Test("is the last of several, as after a proxy's and 100 Continue")
  func several() {
    let answer = Self.answer(
      """
      HTTP/1.1 200 Connection established
      Retry-After: 7

      HTTP/1.1 100 Continue

      HTTP/2 503
      retry-after: 9


      503

      """)
    #expect(answer.status == 503)
    #expect(answer.retryAfterMilliseconds == 9000)
  }

  @Test("that never came has curl's reason")
  func none() {
    let answer = Self.answer(
      "curl: (7) Failed to connect to 127.0.0.1 port 1 after 0 ms: Could not connect\n\n000\n")
    #expect(answer.status == 0)
    guard case .failed(let failure) = answer.outcome else {
      Issue.record("\(answer.outcome)")
      return
    }
    #expect(
      failure.reason
        == "no answer (Failed to connect to 127.0.0.1 port 1 after 0 ms: Could not connect)")
    #expect(failure.kind == "no answer" && !failure.isOfDelivery)
    #expect(Self.answer("").outcome == .failed(.init(reason: "no answer", kind: "no answer")))
  }

  // MARK: Retry-After

  /// 1994-11-06T08:49:37Z, the example of the standard.
  private static let example: Int64 = 784_111_777_000

  @Test(
    "may ask to wait until a date",
    arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Wed, 16 Nov 1994 08:49:37 GMT"])
  func date(text: String) {
    let shift: Int64 = text.contains("16") ? 10 * 86_400_000 : 0
    #expect(RetryAfter.instant(text) == Self.example + shift)
    let pause = RetryAfter.milliseconds(text, date: nil, epochNow: Self.example - 2500)
    #expect(pause == 2500 + shift)
    #expect(RetryAfter.milliseconds(text, date: nil, epochNow: Self.example + 90 * 86_400_000) == 0)
    // The server's clock counts if it sends a date.
    let server = "Sun, 06 Nov 1994 08:49:30 GMT"
    #expect(RetryAfter.milliseconds(text, date: server, epochNow: 0) == 7000 + shift)
  }

  @Test("may ask for any number of seconds")
  func seconds() {
    #expect(RetryAfter.milliseconds("120", date: nil, epochNow: 0) == 120_000)
    #expect(RetryAfter.milliseconds("0", date: nil, epochNow: 0) == 0)
    #expect(
      RetryAfter.milliseconds(String(repeating: "9", count: 30), date: nil, epochNow: 0)
        == Int64.max)
  }

  @Test(
    "asks for no pause if malformed",
    arguments: [
      "", "soon", "-1", "1.5", "+3", "Sun, 31 Feb 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994",
      "06 Nov 1994 08:49:37 GMT", "Sun, 06 Abc 1994 08:49:37 GMT", "Sun, 06 Nov 19945 08:49:37 GMT",
    ])
  func nonsense(text: String) {
    #expect(RetryAfter.milliseconds(text, date: nil, epochNow: 0) == nil)
  }
}
