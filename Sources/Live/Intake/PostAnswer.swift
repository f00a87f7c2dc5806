import FencepostFixes
import FencepostFormats
import FencepostHTTP
import FencepostReporting

/// The response to posted fixes: how many were accepted, and where and why others were rejected.
///
/// Faults in the message are known at once. Late and duplicate fixes are known after the session
/// has judged them. A success means that the session, and its state file if any, has all fixes
/// counted as accepted or held.
struct PostAnswer: Sendable {
  /// Reasons that are the sender's fault, not the receiver's.
  private static let faults: Set<Rejection.Reason> = [.malformed, .coordinate, .time, .tooLong]

  private let client: PostingClient
  private let status: HTTPStatus
  private let failure: String?
  /// The line in the message for each fix passed to the session; 0 without one.
  private let lines: [Int32]
  private var acceptedCount: Int
  private var heldCount = 0
  private var rejections: [Rejection]
  private var rejectedCounts: RejectionCounts

  init(_ posted: PostedFixes, client: PostingClient) {
    self.client = client
    failure = posted.failure
    lines = posted.fixes.map(\.fix.line)
    acceptedCount = posted.acceptedCount
    rejections = posted.rejections
    rejectedCounts = posted.rejectedCounts
    let isBad =
      posted.failure != nil
      || posted.rejectedCounts.nonZero.contains { Self.faults.contains($0.reason) }
    status =
      if client != .program, !posted.isUnnamed, !posted.isCut {
        // A retry would change nothing and would block later messages.
        .ok
      } else if posted.isTooLarge {
        .contentTooLarge
      } else if posted.isUnrecognized && posted.acceptedCount == 0 {
        .unsupportedMediaType
      } else {
        // Late and duplicate fixes are not errors, and a retry would change nothing.
        isBad ? .badRequest : .ok
      }
  }

  var response: HTTPResponse {
    if status == .ok, let taken = client.taken { return taken }
    return HTTPResponse(status, type: "application/json", body: Array((json + "\n").utf8))
  }

  func response(after account: IntakeAccount) -> HTTPResponse {
    guard account.isSaved else {
      return HTTPResponse(
        .unavailable,
        sentence: "the state cannot be saved right now; please send the fixes again",
        fields: [("Retry-After", "5")])
    }
    var answer = self
    answer.take(account)
    return answer.response
  }

  private mutating func take(_ account: IntakeAccount) {
    acceptedCount = account.acceptedCount
    heldCount = account.heldCount
    rejectedCounts.add(account.refusedCounts)
    rejections += account.refusals.map { refusal in
      let line = lines[refusal.index]
      return Rejection(reason: refusal.reason, line: line > 0 ? Int(line) : nil)
    }
    rejections.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    rejections = Array(rejections.prefix(PostedFixes.mostRejections))
  }

  private var json: String {
    var output = OutputBuffer()
    output.appendObject {
      $0.member("accepted", acceptedCount)
      $0.member("rejected", rejectedCounts.total)
      if heldCount > 0 { $0.member("held", heldCount) }
      $0.object("reasons") {
        for (reason, count) in rejectedCounts.nonZero {
          $0.member(named: reason.rawValue, count)
        }
      }
      $0.array("rejections", rejections) { output, rejection in
        output.appendObject {
          $0.member("line", rejection.line)
          $0.member("reason", rejection.reason.rawValue)
          if let detail = rejection.detail { $0.member("detail", detail) }
        }
      }
      $0.member("error", failure)
    }
    return output.text
  }
}
