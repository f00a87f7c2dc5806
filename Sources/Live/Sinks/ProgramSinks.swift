import Foundation

/// Runs a program for each event.
struct ExecSink: Sendable {
  /// The program and its arguments.
  let arguments: [String]
  /// How long a run may take.
  let timeoutMilliseconds: Int

  func deliver(_ delivery: OwedDelivery, _ context: DeliveryContext) -> DeliveryOutcome {
    var variables: [String: String] = [:]
    for (name, value) in delivery.fields {
      variables["FENCEPOST_\(name)"] = value.shortened
    }
    let program = ChildProcess(
      arguments: arguments, environment: variables, input: delivery.line,
      timeoutMilliseconds: timeoutMilliseconds)
    let (ending, _) = program.run(context)
    return ending.outcome(of: arguments[0], timeoutMilliseconds: timeoutMilliseconds)
  }
}

/// Shows each event on the desktop, through `notify-send`.
struct NotifySink: Sendable {
  private static var timeoutMilliseconds: Int { 10_000 }

  func deliver(_ delivery: OwedDelivery, _ context: DeliveryContext) -> DeliveryOutcome {
    let title = delivery.fields["TITLE"] ?? ""
    let blurb = delivery.fields["BLURB"] ?? ""
    let program = ChildProcess(
      arguments: [
        "notify-send", "--app-name=fencepost", "--",
        (title.isEmpty ? delivery.fields["PLACE"] ?? "fencepost" : title).shortened,
        Self.markup(blurb.shortened),
      ],
      timeoutMilliseconds: Self.timeoutMilliseconds)
    let (ending, _) = program.run(context)
    return ending.outcome(of: "notify-send", timeoutMilliseconds: Self.timeoutMilliseconds)
  }

  /// Escapes a notification's body, which most desktops treat as markup.
  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension String {
  /// The text cut to 16 KiB, an eighth of the system's limit for an argument, since markup lengthens it.
  fileprivate var shortened: String {
    guard utf8.count > 16 * 1024 else { return self }
    var end = utf8.index(startIndex, offsetBy: 16 * 1024)
    // Never within a character.
    while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}

extension ChildProcess.Ending {
  /// The outcome of a delivery whose program ended so.
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
