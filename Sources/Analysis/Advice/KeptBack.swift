/// Chooses the persons held out to test the advice on tracks that did not shape it.
package enum KeptBack {
  /// Chooses a share of the persons, less than 1, and returns their indices, ascending.
  ///
  /// The choice depends only on names and seed. At least one person is chosen and at least one is
  /// not, unless `share` is 0 or there is only one person.
  package static func choose(_ names: [String], share: Double, seed: UInt64) -> [Int] {
    guard share > 0, names.count > 1 else { return [] }
    let count = min(names.count - 1, max(1, Int((Double(names.count) * share).rounded())))
    let hashes = names.map {
      AnalysisTotals.hash(of: $0, moment: Int(truncatingIfNeeded: seed))
    }
    return names.indices.sorted { (hashes[$0], names[$0]) < (hashes[$1], names[$1]) }
      .prefix(count).sorted()
  }
}
