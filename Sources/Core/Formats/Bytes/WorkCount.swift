/// Counts the bytes that a reader looks at, in debug builds, so that tests can bound its work.
///
/// It costs nothing in other builds.
package struct WorkCount: Sendable {
  #if DEBUG
  private var count = 0
  #endif

  /// Creates a count of 0.
  package init() {}

  /// How many bytes were looked at; nil if they were not counted.
  package var bytes: Int? {
    #if DEBUG
    count
    #else
    nil
    #endif
  }

  /// Counts bytes that a reader has looked at.
  package mutating func add(_ bytes: Int) {
    #if DEBUG
    count += bytes
    #endif
  }
}
