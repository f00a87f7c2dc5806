import ArgumentParser
import FencepostAnalysis
import FencepostFormats
import FencepostNotifications
import FencepostTime

/// Which fixes of tracks count.
struct SelectionArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only fixes from then on: a day by the clock of --time-zone, or a time with its offset.",
      valueName: "time"))
  var from: PeriodEnd?

  @Option(
    help: ArgumentHelp(
      "Only fixes before then; of a day, those of the day too.", valueName: "time"))
  var to: PeriodEnd?

  @Option(
    // A longitude may begin with a minus, which is not an option.
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only fixes in this box of decimal degrees.",
      discussion: """
        Tracks are followed as if the other fixes had not been recorded: a path that leaves the box is \
        broken there, and a track without a fix in the period and box is left out.
        """,
      valueName: "W,S,E,N"))
  var bbox: BoxArgument?

  func validate() throws {
    guard let from, let to else { return }
    let zone = ClockZone.utc
    guard from.start(in: zone) < to.end(in: zone) else {
      throw ValidationError("--from is before --to")
    }
  }

  /// Whether some fixes may be left out.
  var isWanted: Bool { from != nil || to != nil || bbox != nil }

  /// The selection, with days by a clock.
  func selection(in zone: ClockZone) -> TrackSelection {
    TrackSelection(
      fromMilliseconds: from?.start(in: zone), toMilliseconds: to?.end(in: zone), box: bbox?.box)
  }

  /// Checks the selection against how paths are joined.
  func check(_ path: PathArguments) throws {
    guard bbox == nil || !path.joinSegments else {
      throw ValidationError(
        "--join-segments would join what --bbox cuts apart; give one of the two")
    }
  }
}

/// An end of a period on the command line: `2026-03-04` or `2026-03-04T12:00:00Z`.
enum PeriodEnd: ExpressibleByArgument, Sendable {
  /// A day by the clock of a zone.
  case day(CivilDate)
  /// An instant in milliseconds since 1970.
  case instant(Int64)

  /// Parses a date, or a time with its offset from UTC.
  init?(argument: String) {
    if let date = CivilDate(argument: argument) {
      self = .day(date)
    } else if let instant = InstantArgument(argument: argument) {
      self = .instant(instant.milliseconds)
    } else {
      return nil
    }
  }

  /// The first millisecond since 1970 of a period that begins here.
  func start(in zone: ClockZone) -> Int64 {
    switch self {
    case .day(let date): zone.milliseconds(date: date, secondOfDay: 0)
    case .instant(let milliseconds): milliseconds
    }
  }

  /// The first millisecond since 1970 after a period that ends here.
  func end(in zone: ClockZone) -> Int64 {
    switch self {
    case .day(let date):
      zone.milliseconds(
        date: CivilDate(daysSince1970: date.daysSince1970 + 1), secondOfDay: 0)
    case .instant(let milliseconds): milliseconds
    }
  }
}
