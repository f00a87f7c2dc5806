import FencepostFixes
import FencepostFormats
import FencepostHTTP
import FencepostReporting

/// The answer to posted fixes: how many count, and where and why others were rejected.
///
/// Faults of the message are known at once; late and duplicate fixes once the session has judged them. A
/// success means that the session, and its state file if any, has all fixes counted as accepted or
/// held.
struct PostAnswer: Sendable {
  /// The success that an app expects; after any other answer it retries and queues later messages.
  static let taken = HTTPResponse(.ok, type: "application/json", body: Array("[]".utf8))

  /// Reasons that are the sender's fault, not the receiver's.
  private static let faults: Set<Rejection.Reason> = [.malformed, .coordinate, .time, .tooLong]

  private let isPhone: Bool
  private let status: HTTPStatus
  private let failure: String?
  /// The message's line for each fix passed to the session.
  private let lineNumbers: [Int32?]
  private var acceptedCount: Int
  /// Fixes that the session has not judged yet.
  private var heldCount = 0
  private var rejections: [Rejection]
  private var rejectedCounts: RejectionCounts

  /// - Parameters:
  ///   - posted: The parsed message.
  ///   - isPhone: Whether the client is an app that checks only for success.
  init(_ posted: PostedFixes, isPhone: Bool) {
    self.isPhone = isPhone
    failure = posted.failure
    lineNumbers = posted.lineNumbers
    acceptedCount = posted.acceptedCount
    rejections = posted.rejections
    rejectedCounts = posted.rejectedCounts
    let isBad =
      posted.failure != nil
      || posted.rejectedCounts.nonZero.contains { Self.faults.contains($0.reason) }
    status =
      if posted.isTooLarge {
        .contentTooLarge
      } else if posted.isUnrecognised && posted.acceptedCount == 0 {
        .unsupportedMediaType
      } else {
        // Late and duplicate fixes are no fault: a retry would change nothing.
        isBad ? .badRequest : .ok
      }
  }

  /// The answer if no fix was passed to the session.
  var response: HTTPResponse {
    if isPhone, status == .ok { return Self.taken }
    return HTTPResponse(status, type: "application/json", body: Array((json + "\n").utf8))
  }

  /// The answer after the session has judged the fixes.
  func response(after account: IntakeAccount) -> HTTPResponse {
    guard account.isSaved else {
      return HTTPResponse(
        .unavailable, sentence: "the state cannot be saved at the moment; please send them again",
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
      Rejection(reason: refusal.reason, line: lineNumbers[refusal.index].map(Int.init))
    }
    rejections.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    rejections = Array(rejections.prefix(PostedFixes.mostRejections))
  }

  /// The account as JSON.
  private var json: String {
    var output = OutputBuffer()
    output.append("{\"accepted\":")
    output.append(decimal: acceptedCount)
    output.append(",\"rejected\":")
    output.append(decimal: rejectedCounts.total)
    if heldCount > 0 {
      output.append(",\"held\":")
      output.append(decimal: heldCount)
    }
    output.append(",\"reasons\":{")
    for (index, (reason, count)) in rejectedCounts.nonZero.enumerated() {
      if index > 0 { output.append(",") }
      output.append(json: reason.rawValue)
      output.append(":")
      output.append(decimal: count)
    }
    output.append("},\"rejections\":[")
    for (index, rejection) in rejections.enumerated() {
      if index > 0 { output.append(",") }
      Self.append(rejection, to: &output)
    }
    output.append("],\"error\":")
    if let failure { output.append(json: failure) } else { output.append("null") }
    output.append("}")
    return output.text
  }

  private static func append(_ rejection: Rejection, to output: inout OutputBuffer) {
    output.append("{\"line\":")
    if let line = rejection.line { output.append(decimal: line) } else { output.append("null") }
    output.append(",\"reason\":")
    output.append(json: rejection.reason.rawValue)
    if let detail = rejection.detail {
      output.append(",\"detail\":")
      output.append(json: detail)
    }
    output.append("}")
  }
}
