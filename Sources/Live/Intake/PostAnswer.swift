import Fixes
import Formats
import HTTP
import Reporting

/// The answer to a post of fixes: how many count, and of each that does not, why and where it stands.
///
/// What the message tells is known at once, and what the session makes of its fixes (some may be late,
/// or be there already) when it has them. A success means that the session has whatever is counted as
/// accepted or held, and that it is in the state file, where there is one.
struct PostAnswer: Sendable {
  /// What an app expects whose message was taken; others would keep it, and all that follow it.
  static let taken = HTTPResponse(.ok, type: "application/json", body: Array("[]".utf8))

  /// What is wrong with the sender's message, rather than with what its receiver saw or garbled.
  private static let faults: Set<Rejection.Reason> = [.malformed, .coordinate, .time, .tooLong]

  private let isPhone: Bool
  private let status: HTTPStatus
  private let failure: String?
  /// The line of the message for each fix that went to the session.
  private let lineNumbers: [Int32?]
  private var acceptedCount: Int
  /// Those that the session has, and has neither accepted nor refused so far.
  private var heldCount = 0
  private var rejections: [Rejection]
  private var rejectedCounts: RejectionCounts

  /// - Parameters:
  ///   - posted: What was read of the message.
  ///   - isPhone: Whether it came from an app that looks at nothing but success.
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
        // Those that are late or were there already are no fault: sent again they would be so again.
        isBad ? .badRequest : .ok
      }
  }

  /// The answer where nothing went to the session.
  var response: HTTPResponse {
    if isPhone, status == .ok { return Self.taken }
    return HTTPResponse(status, type: "application/json", body: Array((json + "\n").utf8))
  }

  /// The answer when the session has the fixes.
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
