public import Analysis
import Geodesy
import Notifications
public import Reporting

/// Writes an analysis, a sweep, or both as one HTML page that needs no other file.
public struct PageWriter: Sendable {
  /// The map library that is written into the page.
  public struct MapLibrary: Sendable {
    /// Its script.
    public var script: String
    /// Its style sheet.
    public var style: String

    /// Makes a library of its script and its style sheet.
    ///
    /// What they would load from beside them is left out, for there is nothing beside the page.
    public init(script: String, style: String) {
      self.script = Self.without(script, from: "//# sourceMappingURL=", to: "\n")
      let plain = Self.without(style, from: "url(", to: ")")
      self.style = Self.without(plain, from: "/*# sourceMappingURL=", to: "*/")
    }

    private static func without(_ text: String, from begin: String, to end: String) -> String {
      let bytes = Array(text.utf8)
      let head = Array(begin.utf8)
      let tail = Array(end.utf8)
      var kept: [UInt8] = []
      var index = 0
      while index < bytes.count {
        if bytes[index...].starts(with: head) {
          index += head.count
          while index < bytes.count, !bytes[index...].starts(with: tail) { index += 1 }
          index += tail.count
          if begin.hasPrefix("url") { kept += Array("none".utf8) }
        } else {
          kept.append(bytes[index])
          index += 1
        }
      }
      return String(decoding: kept, as: UTF8.self)
    }
  }

  private let library: MapLibrary
  private let sweepLines: [String]

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - library: The map library.
  ///   - sweepLines: The `setting` lines of a sweep, each a JSON object; empty for none.
  public init(library: MapLibrary, sweepLines: [String]) {
    self.library = library
    self.sweepLines = sweepLines
  }

  /// Appends the page of an analysis.
  public func write(
    _ page: PageData, _ settings: AnalysisSettings, _ totals: AnalysisTotals,
    to output: inout OutputBuffer
  ) {
    begin("Story alerts on \(ReportNumber.counted(totals.tracks, "track"))", to: &output)
    output.append("<header><div class=\"wrap\"><h1>Which stories alert on ")
    output.append(xml: ReportNumber.counted(totals.tracks, "track"))
    output.append("?</h1><p>")
    output.append(
      xml: "\(ReportNumber.counted(totals.stories.count, "story", "stories")), "
        + "\(ReportNumber.distance(Double(totals.lengthMillimeters) / 1000)) of paths, "
        + "\(ReportNumber.counted(totals.fixes, "fix", "fixes"))"
        + (totals.rejected > 0 ? " (\(ReportNumber.count(totals.rejected)) refused). " : ". ")
        + "The phone’s rule: \(settings.sentence).")
    output.append("</p></div></header>")
    navigation(hasSweep: !sweepLines.isEmpty, to: &output)
    output.append("<main id=\"main\" class=\"wrap\">")
    PageProse(
      settings, totals, stories: page.stories, sweepLines: sweepLines,
      lossyTracks: page.losses.count
    ).write(to: &output)
    output.append(PageSections.map)
    output.append(PageSections.stories)
    output.append(PageSections.tracks)
    output.append(PageSections.hours)
    if !sweepLines.isEmpty { output.append(PageSections.sweep) }
    page.writeLists(totals, to: &output)
    output.append(PageSections.words)
    output.append("</main>")
    output.append("<script type=\"application/json\" id=\"data\">")
    page.write(settings, totals, sweepLines, to: &output)
    output.append("</script>\n<script>")
    output.append(verbatim: library.script)
    output.append("</script>\n")
    end(hasMap: true, to: &output)
  }

  /// Appends the page of a sweep alone.
  public func write(sweepTo output: inout OutputBuffer) {
    begin("What each setting loses", to: &output)
    output.append("<header><div class=\"wrap\"><h1>What each setting loses</h1>")
    output.append("<p>Recall, and what it costs, for every setting that was tried.</p></div>")
    output.append("</header><main id=\"main\" class=\"wrap\">")
    output.append(PageSections.sweep)
    output.append(PageSections.words)
    output.append("</main><script type=\"application/json\" id=\"data\">")
    output.append("{\"sweepOnly\":true,\"stories\":[],\"tracks\":[],\"sweep\":[")
    appendSweep(sweepLines, to: &output)
    output.append("]}</script>\n")
    end(hasMap: false, to: &output)
  }

  private func begin(_ title: String, to output: inout OutputBuffer) {
    output.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    output.append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n")
    // Nothing is asked of the network but street tiles, and an icon never.
    output.append("<link rel=\"icon\" href=\"data:,\">\n<title>")
    output.append(xml: title)
    output.append("</title>\n<style>")
    output.append(verbatim: library.style)
    output.append("</style>\n<style>")
    output.append(verbatim: PageStyle.css)
    output.append("</style>\n</head>\n<body>\n")
    output.append("<a class=\"skip\" href=\"#main\">Skip to the report</a>\n")
  }

  private func navigation(hasSweep: Bool, to output: inout OutputBuffer) {
    output.append("<nav aria-label=\"Parts of the report\"><div class=\"wrap\">")
    output.append("<a href=\"#short\">In short</a><a href=\"#where\">Map</a>")
    output.append("<a href=\"#all-stories\">Stories</a><a href=\"#all-tracks\">Tracks</a>")
    output.append("<a href=\"#when\">Hours</a>")
    if hasSweep { output.append("<a href=\"#settings\">Settings</a>") }
    output.append("<a href=\"#further\">Further findings</a><a href=\"#words\">Words</a>")
    output.append("</div></nav>\n")
  }

  private func end(hasMap: Bool, to output: inout OutputBuffer) {
    output.append("<script>")
    output.append(verbatim: PageTables.script)
    if hasMap {
      output.append(verbatim: PageDrawing.script)
      output.append(verbatim: PageMap.script)
    }
    output.append(verbatim: PagePlots.script)
    output.append("</script>\n")
    output.append("<footer class=\"wrap\">Made by Fencepost; map by Leaflet (BSD-2-Clause). ")
    output.append("This page holds all of its data and opens without a network.</footer>")
    output.append("\n</body>\n</html>\n")
  }
}

/// Appends JSON objects with commas between them, safe within a script element.
func appendSweep(_ lines: [String], to output: inout OutputBuffer) {
  for (index, line) in lines.enumerated() {
    if index > 0 { output.append(",") }
    for scalar in line.unicodeScalars {
      // Within JSON a less-than sign can only stand in a string.
      if scalar == "<" { output.append("\\u003c") } else { output.append(scalar: scalar) }
    }
  }
}
