#if Command
package import FencepostAnalysis
import FencepostGeodesy
import FencepostNotifications
package import FencepostReporting

/// Writes an analysis, a sweep, or both as one self-contained HTML page.
///
/// It needs no server, and street tiles are loaded only if the reader asks for them. It holds the
/// paths of the walks, so it should be sent only to people who may see them.
package struct PageWriter: Sendable {
  /// The map library, which becomes part of the page.
  ///
  /// Without references to other files, the page needs nothing from a server.
  package struct MapLibrary: Sendable {
    /// The script of Leaflet.
    package var script: String
    /// The style sheet of Leaflet, without images.
    package var style: String

    /// Stores a script and a style sheet, removing references to other files.
    package init(script: String, style: String) {
      self.script = Self.without(script, from: "//# sourceMappingURL=", to: "\n")
      let plain = Self.without(style, from: "url(", to: ")")
      self.style = Self.without(plain, from: "/*# sourceMappingURL=", to: "*/")
    }

    /// The text without the parts that begin and end with these marks; a `url` becomes `none`.
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
  /// The studio in which the page's contents open, if any.
  package var studio: StudioLink?
  /// Lets the page's scripts run under the server's policy; nil for a page in a file.
  var nonce: String?

  /// Creates a writer; `sweepLines` are the `setting` lines of a sweep, each a JSON object.
  package init(library: MapLibrary, sweepLines: [String]) {
    self.library = library
    self.sweepLines = sweepLines
  }

  /// Appends the page of an analysis.
  ///
  /// The page's file has slots, which this fills with texts and data.
  package func write(
    _ page: PageData, _ settings: AnalysisSettings, _ totals: AnalysisTotals,
    to output: inout OutputBuffer
  ) {
    let walks = ReportNumber.counted(totals.tracks, "walk")
    let phones = PagePhones(settings, totals, stories: page.stories)
    let prose = PageProse(
      settings, totals, stories: page.stories, sweepLines: sweepLines,
      lossyTracks: page.losses.count)
    Pages.write("report.html", to: &output) { slot, output in
      switch slot {
      case "title": output.append(xml: "Story alerts on \(walks)")
      case "heading": output.append(xml: "Which stories alert on \(walks)?")
      case "subheading": output.append(xml: Self.subheading(settings, totals))
      case "library-style": output.append(verbatim: library.style)
      case "library-script": output.append(verbatim: library.script)
      case "style": output.append(file: "report.css")
      case "script": output.append(file: "report.js")
      case "phones-link" where phones != nil: output.append("<a href=\"#phones\">Phones</a>")
      case "phones":
        guard let phones else { break }
        Pages.write("phones-section.html", to: &output) { _, output in
          phones.writeSummary(to: &output)
        }
      case "sweep-link" where !sweepLines.isEmpty:
        output.append("<a href=\"#settings\">Settings</a>")
      case "sweep" where !sweepLines.isEmpty: output.append(file: "sweep-section.html")
      case "words": output.append(file: "words-section.html")
      case "in-short": prose.writeHeadline(to: &output)
      case "stories-caption":
        output.append(
          xml: phones == nil
            ? "As a perfect phone, over all walks"
            : "The share of phones that alert, on the walk where most do, and the alerts they show on all walks"
        )
      case "tracks-caption":
        output.append(
          xml: phones == nil
            ? "Numbers of entries into circles" : "The alerts that phones show on each walk")
      case "when":
        output.append(
          xml: "When, how fast, how long" + (phones == nil ? "" : ", on a perfect phone"))
      case "rule": prose.write(to: &output)
      case "findings": page.writeLists(totals, to: &output)
      case "nonce": if let nonce { output.append(html: " nonce=\"\(nonce)\"") }
      case "data": page.write(settings, totals, sweepLines, studio, to: &output)
      default: break
      }
    }
  }

  /// What was analyzed, the rule, and the time zone of the whole page.
  private static func subheading(_ settings: AnalysisSettings, _ totals: AnalysisTotals) -> String {
    "\(ReportNumber.counted(totals.stories.count, "story", "stories")), "
      + "\(ReportNumber.distance(Double(totals.lengthMillimeters) / 1000)) of walks, "
      + "\(ReportNumber.counted(totals.fixes, "GPS fix", "GPS fixes"))"
      + (totals.rejected > 0 ? " (\(ReportNumber.count(totals.rejected)) rejected). " : ". ")
      + (settings.monitoring.sentence(gaps: totals.gaps, jumps: totals.jumps, namesOptions: false)
        .map { "\($0). " } ?? "")
      + "The phone’s rule: \(settings.sentence). Times: "
      + "\(settings.zoneIdentifier == "Z" ? "UTC" : settings.zoneIdentifier)."
  }

  /// Appends the page of a sweep alone.
  package func write(sweepTo output: inout OutputBuffer) {
    Pages.write("sweep.html", to: &output) { slot, output in
      switch slot {
      case "style": output.append(file: "report.css")
      case "script": output.append(file: "sweep.js")
      case "sweep": output.append(file: "sweep-section.html")
      case "words": output.append(file: "words-section.html")
      case "data":
        output.append("{\"sweep\":[")
        appendLines(sweepLines, to: &output)
        output.append("]}")
      default: break
      }
    }
  }
}

/// Appends ndjson lines as JSON objects separated by commas, safe inside a script element.
func appendLines(_ lines: [String], to output: inout OutputBuffer) {
  for (index, line) in lines.enumerated() {
    if index > 0 { output.append(",") }
    for scalar in line.unicodeScalars {
      // In JSON, a less-than sign occurs only inside strings.
      if scalar == "<" { output.append("\\u003c") } else { output.append(scalar: scalar) }
    }
  }
}
#endif
