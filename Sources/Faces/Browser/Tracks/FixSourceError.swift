/// A source of fixes that fails; an engine in a browser has all fixes in memory.
///
/// Shared code handles it, but nothing here throws it.
package struct FixSourceError: Error, CustomStringConvertible {
  /// Always empty, as no such error is ever shown.
  package var description: String { "" }
}
