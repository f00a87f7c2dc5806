#if Command
import FencepostFormats
import FencepostStateFile
import FencepostTime
package import FoundationEssentials

/// Posts each event to a URL.
///
/// The program `curl` makes each request: alerts are rare, and an HTTPS library would slow the
/// start of every command. `curl` reads the URL and its secrets from a pipe, where they do not
/// appear in a process list, and the event from standard input.
///
/// Delivers at least once: after a lost response an event is posted again with the same
/// `Idempotency-Key`. A 2xx response accepts the event. After any other, or none,
/// ``DeliverySchedule`` retries. Redirects are not followed: events go only to the URL that the
/// user named, and `curl` would not post to most redirects.
struct WebhookSink: Sendable {
  let url: String
  let instance: String
  let timeoutMilliseconds: Int

  func deliver(_ delivery: OwedDelivery, unless mustStop: () -> Bool) -> DeliveryOutcome {
    let curl = ChildProcess(
      arguments: ["curl", "--disable", "--silent", "--show-error", "--config", "/dev/fd/3"],
      input: delivery.line, settings: Data(configuration(delivery).utf8),
      timeoutMilliseconds: timeoutMilliseconds + 1000)
    let (ending, output) = curl.run(keepsOutput: true, unless: mustStop)
    switch ending {
    case .exited: return WebhookAnswer(output, epochNow: SystemTime.epochMilliseconds).outcome
    case .signaled, .timedOut:
      return .failed(DeliveryFailure(reason: "no answer in time", kind: "no answer"))
    case .abandoned: return .unfinished
    case .notStarted(let code):
      let reason = "curl: \(SystemError(code).sentence)"
      return .failed(DeliveryFailure(reason: reason, kind: reason))
    }
  }

  private func configuration(_ delivery: OwedDelivery) -> String {
    """
    globoff
    url = \(Self.quoted(url))
    request = "POST"
    header = "Content-Type: application/json"
    header = "Idempotency-Key: \(instance)-\(delivery.sequence)-\(Self.checksum(delivery.line))"
    data-binary = "@-"
    max-time = \(Double(timeoutMilliseconds) / 1000)
    output = "/dev/null"
    dump-header = "-"
    stderr = "-"
    write-out = "\\n%{http_code}\\n"

    """
  }

  /// Tells an alert from another with the same number, as after a state was restored from a copy.
  private static func checksum(_ line: Data) -> String {
    String(StateFile.checksum(of: Array(line)), radix: 16)
  }

  private static func quoted(_ text: String) -> String {
    "\""
      + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n").replacing("\r", with: "\\r").replacing("\t", with: "\\t") + "\""
  }
}

/// Checks the address of a webhook before a session begins.
///
/// A session may run for days before its first alert, which is too late to find a typing error.
package enum WebhookAddress {
  /// The most bytes of an address.
  package static var mostBytes: Int { 2048 }

  /// What is wrong with a URL, which needs `http://` or `https://`, a host and a valid port if any.
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
    return host?.isEmpty == false ? nil : "“\(authority)” must be HOST or HOST:PORT"
  }
}

/// The response to a posted event as `curl` prints it: heads, an error message, and the status.
///
/// The status is 0 if the server gave no answer.
package struct WebhookAnswer: Equatable {
  /// The HTTP status, 100 to 599; 0 without an answer.
  package var status = 0
  /// The pause that the server requests, in milliseconds, if any.
  package var retryAfterMilliseconds: Int64?
  /// Where a redirect leads, which is named in the failure but not followed; nil without one.
  package var location: String?
  /// The error message of `curl`; nil without one.
  package var complaint: String?

  /// Reads what `curl` printed; `epochNow` is the time in milliseconds since 1970.
  package init(_ output: Data, epochNow: Int64) {
    var headers: [String: String] = [:]
    // Split by bytes, because CR LF is a single Character.
    let lines = output.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self).trimmed
    }
    for line in lines {
      if line.hasPrefix("HTTP/") {
        // Another response follows, for example after `100 Continue` or a proxy's.
        headers = [:]
      } else if line.hasPrefix("curl: ") {
        let words = line.dropFirst(6)
        let text = words.hasPrefix("(") ? words.drop { $0 != ")" }.dropFirst(2) : words
        complaint = complaint ?? String(text)
      } else if let colon = line.firstIndex(of: ":") {
        headers[line[..<colon].lowercased()] =
          line[line.index(after: colon)...].trimmed
      }
    }
    status = lines.last.flatMap { Int($0) } ?? 0
    location = headers["location"]
    retryAfterMilliseconds = headers["retry-after"].flatMap {
      RetryAfter.milliseconds($0, date: headers["date"], epochNow: epochNow)
    }
  }

  /// What the answer means: only a status from 200 to 299 is a delivery.
  ///
  /// Statuses 400 to 499 blame the event, except 408, 425 and 429, which ask for patience.
  /// Everything else blames the server or the way to it.
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
      let place = location.map { " to \($0.prefix(200))" } ?? ""
      failure.reason += "\(place), and redirects are not followed"
    // Too early, too slow or too many: the event is not at fault.
    case 408, 425, 429: break
    case 400...499: failure.isOfDelivery = true
    default: break
    }
    return .failed(failure)
  }
}

/// Reads HTTP's `Retry-After`, by which a server says when to try again (RFC 9110).
///
/// The value is a number of seconds or a date.
package enum RetryAfter {
  /// Parses the header relative to `date`, the response's `Date`, which makes up for wrong clocks.
  ///
  /// - Returns: The pause in milliseconds, 0 or more; nil if malformed.
  package static func milliseconds(_ value: String, date: String?, epochNow: Int64) -> Int64? {
    if !value.isEmpty, value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
      // A number that overflows exceeds every limit.
      guard let seconds = Int64(value), seconds < Int64.max / 1000 else { return Int64.max }
      return seconds * 1000
    }
    guard let then = instant(value) else { return nil }
    return max(0, then - (date.flatMap(instant) ?? epochNow))
  }

  /// Parses an HTTP date such as `Sun, 06 Nov 1994 08:49:37 GMT`, in milliseconds since 1970.
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
#endif
