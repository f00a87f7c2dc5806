/// Whole numbers that add up over tracks, listed once under the names that documents give them.
///
/// The lists serve to add, to write and to read the numbers.
package protocol NamedCounts { static var counts: [Count<Self>] { get } }

package typealias Count<Root> = (
  name: StaticString, path: any WritableKeyPath<Root, Int> & Sendable
)

extension NamedCounts {
  /// Adds the listed numbers of another value, but nothing else that it has.
  package mutating func addCounts(of other: Self) {
    for count in Self.counts { self[keyPath: count.path] += other[keyPath: count.path] }
  }
}
