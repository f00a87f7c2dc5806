package import Foundation

/// The answer to a posted event, as `curl` prints it: the heads of all responses, its error message if
/// any, and the status on the last line.
package struct WebhookAnswer: Equatable {
  /// The status of the last response, 0 if none came.
  package var status = 0
  /// The pause that the server asks for, in milliseconds; nil if it does not.
  package var retryAfterMilliseconds: Int64?
  /// The target of a redirect, if any.
  package var location: String?
  /// The error message of `curl`, if any.
  package var complaint: String?

  /// How much of an address is quoted to the user.
  private static var quotedLength: Int { 200 }

  /// Parses the output of `curl`.
  ///
  /// - Parameters:
  ///   - output: The complete output.
  ///   - epochNow: The time in milliseconds since 1970.
  package init(_ output: Data, epochNow: Int64) {
    var headers: [String: String] = [:]
    // Split by bytes, as CR LF is a single Character.
    let lines = output.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    for line in lines {
      if line.hasPrefix("HTTP/") {
        // The head of another response, as after `100 Continue` or a proxy's.
        headers = [:]
      } else if line.hasPrefix("curl: ") {
        let words = line.dropFirst(6)
        let text = words.hasPrefix("(") ? words.drop { $0 != ")" }.dropFirst(2) : words
        complaint = complaint ?? String(text)
      } else if let colon = line.firstIndex(of: ":") {
        headers[line[..<colon].lowercased()] =
          line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
    }
    status = lines.last.flatMap { Int($0) } ?? 0
    location = headers["location"]
    retryAfterMilliseconds = headers["retry-after"].flatMap {
      RetryAfter.milliseconds($0, date: headers["date"], epochNow: epochNow)
    }
  }

  /// The outcome of the delivery.
  package var outcome: DeliveryOutcome {
    if 200...299 ~= status { return .delivered }
    var failure = DeliveryFailure(
      reason: "it answered with status \(status)", kind: "status \(status)",
      retryAfterMilliseconds: retryAfterMilliseconds)
    switch status {
    case 0:
      failure.reason = "no answer"
      if let complaint { failure.reason += " (\(complaint))" }
      failure.kind = "no answer"
    case 300...399:
      let place = location.map { " to \($0.prefix(Self.quotedLength))" } ?? ""
      failure.reason += "\(place), and redirects are not followed"
    // Too early, too slow or too many: not the fault of this event.
    case 408, 425, 429: break
    case 400...499: failure.isOfDelivery = true
    default: break
    }
    return .failed(failure)
  }
}
