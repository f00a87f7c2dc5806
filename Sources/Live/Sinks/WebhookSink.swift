import Foundation

/// Posts each event to an address.
///
/// The request is made by the program `curl`, a process each: alerts are rare, and a network library
/// in this program would cost every start of every command. The address and its secrets are given to it
/// through a pipe, where no list of processes shows them, and the event on standard input.
///
/// At least once: an answer that is lost on the way makes the event come twice, both times with the
/// same `Idempotency-Key`. Answers 2xx take it; after any other, and after none, it is tried again as
/// ``DeliverySchedule`` says. Redirects are not followed: events go to no address that the user did not
/// name, and `curl` would not post to most of them.
struct WebhookSink: Sendable {
  /// Where events are posted to.
  let url: String
  /// Distinguishes the events of this state from those of any other.
  let instance: String
  /// How long a request may take.
  let timeoutMilliseconds: Int

  /// Makes one request.
  func deliver(_ delivery: OwedDelivery, _ patience: SinkQueue.Patience) -> DeliveryOutcome {
    let curl = ChildProcess(
      arguments: ["curl", "--disable", "--silent", "--show-error", "--config", "/dev/fd/3"],
      input: delivery.line, settings: Data(configuration(delivery).utf8),
      timeoutMilliseconds: timeoutMilliseconds + 1000)
    let (ending, output) = curl.run(patience, keepsOutput: true)
    switch ending {
    case .exited: return WebhookAnswer(output, epochNow: MonotonicClock.epochMilliseconds).outcome
    case .signalled, .timedOut:
      return .failed(DeliveryFailure(reason: "no answer in time", kind: "no answer"))
    case .abandoned: return .unfinished
    case .notStarted(let code):
      let reason = "curl: \(SystemError(code).sentence)"
      return .failed(DeliveryFailure(reason: reason, kind: reason))
    }
  }

  /// The request in the form of curl's configuration file.
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
