import ArgumentParser

/// In what form results are printed.
enum TableFormat: String, ExpressibleByArgument {
  case text
  case ndjson
}

/// The results of cases, for people or programs.
struct CaseTable {
  let results: [CaseResult]
  let format: TableFormat

  func print() {
    if format == .text {
      Swift.print(
        Column.left("case", 46), Column.right("CPU s", 8), Column.right("wall s", 8),
        Column.right("per second", 12), Column.right("peak MB", 8), Column.right("x bound", 8),
        " bound")
    }
    for result in results { Swift.print(line(of: result)) }
  }

  private func line(of result: CaseResult) -> String {
    let bound = result.subject.bound.flatMap { name in
      results.first { $0.subject.name == name && $0.failedStatus == nil }
    }
    return format == .text ? text(result, bound) : ndjson(result, bound)
  }

  private func text(_ result: CaseResult, _ bound: CaseResult?) -> String {
    let name = Column.left(result.subject.name, 46)
    if let status = result.failedStatus { return "\(name) failed with exit status \(status)" }
    let cells = [
      name, Column.number(result.cpuSeconds, decimals: 4, 8),
      Column.number(result.wallSeconds, decimals: 4, 8),
      Column.number(result.countPerSecond, decimals: 0, 12),
      Column.number(Double(result.peakBytes) / 1_000_000, decimals: 1, 8),
      bound.map { Column.number(result.ratio(to: $0), decimals: 2, 8) }
        ?? Column.right("", 8), " " + (result.subject.bound ?? ""),
    ]
    return cells.joined(separator: " ")
  }

  private func ndjson(_ result: CaseResult, _ bound: CaseResult?) -> String {
    var fields = ["\"case\":\"\(result.subject.name)\"", "\"unit\":\"\(result.subject.unit)\""]
    if let status = result.failedStatus {
      fields.append("\"failed\":\(status)")
    } else {
      fields += [
        "\"runs\":\(result.runs.count)", "\"cpuSeconds\":\(result.cpuSeconds)",
        "\"wallSeconds\":\(result.wallSeconds)", "\"perSecond\":\(result.countPerSecond)",
        "\"peakBytes\":\(result.peakBytes)",
      ]
    }
    if let bound {
      fields.append("\"bound\":\"\(bound.subject.name)\"")
      if result.failedStatus == nil { fields.append("\"ratio\":\(result.ratio(to: bound))") }
    }
    return "{" + fields.joined(separator: ",") + "}"
  }
}

/// Cells of a table in a fixed-width font.
enum Column {
  static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  static func number(_ value: Double, decimals: Int, _ width: Int) -> String {
    guard value.isFinite else { return right("-", width) }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    var digits: [UInt8] = []
    let scaled = Int((value * scale).rounded())
    if decimals > 0 {
      digits.append(scaled, decimals: decimals)
    } else {
      digits.append(scaled, digits: 1)
    }
    return right(String(decoding: digits, as: UTF8.self), width)
  }
}
