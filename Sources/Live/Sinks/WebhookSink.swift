import FencepostFormats
import FencepostTime
package import Foundation

/// Posts each event to an address.
///
/// The program `curl` makes each request: alerts are rare, and an HTTPS library would slow the
/// start of every command. `curl` reads the address and its secrets from a pipe, where no list of
/// processes shows them, and the event from standard input.
///
/// Delivers at least once: after a lost answer an event is posted again with the same
/// `Idempotency-Key`. A 2xx answer accepts it; after any other, or none, ``DeliverySchedule``
/// retries it. Redirects are not followed: events go only to the address that the user named, and
/// `curl` would not post to most redirects.
struct WebhookSink: Sendable {
  let url: String
  /// Distinguishes the events of this state from those of any other.
  let instance: String
  let timeoutMilliseconds: Int

  func deliver(_ delivery: OwedDelivery, _ context: DeliveryContext) -> DeliveryOutcome {
    let curl = ChildProcess(
      arguments: ["curl", "--disable", "--silent", "--show-error", "--config", "/dev/fd/3"],
      input: delivery.line, settings: Data(configuration(delivery).utf8),
      timeoutMilliseconds: timeoutMilliseconds + 1000)
    let (ending, output) = curl.run(context, keepsOutput: true)
    switch ending {
    case .exited: return WebhookAnswer(output, epochNow: SystemTime.epochMilliseconds).outcome
    case .signalled, .timedOut:
      return .failed(DeliveryFailure(reason: "no answer in time", kind: "no answer"))
    case .abandoned: return .unfinished
    case .notStarted(let code):
      let reason = "curl: \(SystemError(code).sentence)"
      return .failed(DeliveryFailure(reason: reason, kind: reason))
    }
  }

  /// The request as a configuration file of `curl`.
  private func configuration(_ delivery: OwedDelivery) -> String {
    """
    globoff
    url = \(Self.quoted(url))
    request = "POST"
    header = "Content-Type: application/json"
    header = "Idempotency-Key: \(instance)-\(delivery.sequence)"
    data-binary = "@-"
    max-time = \(Double(timeoutMilliseconds) / 1000)
    output = "/dev/null"
    dump-header = "-"
    stderr = "-"
    write-out = "\\n%{http_code}\\n"

    """
  }

  private static func quoted(_ text: String) -> String {
    "\""
      + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n").replacing("\r", with: "\\r").replacing("\t", with: "\\t") + "\""
  }
}

/// Checks a webhook's address.
package enum WebhookAddress {
  /// The most bytes of an address.
  package static var mostBytes: Int { 2048 }

  /// What is wrong with an address, as a sentence; nil if nothing is.
  ///
  /// It must begin with `http://` or `https://`, followed by a host and optionally a port from 1 to
  /// 65,535.
  package static func fault(in text: String) -> String? {
    guard let rest = ["http://", "https://"].compactMap({ text.after($0) }).first else {
      return "the address must begin with http:// or https://"
    }
    guard text.utf8.count <= mostBytes else {
      return "the address must not be longer than \(mostBytes) bytes"
    }
    guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      return "the address cannot contain spaces or control characters; write a space as %20"
    }
    let authority = rest.prefix { !"/?#".contains($0) }
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    let host = LiveAddress.hostAndPort(place ?? authority)?.host
    return host?.isEmpty == false ? nil : "‘\(authority)’ must be HOST or HOST:PORT"
  }
}

/// The answer to a posted event, as `curl` prints it: the heads of all responses, its error message
/// if any, and the status on the last line.
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

/// Parses the HTTP header `Retry-After`: seconds or a date (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// Parses the header.
  ///
  /// - Parameters:
  ///   - value: The value of the header.
  ///   - date: The `Date` header of the same response, so that wrong clocks do no harm; nil if missing.
  ///   - epochNow: This machine's time in milliseconds since 1970, in case `date` is unusable.
  /// - Returns: The pause in milliseconds, 0 or more; nil if malformed.
  package static func milliseconds(_ value: String, date: String?, epochNow: Int64) -> Int64? {
    if !value.isEmpty, value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
      // A number that overflows exceeds every bound.
      guard let seconds = Int64(value), seconds < Int64.max / 1000 else { return Int64.max }
      return seconds * 1000
    }
    guard let then = instant(value) else { return nil }
    return max(0, then - (date.flatMap(instant) ?? epochNow))
  }

  /// An HTTP date as `Sun, 06 Nov 1994 08:49:37 GMT`, in milliseconds since 1970; servers no longer
  /// send its older forms.
  package static func instant(_ text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", words[4] < "24",
      let month = months.firstIndex(where: { $0 == words[2] })
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return ISO8601.milliseconds(parsing: "\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
