/// An array of which few elements have been replaced since it was created.
///
/// Copies share the elements as they were created, so that an editor's change to one of many places
/// costs no copy of the others.
@usableFromInline
package struct EditedArray<Element: Sendable>: Sendable {
  /// The elements as they were created.
  @usableFromInline package let base: [Element]
  @usableFromInline var edited: [Int: Element] = [:]

  /// Creates an array in which nothing has been replaced.
  package init(_ base: [Element]) {
    self.base = base
  }

  /// The number of elements, which never changes.
  package var count: Int { base.count }
  /// The valid indices, from 0.
  package var indices: Range<Int> { base.indices }

  /// The element as it is now; setting it leaves ``base`` unchanged.
  @inlinable package subscript(index: Int) -> Element {
    get { edited.isEmpty ? base[index] : edited[index] ?? base[index] }
    set { edited[index] = newValue }
  }

  /// The elements as they are now, in O(1) if none has been replaced.
  package var array: [Element] {
    edited.isEmpty ? base : base.indices.map { self[$0] }
  }
}
