import FencepostMonitoring
import FencepostNotifications
import Testing

@Suite("Delivery rates")
struct DeliveryTests {
  @Test(
    "the Wilson interval solves its equation",
    // Found by bisection of (p - q)² n = z² q (1 - q), not by the closed form.
    arguments: [
      (0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0),
      (95, 100, 0.8882, 0.9785), (870, 1000, 0.8477, 0.8894),
    ])
  func wilson(successes: Int, count: Int, lower: Double, upper: Double) {
    let interval = WilsonInterval(successes, of: count)
    #expect(abs(interval.low - lower) < 0.00006)
    #expect(abs(interval.high - upper) < 0.00006)
  }

  @Test(
    "the gate is at 95 %, and reports too small a count",
    arguments: [
      (87, 100, DeliveryRate.Gate.failed), (95, 100, .passedUncertainly), (990, 1000, .passed),
      (0, 0, .unknown),
    ])
  func gate(arrived: Int, count: Int, expected: DeliveryRate.Gate) {
    #expect(DeliveryRate(arrived: arrived, count: count).gate() == expected)
  }

  @Test("taps and confirmations prove delivery; showing alone does not")
  func ledger() throws {
    let kind = try seedKinds().kinds[0]
    var ledger = DeliveryLedger()
    for occurrence in ["a", "b", "c", "d"] {
      ledger.record(.shown, occurrence: occurrence, kind: kind)
    }
    #expect(ledger.rate().rate == nil)
    ledger.record(.tapped, occurrence: "a", kind: kind)
    ledger.record(.missed, occurrence: "a", kind: kind)
    ledger.record(.seen, occurrence: "b", kind: kind)
    ledger.record(.missed, occurrence: "c", kind: kind)
    ledger.record(.shown, occurrence: "c", kind: kind)
    #expect(ledger.rate(kind: "habit") == DeliveryRate(arrived: 2, count: 3))
    #expect(ledger.count(.shown) == 1)
  }
}
