import Foundation

/// Runs a program for each event.
struct ExecSink: Sendable {
  /// The program and its arguments.
  let arguments: [String]
  /// How long a run may take.
  let timeoutMilliseconds: Int

  func deliver(_ delivery: OwedDelivery, _ patience: SinkQueue.Patience) -> DeliveryOutcome {
    var variables: [String: String] = [:]
    for (name, value) in delivery.fields {
      variables["FENCEPOST_\(name)"] = value.shortened
    }
    let program = ChildProcess(
      arguments: arguments, environment: variables, input: delivery.line,
      timeoutMilliseconds: timeoutMilliseconds)
    let (ending, _) = program.run(patience)
    return ending.outcome(of: arguments[0], timeoutMilliseconds: timeoutMilliseconds)
  }
}

/// Shows each event on the desktop, through `notify-send`.
struct NotifySink: Sendable {
  private static var timeoutMilliseconds: Int { 10_000 }

  func deliver(_ delivery: OwedDelivery, _ patience: SinkQueue.Patience) -> DeliveryOutcome {
    let title = delivery.fields["TITLE"] ?? ""
    let blurb = delivery.fields["BLURB"] ?? ""
    let program = ChildProcess(
      arguments: [
        "notify-send", "--app-name=fencepost", "--",
        (title.isEmpty ? delivery.fields["PLACE"] ?? "fencepost" : title).shortened,
        Self.markup(blurb.shortened),
      ],
      timeoutMilliseconds: Self.timeoutMilliseconds)
    let (ending, _) = program.run(patience)
    return ending.outcome(of: "notify-send", timeoutMilliseconds: Self.timeoutMilliseconds)
  }

  /// The body of a notification is markup on most desktops.
  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension String {
  /// As much as a program can be given as an argument or a variable: 16 KiB, an eighth of what the
  /// system permits, since markup makes it longer.
  fileprivate var shortened: String {
    guard utf8.count > 16 * 1024 else { return self }
    var end = utf8.index(startIndex, offsetBy: 16 * 1024)
    // Not within a character.
    while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}

extension ChildProcess.Ending {
  /// What a run that ended so means for the delivery.
  func outcome(of program: String, timeoutMilliseconds: Int) -> DeliveryOutcome {
    switch self {
    case .exited(0): .delivered
    case .exited(let status): .refused("\(program) ended with status \(status)")
    case .signalled(let signal): .refused("\(program) was ended by signal \(signal)")
    case .timedOut:
      .refused("\(program) took longer than \(timeoutMilliseconds) ms and was ended")
    case .abandoned: .unfinished
    case .notStarted(let code):
      // The text belongs to the C library and is copied at once.
      .refused("\(program): \(unsafe String(cString: strerror(code)))")
    }
  }
}
