/// An array of which few elements have been replaced since it was created.
///
/// Copies share the elements as they were created, so that an editor's change to one of many places
/// costs no copy of the others.
package struct EditedArray<Element: Sendable>: RandomAccessCollection, Sendable {
  @usableFromInline let base: [Element]
  @usableFromInline var edited: [Int: Element] = [:]

  package init(_ base: [Element]) {
    self.base = base
  }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { base.count }

  @inlinable package subscript(index: Int) -> Element {
    get { edited.isEmpty ? base[index] : edited[index] ?? base[index] }
    set { edited[index] = newValue }
  }

  /// The elements as they are now, in O(1) if none has been replaced.
  package var array: [Element] { edited.isEmpty ? base : Array(self) }
}
