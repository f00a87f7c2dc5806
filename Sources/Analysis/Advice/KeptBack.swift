/// Chooses the persons whose tracks are kept back, to measure the advice on tracks that did not shape it.
package enum KeptBack {
  /// Chooses persons by number.
  ///
  /// The choice depends on the names and the seed alone: not on the order of the files, nor on what the tracks are
  /// like. At least one person is kept back, and at least one is not.
  ///
  /// - Parameters:
  ///   - names: The persons' names.
  ///   - share: The share to keep back, 0 up to but without 1; 0 keeps none.
  ///   - seed: Another seed chooses others.
  /// - Returns: The numbers of the persons that are kept back, ascending.
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
