/// Numbers as people read them.
public enum ReportNumber {
  /// A number rounded to so many decimals, without trailing zeros: `500`, `0.25`.
  public static func text(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "–" }
    var buffer = ByteBuffer(capacity: 64)
    buffer.append(value, decimals: max(1, decimals))
    let text = buffer.text
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A share in percent with one decimal; never `100 %` or `0 %` where it is not quite.
  public static func percent(_ share: Double?) -> String {
    guard let share, share.isFinite else { return "–" }
    var tenths = Int((share * 1000).rounded())
    if share < 1 { tenths = min(tenths, 999) }
    if share > 0 { tenths = max(tenths, 1) }
    return "\(tenths / 10).\(tenths % 10) %"
  }

  /// A count with a thin space at the thousands, so that it can be read: `144 563`.
  public static func count(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var text = value < 0 ? "-" : ""
    for (offset, digit) in digits.enumerated() {
      if offset > 0, (digits.count - offset) % 3 == 0 { text += "\u{202F}" }
      text.append(digit)
    }
    return text
  }

  /// A distance: metres below ten kilometres, kilometres above.
  public static func distance(_ meters: Double) -> String {
    guard meters.isFinite else { return "–" }
    if meters < 100 { return "\(text(meters, decimals: 1)) m" }
    if meters < 10_000 { return "\(Int(meters.rounded())) m" }
    return "\(text(meters / 1000, decimals: 1)) km"
  }

  /// Counts by name, the greatest first: `late 3 599, void 12`.
  public static func list(_ counts: [String: Int]) -> String {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \(count($0.value))" }.joined(separator: ", ")
  }

  /// A count and the noun for it: `1 track`, `3 tracks`.
  public static func counted(_ value: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count(value)) \(value == 1 ? noun : plural ?? noun + "s")"
  }
}
