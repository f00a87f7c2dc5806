import FencepostAnalysis
import Testing

@Suite("The choice among the settings of a sweep")
struct SweepRowTests {
  private func row(
    limit: Int?, refreshes: Int, missed: Int = 0, isCertified: Bool = false,
    alertsByDay: [Int: Int] = [:]
  ) -> SweepRow {
    var row = SweepRow(
      .init(limit: limit, isAdaptive: isCertified, significantChangeMeters: 500, rank: "edge"))
    var counts = EntryCounts()
    counts.entries = 10
    counts.missed = missed
    counts.found = 10 - missed
    row.add(
      counts, refreshes: refreshes, lengthMillimeters: 1_000_000, isCertified: isCertified,
      alertsByDay: alertsByDay)
    return row
  }

  private func marked(_ rows: [SweepRow], maxLimit: Int = SweepRow.phoneLimit) -> [Int] {
    var rows = rows
    SweepRow.markCheapest(in: &rows, maxLimit: maxLimit)
    return rows.indices.filter { rows[$0].isCheapest }
  }

  @Test("A setting that the phone does not allow is not marked, however cheap")
  func phone() {
    let rows = [
      row(limit: 20, refreshes: 9), row(limit: 50, refreshes: 3), row(limit: nil, refreshes: 1),
    ]
    #expect(marked(rows) == [0])
    #expect(marked(rows, maxLimit: 50) == [1])
    #expect(marked(rows, maxLimit: 10) == [])
    #expect(marked([row(limit: nil, refreshes: 1)]) == [])
  }

  @Test("Of equally cheap settings one that is certain goes before one that was lucky")
  func certified() {
    let lucky = row(limit: 10, refreshes: 5)
    let certain = row(limit: 20, refreshes: 5, isCertified: true)
    #expect(marked([lucky, certain]) == [1])
    #expect(marked([row(limit: 10, refreshes: 4), certain]) == [0])
    #expect(marked([row(limit: 10, refreshes: 4, missed: 1), lucky]) == [1])
  }

  @Test("Alerts a day are over the days with fixes, also those without an alert")
  func days() {
    #expect(row(limit: 20, refreshes: 1, alertsByDay: [1: 4, 2: 0]).alertsPerDay == 2)
    #expect(row(limit: 20, refreshes: 1).alertsPerDay == nil)
  }

  @Test("The frontier has the settings that no other beats in both recall and refreshes")
  func frontier() {
    func row(_ recall: Int, _ refreshes: Int, limit: Int = 20) -> SweepRow {
      var row = SweepRow(
        .init(limit: limit, isAdaptive: false, significantChangeMeters: 500, rank: "center"))
      var counts = EntryCounts()
      (counts.dueAlerts, counts.foundAlerts) = (10, recall)
      row.add(
        counts, refreshes: refreshes, lengthMillimeters: 1_000_000, travelMilliseconds: 1_800_000)
      return row
    }
    func marked(_ rows: [SweepRow], maxLimit: Int = 20) -> [Int] {
      var rows = rows
      SweepRow.markCheapest(in: &rows, maxLimit: maxLimit)
      SweepRow.markFrontier(in: &rows)
      return rows.indices.filter { rows[$0].isOnFrontier }
    }
    // The third costs more than the second and finds as much; the fourth is beaten by the first.
    #expect(marked([row(9, 8), row(7, 3), row(7, 4), row(8, 9), row(2, 1)]) == [0, 1, 4])
    #expect(marked([row(9, 8), row(9, 8)]) == [0, 1], "equal ones do not beat each other")
    #expect(marked([row(9, 8), row(9, 2, limit: 50)]) == [0], "a phone has no 50 places")
    #expect(marked([row(9, 8), row(9, 2, limit: 50)], maxLimit: 50) == [1])
    var counts = EntryCounts()
    counts.alerts = 3
    var timed = row(0, 1)
    timed.add(counts, refreshes: 1, lengthMillimeters: 1, travelMilliseconds: 1_800_000)
    #expect(timed.alertsPerHour == 3)
  }
}
