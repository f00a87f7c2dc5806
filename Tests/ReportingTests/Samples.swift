import FencepostSession
import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones
import FencepostReporting

/// The events that the tests write.
enum Samples {
  /// The enter of the documentation's example.
  static let encounter = Encounter(
    track: "walk.gpx", segment: 0, fix: 123, fraction: 0.25, timeMilliseconds: 1_772_643_612_250,
    coordinate: Coordinate(latitudeDegrees: 39.949612, longitudeDegrees: -75.150334),
    placeID: "independence-hall", title: "Independence Hall", distanceMeters: 100)

  /// An enter of a device within a stream, without time, found across a break.
  static let bare = Encounter(
    track: "-", device: "anna", segment: 2, fix: 0, fraction: 1, timeMilliseconds: nil,
    coordinate: Coordinate(latitudeDegrees: -0.00000004, longitudeDegrees: 180),
    placeID: "7", title: "", distanceMeters: 49.96, isAcrossBreak: true)

  /// A story with all its parts.
  static var story: Encounter {
    var encounter = encounter
    encounter.url = "https://example.org/?a=1&b=2"
    encounter.blurb = "Where it was signed"
    encounter.category = "history"
    return encounter
  }

  /// A dwell, two minutes after the enter.
  static var dwell: Encounter {
    var dwell = encounter
    dwell.crossed = Encounter.Crossed(timeMilliseconds: 1_772_643_492_250)
    return dwell
  }

  static let refresh = RefreshEvent(
    track: "walk.gpx", segment: 0, fix: 130, fraction: 1, timeMilliseconds: 1_772_643_613_000,
    coordinate: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.15), monitored: 20,
    added: 7, removed: 7, radiusMeters: 812.44)

  static let failedRefresh = RefreshEvent(
    track: "walk.gpx", segment: 0, fix: 0, fraction: 1, timeMilliseconds: nil,
    coordinate: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0), monitored: 0, added: 0,
    removed: 0, radiusMeters: nil, reachMeters: .infinity, failure: "the store is locked")

  static let summary = {
    var summary = TrackSummary(track: "walk.gpx")
    (summary.fixes, summary.segments) = (1812, 1)
    summary.rejected = ["late": 1, "checksum": 2]
    summary.firstMilliseconds = 1_772_643_600_000
    summary.lastMilliseconds = 1_772_647_200_500
    (summary.lengthMeters, summary.refreshes) = (9790.14, 31)
    (summary.enters, summary.exits, summary.alerts) = (12, 12, 9)
    summary.suppressed = ["cooldown": 3]
    return summary
  }()

  /// A track that was watched, was not certified, and ended early.
  static let uncertified = {
    var summary = TrackSummary(track: "a.nmea", device: "anna")
    (summary.fixes, summary.segments) = (1, 1)
    (summary.neverMonitored, summary.certified) = (2, false)
    summary.uncertified = [
      UncertifiedSpan(
        start: .init(
          fix: 3, coordinate: Coordinate(latitudeDegrees: 1, longitudeDegrees: 2),
          timeMilliseconds: 0),
        end: .init(
          fix: 4, coordinate: Coordinate(latitudeDegrees: 1.5, longitudeDegrees: 2),
          timeMilliseconds: nil),
        lengthMeters: 12.25)
    ]
    summary.error = "a.nmea: line 3: \"x\" is no number"
    return summary
  }()

  /// One of each kind.
  static let all: [Event] = [
    .enter(encounter), .exit(bare), .alert(story, Alert(deliveryMilliseconds: 1_772_643_613_250)),
    .suppressed(encounter, reason: "cooldown"), .refresh(refresh), .refresh(failedRefresh),
    .summary(summary), .summary(uncertified), .dwell(dwell),
  ]

  /// Titles that have broken, or could break, somebody's page, terminal, table or parser.
  static let hostileTexts = [
    "</script><img src=x onerror=alert(1)>",
    "<!-- ]]> \"'&amp;",
    "line\nbreak\r\nand\ttab",
    "NUL \0 BEL \u{07} ESC \u{1B}[31m DEL \u{7F} CSI \u{9B}2J",
    "\u{202E}txt.exe\u{202C} \u{2066}x\u{2069} \u{200F}\u{061C}",
    "line \u{2028} and paragraph \u{2029}",
    "=HYPERLINK(\"http://evil\",\"x\")",
    "+1+1", "-1", "@SUM(A1)", "＝1", "\t=1",
    "back\\slash, comma; semicolon",
    "日本語の題名 👩‍👩‍👧‍👦 e\u{301} 🇺🇸 \u{FFFE}\u{FFFF}\u{10FFFF}",
    " spaces at both ends ",
    String(repeating: "long ", count: 400),
  ]
}

/// What a writer appends, as text.
func written(_ body: (inout OutputBuffer) -> Void) -> String {
  var buffer = OutputBuffer()
  body(&buffer)
  return buffer.text
}

extension StoryChance {
  /// What these trials would bring.
  init(
    _ counts: [TrialOutcome: Int], _ runs: Runs, delaySeconds: QuantileSketch,
    fromEdgeMeters: QuantileSketch
  ) {
    self.init()
    for (outcome, times) in counts { add(outcome, times: times) }
    (self.runs, self.delaySeconds, self.fromEdgeMeters) = (runs, delaySeconds, fromEdgeMeters)
  }
}
