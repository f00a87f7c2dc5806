public import ArgumentParser
public import Fencepost
public import FencepostNotifications

extension AlertTrigger: ExpressibleByArgument {}

/// The notification policy, as options.
struct AlertArguments: ParsableArguments {
  @Option(help: "Which event about a place alerts.")
  var alertOn = Given(AlertTrigger.enter)

  @Option(
    help: ArgumentHelp(
      "How long a place that alerted stays silent: a duration, ‘forever’, or ‘none’.",
      valueName: "duration"))
  var cooldown = Cooldown.days(7)

  @Option(
    help: ArgumentHelp(
      "When nothing alerts, by the clock of --time-zone; may run over midnight.",
      valueName: "HH:MM-HH:MM"))
  var quietHours: TimeSpanArgument?

  @Option(
    // An offset may begin with a minus, which is not an option.
    parsing: .unconditional,
    help: ArgumentHelp(
      "Whose clock --quiet-hours, the table of events, an explanation and the hours of an analysis mean: a name "
        + "such as America/New_York, or an offset such as -05:00.",
      valueName: "zone"))
  var timeZone = ClockZone.utc

  @Option(
    help: ArgumentHelp(
      "Nothing alerts above this speed, nor for two minutes after.", valueName: "speed"))
  var maxAlertSpeed: SpeedArgument?

  /// The policy.
  var options: AlertPolicy.Options {
    var options = AlertPolicy.Options()
    options.cooldown = cooldown
    options.maxAlertSpeedMetersPerSecond = maxAlertSpeed?.metersPerSecond
    options.quietHours = quietHours.flatMap {
      QuietHours(start: $0.start, end: $0.end, zone: timeZone)
    }
    return options
  }
}

/// A cool-down on the command line: a duration, `forever`, or `none`.
extension Cooldown: ExpressibleByArgument {
  /// Parses a duration, rounded up to seconds, or a word.
  public init?(argument: String) {
    switch argument {
    case "none": self = .none
    case "forever": self = .forever
    default:
      guard let duration = DurationArgument(argument: argument) else { return nil }
      self = .seconds((duration.milliseconds + 999) / 1000)
    }
  }

  /// The cool-down as the user would write it.
  public var defaultValueDescription: String {
    switch self {
    case .none: "none"
    case .forever: "forever"
    case .seconds(let seconds): DurationArgument.seconds(seconds).defaultValueDescription
    }
  }

  /// The words.
  public static var allValueStrings: [String] { ["none", "forever"] }
}

/// A daily span of time on the command line: `22:00-07:00`.
struct TimeSpanArgument: ExpressibleByArgument {
  /// When it begins.
  var start: TimeOfDay
  /// When it is over.
  var end: TimeOfDay

  init?(argument: String) {
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = TimeOfDay(String(parts[0])),
      let end = TimeOfDay(String(parts[1])), start != end
    else { return nil }
    self.start = start
    self.end = end
  }
}

/// A time zone on the command line, by name or by offset.
extension ClockZone: ExpressibleByArgument {
  /// Parses a name such as `America/New_York`, or an offset such as `-05:00`.
  public init?(argument: String) { self.init(identifier: argument) }

  /// The name or offset.
  public var defaultValueDescription: String { identifier }
}
