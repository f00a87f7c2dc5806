import FencepostAnalysis
import FencepostGeodesy
import Testing

@Suite("Totals, against small cases worked out by hand")
struct AnalysisTotalsTests {
  private func analysis(
    _ name: String, moments: [[Int]] = [], crowds: [CrowdedSpot] = [],
    _ change: (inout TrackAccount) -> Void = { _ in }
  ) -> TrackAnalysis {
    var account = TrackAccount(track: name)
    account.fixes = 10
    change(&account)
    return TrackAnalysis(
      account: account, nearestMeters: Array(repeating: 500, count: 6), crossed: [], entries: [],
      moments: moments, crowds: crowds, lines: [])
  }

  @Test("Alerts an hour are over the time of travel of all tracks, refreshes over their length")
  func rates() {
    var totals = AnalysisTotals(storyCount: 6)
    totals.add(
      analysis("a") {
        $0.counts.alerts = 3
        $0.travelMilliseconds = 30 * 60_000
        $0.lengthMillimeters = 2_500_000
        $0.refreshes = 6
      })
    totals.add(
      analysis("b") {
        $0.counts.alerts = 1
        $0.travelMilliseconds = 10 * 60_000
        $0.lengthMillimeters = 1_500_000
        $0.refreshes = 4
      })
    // Four alerts in forty minutes; ten refreshes in four kilometers.
    #expect(totals.alertsPerHour == 6)
    #expect(totals.alertsPerTrack == 2)
    #expect(totals.refreshesPerKilometer == 2.5)
  }

  @Test("Without times there is no rate an hour, without a path none a kilometer")
  func noRates() {
    var totals = AnalysisTotals(storyCount: 6)
    #expect(totals.alertsPerTrack == nil)
    totals.add(analysis("a") { $0.counts.alerts = 3 })
    #expect(totals.alertsPerHour == nil)
    #expect(totals.refreshesPerKilometer == nil)
    #expect(totals.alertsPerTrack == 3)
  }

  @Test("Stories always fire together if each moment of either is one of both, and there are two")
  func companions() {
    var totals = AnalysisTotals(storyCount: 6)
    // 0 and 1 together twice; 2 with them once and once alone; 3 and 4 together only once.
    totals.add(analysis("a", moments: [[0, 1, 2], [3, 4], [2]]))
    totals.add(analysis("b", moments: [[1, 0]]))
    #expect(totals.companions == [[0, 1]])
    // Another track on which 1 fires alone ends it.
    totals.add(analysis("c", moments: [[1]]))
    #expect(totals.companions.isEmpty)
  }

  @Test("The largest group of companions comes first, then by story")
  func groups() {
    var totals = AnalysisTotals(storyCount: 6)
    for name in ["a", "b"] { totals.add(analysis(name, moments: [[4, 5], [0, 1, 2]])) }
    #expect(totals.companions == [[0, 1, 2], [4, 5]])
  }

  @Test("A crowded spot counts each track once, with the most circles that any met there")
  func spots() {
    func crowd(_ latitude: Double, _ circles: Int) -> CrowdedSpot {
      .init(
        coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: -75.16),
        circles: circles)
    }
    var totals = AnalysisTotals(storyCount: 6)
    totals.add(
      analysis("a", crowds: [crowd(39.95, 22), crowd(39.95, 25), crowd(40.2, 21)]) {
        $0.mostCircles = 25
      })
    totals.add(analysis("b", crowds: [crowd(39.95, 23)]) { $0.mostCircles = 23 })
    #expect(totals.orderedSpots.map(\.circles) == [25, 21])
    #expect(totals.orderedSpots.map(\.tracks) == [2, 1])
    #expect(totals.mostCircles == 25)
  }
}
