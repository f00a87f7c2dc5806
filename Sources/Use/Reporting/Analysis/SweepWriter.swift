package import FencepostAnalysis

/// Writes the results of a sweep as a table for people or programs.
///
/// Rows keep their order, and marks point out the cheapest setting that loses nothing. `fencepost
/// sweep` prints it. A row shows one setting of limit, lookups and ranking, over all walks.
package struct SweepWriter: Sendable {
  private let rows: [SweepRow]
  private let profile: String?

  /// Creates a writer; `profile` names the phone whose limits the settings must keep, if any.
  package init(_ rows: [SweepRow], profile: String? = nil) {
    (self.rows, self.profile) = (rows, profile)
  }

  /// Appends one JSON object per line, of type `setting`.
  package func writeNDJSON(to output: inout OutputBuffer) {
    for row in rows {
      output.appendLine {
        $0.member("type", "setting")
        $0.member("limit", row.setting.limit)
        $0.member("refresh", row.setting.isAdaptive ? "adaptive" : "fixed")
        $0.member("significantChange", row.setting.significantChangeMeters, decimals: 3)
        $0.member("rank", row.setting.rank)
        $0.member("tracks", row.tracks)
        $0.member("recall", intervalKey: "recallInterval", row.recall)
        $0.member("entryRecall", intervalKey: "entryRecallInterval", row.entryRecall)
        $0.members(of: row.counts)
        $0.member("refreshes", row.refreshes)
        $0.member("lengthMillimeters", row.lengthMillimeters)
        $0.member("refreshesPerKilometer", row.refreshesPerKilometer, decimals: 4)
        $0.member("alertsPerTrack", row.alertsPerTrack, decimals: 4)
        $0.member("alertsPerDay", row.alertsPerDay, decimals: 4)
        $0.member("certified", row.isCertified)
        $0.member("losesNothing", row.losesNothing)
        $0.member("cheapest", row.isCheapest)
        $0.member("travelMilliseconds", row.travelMilliseconds)
        $0.member("alertsPerHour", row.alertsPerHour, decimals: 4)
        $0.member("frontier", row.isOnFrontier)
        if let profile {
          $0.member("profile", profile)
          $0.member("probability", intervalKey: "probabilityInterval", row.simulated)
        }
        $0.member("allowed", row.isAllowed)
      }
    }
  }

  /// Appends a table for spreadsheets, with a row for each setting.
  package func writeCSV(to output: inout OutputBuffer) {
    output.append("limit,refresh,significant_change,rank,tracks,recall,entry_recall,entries,found,")
    output.append("late,missed,alerts,oracle_alerts,refreshes,refreshes_per_km,alerts_per_track,")
    output.append("cheapest,alerts_per_day,certified")
    output.append(profile == nil ? "" : ",allowed,probability")
    output.append(",alerts_per_hour,frontier\r\n")
    for row in rows {
      output.append(csv: row.setting.limit.map(String.init) ?? "none")
      output.fields(
        row.setting.isAdaptive ? "adaptive" : "fixed",
        row.setting.significantChangeMeters.map { ReportNumber.text($0, decimals: 3) },
        row.setting.rank)
      output.fields(row.tracks)
      output.fields(row.recall.ratio, row.entryRecall.ratio, decimals: 6)
      let counts = row.counts
      output.fields(
        counts.entries, counts.found, counts.late, counts.missed, counts.alerts,
        counts.dueAlerts, row.refreshes)
      output.fields(row.refreshesPerKilometer, row.alertsPerTrack, decimals: 4)
      output.fields(row.isCheapest)
      output.fields(row.alertsPerDay, decimals: 4)
      output.fields(row.isCertified)
      if profile != nil {
        output.fields(row.isAllowed)
        output.fields(row.simulated.ratio, decimals: 6)
      }
      output.fields(row.alertsPerHour, decimals: 4)
      output.fields(row.isOnFrontier)
      output.append("\r\n")
    }
  }

  /// Appends a table for people, and which setting is the cheapest that loses nothing.
  package func writeText(to output: inout OutputBuffer, layout: TextLayout) {
    let units = ShownUnits.current
    var columns: [TextTable.Column] = [
      .left("Lookup"), "limit", .right("after \(units.short.name)"), "rank", "recall", "entries",
      "late", "missed", .right("lookups/\(units.long.name)"), "alerts/walk",
    ]
    if let profile { columns.append(.right("on \(profile)")) }
    columns.append(.left(""))
    func text(_ number: Double?, _ decimals: Int = 2) -> String {
      ReportNumber.text(number ?? .nan, decimals: decimals)
    }
    let cells = rows.map { row in
      [
        row.setting.isAdaptive ? "adaptive" : "fixed", row.setting.limit.map(String.init) ?? "none",
        text(row.setting.significantChangeMeters.map { $0 / units.short.meters }, 1),
        row.setting.rank, ReportNumber.percent(row.recall.ratio),
        ReportNumber.percent(row.entryRecall.ratio), "\(row.counts.late)",
        "\(row.counts.missed)", text(row.refreshesPerKilometer.map(units.rate)),
        text(row.alertsPerTrack),
      ] + (profile == nil ? [] : [ReportNumber.percent(row.simulated.ratio)]) + [remark(row)]
    }
    TextTable(columns, cells).write(to: &output, layout: layout)
    if !rows.contains(where: \.isCheapest) {
      output.append(
        verbatim: rows.contains { $0.losesNothing && $0.setting.limit != nil }
          ? "Every setting that \(profile ?? "the phone") allows loses something.\n"
          : "Every setting loses something.\n")
    }
  }

  /// What to say of a row in the last column; empty for most.
  private func remark(_ row: SweepRow) -> String {
    if row.isCheapest { return "← cheapest that loses nothing" }
    if !row.isFollowed { return "more often than \(profile ?? "the phone") wakes an app" }
    return row.isAllowed ? "" : "more than \(profile ?? "the phone") allows"
  }
}
