import FencepostSession
import FencepostNotifications
import FencepostReporting
import Testing

@Suite("The text table")
struct TextWriterTests {
  @Test("The table shows alerts, entries held back with their reasons, and a summary")
  func table() {
    let staggered = Alert(deliveryMilliseconds: 1_772_643_613_250, group: ["bell"])
    let events: [Event] = [
      .alert(Samples.story, Alert(deliveryMilliseconds: 1_772_643_612_250)),
      .alert(Samples.story, staggered),
      .suppressed(Samples.encounter, reason: "cooldown"),
      .summary(Samples.summary),
    ]
    #expect(
      text(of: events, layout: TextLayout(terminalColumns: 80)) == """
        TIME      PLACE           TITLE              DISTANCE  REMARK
        walk.gpx, 2026-03-04 UTC
        17:00:12  indepen…e-hall  Independence Hall   100.0 m
        17:00:12  indepen…e-hall  Independence Hall   100.0 m  delivered 17:00:13;…
        17:00:12  indepen…e-hall  Independence Hall   100.0 m  held back: cooldown

        walk.gpx
          9 alerts from 12 entries; 3 held back: cooldown 3
          1812 fixes in 1 segment, 9790.1 m, 2026-03-04 17:00:00 to 18:00:00 UTC
          3 fixes rejected: checksum 2, late 1
          31 lookups


        """)
  }

  @Test("The table reports missing times, missing certainty and an early end")
  func missing() {
    let lines = text(of: [.exit(Samples.bare), .summary(Samples.uncertified)]).split(
      separator: "\n")
    #expect(lines[1] == "- (anna)")
    #expect(lines[2].hasPrefix("fix 0     7"))
    #expect(lines[2].hasSuffix("exit; across a break"))
    #expect(lines[5] == "  1 fix in 1 segment, 0.0 m, without times")
    #expect(
      lines[6]
        == "  0 lookups; 2 stories never watched; not certified along 12.3 m in 1 stretch"
    )
    #expect(lines[7] == "  Ended early: a.nmea: line 3: \"x\" is no number")
  }

  @Test("A heading begins where the track or the day changes")
  func headings() {
    var nextDay = Samples.encounter
    nextDay.timeMilliseconds = 1_772_643_612_250 + 86_400_000
    var other = nextDay
    other.track = "b.gpx"
    let lines = text(of: [
      .enter(Samples.encounter), .enter(nextDay), .enter(nextDay), .enter(other),
    ])
    .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[1] == "walk.gpx, 2026-03-04 UTC")
    #expect(lines[4] == "walk.gpx, 2026-03-05 UTC")
    #expect(lines[8] == "b.gpx, 2026-03-05 UTC")
  }

  @Test("The times are those of a zone's clock, and the heading has its offset")
  func zones() throws {
    let philadelphia = try #require(ClockZone(identifier: "America/New_York"))
    let lines = written { buffer in
      var writer = TextWriter(zone: philadelphia)
      writer.write(
        .alert(Samples.story, Alert(deliveryMilliseconds: 1_772_643_613_250)), to: &buffer)
      writer.write(.summary(Samples.summary), to: &buffer)
      var summer = Samples.summary
      // Clocks went forward on 8 March.
      summer.lastMilliseconds = 1_772_643_612_250 + 7 * 86_400_000
      writer.write(.summary(summer), to: &buffer)
    }.split(separator: "\n")
    #expect(lines[1] == "walk.gpx, 2026-03-04 -05:00")
    #expect(lines[2].hasPrefix("12:00:12  ") && lines[2].hasSuffix("delivered 12:00:13"))
    #expect(lines[5].hasSuffix(", 2026-03-04 12:00:00 to 13:00:00 -05:00"))
    let last = try #require(lines.last { $0.contains(" to ") })
    #expect(last.hasSuffix(", 2026-03-04 12:00:00 -05:00 to 2026-03-11 13:00:12 -04:00"))
  }

  @Test(
    "The table fits the terminal with any title", arguments: Samples.hostileTexts, [60, 80, 133])
  func widths(title: String, columns: Int) {
    var encounter = Samples.encounter
    encounter.title = title
    encounter.placeID = title
    let layout = TextLayout(terminalColumns: columns)
    let output = text(of: [.suppressed(encounter, reason: title)], layout: layout)
    let lines = output.split(separator: "\n")
    #expect(lines.count == 3)
    for line in lines { #expect(String(line).displayWidth <= columns) }
    for scalar in output.unicodeScalars where scalar != "\n" {
      #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
      #expect(!(0x202A...0x202E).contains(scalar.value))
    }
  }

  @Test("The columns stand below each other in a file, whatever the ids and titles")
  func columns() {
    let texts = ["b", "日本語のタイトル", "شارع", String(repeating: "long ", count: 30)]
    let events = texts.map { text in
      var encounter = Samples.encounter
      encounter.title = text
      encounter.placeID = text
      return Event.enter(encounter)
    }
    let rows = text(of: events).split(separator: "\n").dropFirst(2)
    let edges = Set(rows.map { String($0.prefix { $0 != "m" }).displayWidth })
    #expect(rows.count == 4 && edges.count == 1, "\(edges)")
  }

  @Test("Later rows stand in columns at least as wide, also where each is written at once")
  func immediate() {
    let lines = written { buffer in
      var writer = TextWriter(writesAtOnce: true)
      var short = Samples.encounter
      (short.placeID, short.title) = ("b", "B")
      for encounter in [short, Samples.encounter, short] {
        writer.write(.enter(encounter), to: &buffer)
        #expect(buffer.text.hasSuffix("enter\n"))
      }
    }.split(separator: "\n").map { String($0).displayWidth }
    #expect(lines[3] == lines[4] && lines[2] < lines[3])
  }

  @Test(
    "A name is cut inside, and keeps its beginning and its end",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "ab…ef"), ("abcdef", 4, "ab…f"), ("abcdef", 1, "…"),
      ("日本語日本語", 7, "日本…語"), ("walks/anna.gpx", 10, "walks….gpx"), ("", 1, ""),
    ])
  func cutsInside(text: String, columns: Int, shown: String) {
    #expect(text.cutInside(toColumns: columns) == shown)
  }

  @Test("Only a terminal gets styles")
  func styles() {
    let event = Event.suppressed(Samples.encounter, reason: "quiet")
    #expect(!text(of: [event], layout: TextLayout(terminalColumns: 80)).contains("\u{1B}"))
    let styled = text(of: [event], layout: TextLayout(terminalColumns: 80, isStyled: true))
    #expect(styled.hasPrefix("\u{1B}[1mTIME"))
    #expect(styled.hasSuffix("held back: quiet\u{1B}[0m\n"))
  }

  @Test(
    "Widths are those of terminals",
    arguments: [
      ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("Ａ", 2), ("👍", 2),
      ("👩‍👩‍👧‍👦", 2), ("🇺🇸", 2), ("☎", 1), ("☎️", 2), ("\u{200B}", 0), ("한글", 4), ("", 0),
    ])
  func measures(text: String, columns: Int) {
    #expect(text.displayWidth == columns)
  }

  @Test(
    "A cut falls between words if it can, else between characters, and ends in an ellipsis",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"),
      ("日本語", 4, "日…"), ("日本語", 1, "…"), ("ab\u{301}c", 3, "ab\u{301}c"), ("", 1, ""),
      ("Independence Hall", 16, "Independence…"), ("A Presbyterian church", 10, "A Presbyt…"),
      ("Old City Hall", 12, "Old City…"), ("Old City Hall", 9, "Old City…"),
    ])
  func cuts(text: String, columns: Int, shown: String) {
    #expect(text.cut(toColumns: columns) == shown)
  }

  private func text(of events: [Event], layout: TextLayout = TextLayout()) -> String {
    written { buffer in
      var writer = TextWriter(layout: layout)
      for event in events { writer.write(event, to: &buffer) }
      writer.end(&buffer)
    }
  }
}
