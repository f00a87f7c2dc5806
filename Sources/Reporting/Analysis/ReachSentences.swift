package import FencepostAnalysis

/// Says how many readers can get alerts at all, and what that leaves of counted alerts.
///
/// Sentences have no final period.
package struct ReachSentences {
  private let reach: Reach

  package init(_ reach: Reach) { self.reach = reach }

  /// The share of readers, the rates it follows from, and their sources.
  package var rates: String {
    let permissions: [(Reach.Permission, String)] = [
      (.notifications, "notifications"), (.background, "background location"),
      (.precise, "precise location"),
    ]
    let rates = permissions.map { permission, words in
      let rate = reach[permission]
      let notes = [
        rate.range.lowerBound < rate.range.upperBound ? span(rate.range, Self.percent) : nil,
        rate.source ?? (reach.system == nil ? nil : "your own rate"),
      ].compactMap { $0 }
      return "\(words) \(Self.percent(rate.share))"
        + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }
    let whose =
      switch reach.system {
      case nil: "your own rates"
      case .iphone: "published rates for iPhones"
      case .android: "published rates for Android phones"
      }
    return "Reach: \(part(of: 1, Self.percent)) of readers can get an alert: "
      + "\(rates.joined(separator: " × ")); \(whose)"
  }

  package func readers(_ reached: Int) -> String {
    "Reach: stories would reach \(number(Double(reached))) instead of "
      + "\(ReportNumber.counted(reached, "reader")), counting each reader once per story"
  }

  package func readers(before: Int, after: Int) -> String {
    "Reach: stories would reach \(number(Double(after))) instead of \(number(Double(before))) "
      + "readers, counting each reader once per story"
  }

  /// What readers would see of the alerts that a simulated phone gives; nil if none is due.
  package func alerts(_ totals: ProfileTotals) -> String? {
    guard let probability = totals.probability else { return nil }
    return "Reach: readers would see \(number(probability * Double(totals.all.due))) of the "
      + "\(ReportNumber.counted(totals.all.due, "alert")) that are due on \(totals.name)"
  }

  /// A number multiplied by the share of readers, such as `7.6 (3.8 to 11.8)`.
  package func number(_ number: Double) -> String {
    part(of: number) { ReportNumber.text($0, decimals: 1) }
  }

  private func part(of whole: Double, _ text: (Double) -> String) -> String {
    let range = reach.range
    let number = text(whole * reach.share)
    guard range.lowerBound < range.upperBound else { return number }
    return "\(number) (\(span(whole * range.lowerBound...whole * range.upperBound, text)))"
  }

  private func span(_ range: ClosedRange<Double>, _ text: (Double) -> String) -> String {
    "\(text(range.lowerBound)) to \(text(range.upperBound))"
  }

  /// A share in percent, without needless decimals.
  private static func percent(_ share: Double) -> String {
    "\(ReportNumber.text(share * 100, decimals: 1)) %"
  }
}
