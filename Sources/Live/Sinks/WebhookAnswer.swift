package import Foundation

/// What came back from an address that an event was posted to, as `curl` prints it: the heads of all
/// answers, its own words where something went wrong, and the status on the last line.
package struct WebhookAnswer: Equatable {
  /// The status of the last answer, 0 where there was none.
  package var status = 0
  /// How long the server asks to wait, in milliseconds; nil where it does not.
  package var retryAfterMilliseconds: Int64?
  /// Where the server says that the address has gone; nil where it does not.
  package var location: String?
  /// What `curl` says went wrong, nil where it says nothing.
  package var complaint: String?

  /// So much of an address is repeated to the user.
  private static var quotedLength: Int { 200 }

  /// Reads what `curl` printed.
  ///
  /// - Parameters:
  ///   - output: All of it.
  ///   - epochNow: The time in milliseconds since 1970.
  package init(_ output: Data, epochNow: Int64) {
    var headers: [String: String] = [:]
    // Not by characters, of which a return and a line end are one.
    let lines = output.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    for line in lines {
      if line.hasPrefix("HTTP/") {
        // The head of another answer, as behind `100 Continue` or that of a proxy.
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

  /// What a delivery that was answered so came to.
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
    // Too early, too slow or too many: true of whatever is posted.
    case 408, 425, 429: break
    case 400...499: failure.isOfDelivery = true
    default: break
    }
    return .failed(failure)
  }
}
