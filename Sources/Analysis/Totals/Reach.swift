/// The readers whose phones can show an alert at all, as a share of all readers with the app.
///
/// Such a reader has given three permissions. Their shares multiply, as if they were independent,
/// because no published study counts them together.
package struct Reach: Equatable, Sendable {
  package enum Permission: String, CaseIterable, Sendable {
    case notifications
    case background
    /// Precise location, without which phones report no circles.
    case precise
  }

  package enum System: String, CaseIterable, Sendable { case iphone, android }

  /// The share of readers who give a permission, from 0 to 1.
  package struct Rate: Equatable, Sendable {
    package var share: Double
    package var range: ClosedRange<Double>
    /// Where the share was published, or why it was assumed; nil if it is the user's own.
    package var source: String?
  }

  /// The system with the published rates in use; nil if all rates are the user's own.
  package let system: System?
  private let own: [Permission: Double]

  /// Creates the reach from a system's published rates and the user's own, which replace those.
  ///
  /// Nil if a permission has no rate, or one outside 0 to 1.
  package init?(_ system: System?, own: [Permission: Double] = [:]) {
    guard system != nil || own.count == Permission.allCases.count,
      own.values.allSatisfy((0...1).contains)
    else { return nil }
    self.system = own.count == Permission.allCases.count ? nil : system
    self.own = own
  }

  package subscript(permission: Permission) -> Rate {
    if let share = own[permission] { return Rate(share: share, range: share...share) }
    switch permission {
    case .notifications:
      let share = system == .android ? 0.67 : 0.56
      return Rate(share: share, range: share...share, source: "Batch 2025")
    case .background:
      // Opt-in rates “often below 50 %” (B. Grouchko of Teemo), and 80 % who turned it off within
      // six weeks of iOS 13 (Location Sciences), both to Digiday, January 2020. The middle of both.
      return Rate(share: 0.35, range: 0.2...0.5, source: "Location Sciences and Teemo 2020")
    case .precise:
      // Precise location is on unless a reader turns it off; nobody has published how many do.
      return Rate(share: 0.9, range: 0.8...1, source: "assumed")
    }
  }

  package var share: Double { product { $0.share } }

  /// The lowest and the highest plausible share; equal if all rates are the user's own.
  package var range: ClosedRange<Double> {
    product { $0.range.lowerBound }...product { $0.range.upperBound }
  }

  private func product(_ of: (Rate) -> Double) -> Double {
    Permission.allCases.reduce(1) { $0 * of(self[$1]) }
  }
}
