import Foundation

/// Posts each event to an address.
///
/// The program `curl` makes each request: alerts are rare, and an HTTPS library would slow the start of
/// every command. `curl` reads the address and its secrets from a pipe, where no list of processes shows
/// them, and the event from standard input.
///
/// Delivers at least once: after a lost answer an event is posted again with the same `Idempotency-Key`.
/// A 2xx answer accepts it; after any other, or none, ``DeliverySchedule`` retries it. Redirects are not
/// followed: events go only to the address that the user named, and `curl` would not post to most
/// redirects.
struct WebhookSink: Sendable {
  /// The address.
  let url: String
  /// Distinguishes the events of this state from those of any other.
  let instance: String
  /// How long a request may take.
  let timeoutMilliseconds: Int

  /// Makes one request.
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
public enum WebhookAddress {
  /// The most bytes of an address.
  public static var mostBytes: Int { 2048 }

  /// What is wrong with an address, as a sentence; nil if nothing is.
  ///
  /// It must begin with `http://` or `https://`, followed by a host and optionally a port from 1 to 65,535.
  public static func fault(in text: String) -> String? {
    guard let rest = ["http://", "https://"].compactMap({ text.after($0) }).first else {
      return "an address begins with http:// or https://"
    }
    guard text.utf8.count <= mostBytes else {
      return "an address has at most \(mostBytes) bytes"
    }
    guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      return "an address has no blanks or controls; write them as %20 and the like"
    }
    let authority = rest.prefix { !"/?#".contains($0) }
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    let host = LiveAddress.hostAndPort(place ?? authority)?.host
    return host?.isEmpty == false ? nil : "‘\(authority)’ is no host, nor one with a port"
  }
}
