import FencepostSession
import FencepostReporting
import Testing

@Suite("Units of what people read")
struct ShownUnitsTests {
  @Test(
    "Lengths are in meters and kilometers, or in feet and miles",
    arguments: [
      (12.04, "12 m", "40 ft"), (812, "812 m", "0.5 mi"), (91.44, "91 m", "300 ft"),
      (12_345, "12.3 km", "7.67 mi"), (402_336, "402.3 km", "250 mi"), (.infinity, "–", "–"),
    ])
  func distances(meters: Double, metric: String, imperial: String) {
    #expect(ReportNumber.distance(meters) == metric)
    ShownUnits.$current.withValue(.imperial) {
      #expect(ReportNumber.distance(meters) == imperial)
    }
  }

  @Test("The table of events has the units of its run")
  func table() {
    func text() -> String {
      written { buffer in
        var writer = TextWriter()
        writer.write(.enter(Samples.encounter), to: &buffer)
        writer.end(&buffer)
      }
    }
    #expect(text().contains("  100.0 m  "))
    #expect(ShownUnits.$current.withValue(.imperial, operation: text).contains("  328 ft  "))
  }
}
