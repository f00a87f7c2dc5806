import FencepostFormats
import FencepostTime

/// Vehicles that all report once a second, in the order of time: what a broker or a fleet's server sees.
struct VehicleStream {
  /// How a fix is written.
  enum Form: String, CaseIterable {
    /// A JSON object a line.
    case jsonl
    /// A header, and a row a fix.
    case csv
  }

  let vehicles: Int
  let fixesEach: Int

  func write(_ form: Form, to path: String) throws(BenchmarkFailure) {
    var sink = try TextSink(path: path)
    var journeys = (0..<vehicles).map { Journey(kind: .drive, seed: UInt64(1_000 + $0)) }
    if form == .csv { sink.append("device,time,lat,lon\n") }
    for _ in 0..<fixesEach {
      for vehicle in journeys.indices {
        guard let point = journeys[vehicle].next() else { continue }
        append(point, of: vehicle, as: form, to: &sink)
      }
      try sink.flushIfFull()
    }
    try sink.flush()
  }

  private func append(
    _ point: Journey.Point, of vehicle: Int, as form: Form, to sink: inout TextSink
  ) {
    var time: [UInt8] = []
    ISO8601.append(milliseconds: point.timeMilliseconds, to: &time)
    sink.append(form == .jsonl ? "{\"device\":\"v" : "v")
    sink.append(vehicle, digits: 4)
    sink.append(form == .jsonl ? "\",\"time\":\"" : ",")
    sink.append(time)
    sink.append(form == .jsonl ? "\",\"lat\":" : ",")
    sink.append(point.point.latitudeMicrodegrees, decimals: 6)
    sink.append(form == .jsonl ? ",\"lon\":" : ",")
    sink.append(point.point.longitudeMicrodegrees, decimals: 6)
    sink.append(form == .jsonl ? "}\n" : "\n")
  }
}
