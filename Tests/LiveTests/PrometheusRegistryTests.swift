import CoreMetrics
import FencepostLive
import Testing

@Suite("Metrics for Prometheus")
struct PrometheusRegistryTests {
  @Test("are written by name and labels, with kinds, cumulative buckets and escaped values")
  func text() {
    let registry = PrometheusRegistry { name in
      .init(help: "About \(name).", buckets: [0.5, 1])
    }
    Counter(label: "b_total", dimensions: [("kind", "a\\\"\n")], factory: registry)
      .increment(by: 2)
    Counter(label: "b_total", dimensions: [("kind", "a\\\"\n")], factory: registry).increment()
    Counter(label: "b_total", dimensions: [("kind", "Z")], factory: registry).increment(by: 0)
    Gauge(label: "c", factory: registry).record(1.5)
    let timer = Timer(label: "a_seconds", factory: registry)
    for milliseconds in [500, 750, 3000] { timer.recordMilliseconds(milliseconds) }
    #expect(
      registry.text() == """
        # HELP a_seconds About a_seconds.
        # TYPE a_seconds histogram
        a_seconds_bucket{le="0.5"} 1
        a_seconds_bucket{le="1"} 2
        a_seconds_bucket{le="+Inf"} 3
        a_seconds_sum 4.25
        a_seconds_count 3
        # HELP b_total About b_total.
        # TYPE b_total counter
        b_total{kind="Z"} 0
        b_total{kind="a\\\\\\"\\n"} 3
        # HELP c About c.
        # TYPE c gauge
        c 1.5

        """)
  }
}
