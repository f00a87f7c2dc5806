package import FencepostMonitoring

/// The stories that advice is to help, and how much an alert of each counts.
///
/// An alert of the least important of them counts 1, an alert of the next more important priority 2,
/// and so on. An alert of any other story counts 0.
package struct AdvicePurpose: Equatable, Sendable {
  /// What an alert counts, at least 1, by the ids of the stories to help.
  package let weights: [String: Int]

  package init(_ stories: [Place]) {
    let priorities = Set(stories.map(\.priority)).sorted(by: >)
    let ranks = Dictionary(uniqueKeysWithValues: zip(priorities, 1...))
    weights = Dictionary(stories.map { ($0.id, ranks[$0.priority] ?? 1) }) { first, _ in first }
  }

  package var greatestWeight: Int { weights.values.max() ?? 0 }
}
