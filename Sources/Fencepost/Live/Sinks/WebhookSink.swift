import Foundation

/// Posts each event to an address, and again until it is taken.
///
/// The request is made by the program `curl`, a process each: alerts are rare, and a network library
/// in this program would cost every start of every command. The address and its secrets are given to it
/// through a pipe, where no list of processes shows them, and the event on standard input.
///
/// At least once: an answer that is lost on the way makes the event come twice, both times with the
/// same `Idempotency-Key`. Answers 2xx take it. 408, 425, 429, 5xx and no answer at all are tried
/// again, after half a second and then ever later, a minute at most. Any other answer refuses it.
struct WebhookSink: Sendable {
  /// Where events are posted to.
  let url: String
  /// Distinguishes the events of this state from those of any other.
  let instance: String
  /// How long a request may take.
  let timeoutMilliseconds: Int

  func deliver(_ delivery: OwedDelivery, _ patience: SinkQueue.Patience) -> DeliveryOutcome {
    var backoff = Backoff(leastMilliseconds: 500, mostMilliseconds: 60_000)
    var wasTold = false
    while true {
      let answer = post(delivery, patience)
      switch answer {
      case .taken:
        if wasTold { patience.say("webhook: answers again") }
        return .delivered
      case .refused(let status): return .refused("it answered with status \(status)")
      case .ended: return .unfinished
      case .missing(let reason): return .refused(reason)
      case .notNow(let reason):
        if !wasTold { patience.say("webhook: \(reason); trying again") }
        wasTold = true
      }
      guard patience.wait(milliseconds: backoff.next()) else { return .unfinished }
    }
  }

  private enum Answer {
    case taken
    case refused(Int)
    case notNow(String)
    case ended
    case missing(String)
  }

  private func post(_ delivery: OwedDelivery, _ patience: SinkQueue.Patience) -> Answer {
    let settings = Data(configuration(delivery).utf8)
    guard settings.count < Self.mostSettingsBytes else {
      return .missing("the address is too long")
    }
    let curl = ChildProcess(
      arguments: ["curl", "--disable", "--silent", "--show-error", "--config", "/dev/fd/3"],
      input: delivery.line, settings: settings,
      timeoutMilliseconds: timeoutMilliseconds + 1000)
    let (ending, output) = curl.run(patience, keepsOutput: true)
    switch ending {
    case .exited(0): return Self.answer(Int(String(decoding: output, as: UTF8.self)) ?? 0)
    // curl cannot make anything of the address, and never will.
    case .exited(3): return .missing("the address is malformed")
    case .exited(let status): return .notNow("no answer (curl ended with status \(status))")
    case .signalled, .timedOut: return .notNow("no answer in time")
    case .abandoned: return .ended
    case .notStarted(let code):
      // The text belongs to the C library and is copied at once.
      return .missing("curl: \(unsafe String(cString: strerror(code)))")
    }
  }

  private static func answer(_ status: Int) -> Answer {
    switch status {
    case 200...299: .taken
    case 408, 425, 429, 500...599: .notNow("it answered with status \(status)")
    case 0: .notNow("no answer")
    default: .refused(status)
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
    write-out = "%{http_code}"

    """
  }

  /// What a pipe holds on every system, less what else stands there.
  private static var mostSettingsBytes: Int { 4096 }

  private static func quoted(_ text: String) -> String {
    "\""
      + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n").replacing("\r", with: "\\r").replacing("\t", with: "\\t") + "\""
  }
}
