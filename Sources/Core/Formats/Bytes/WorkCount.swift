/// Counts the bytes that a reader looks at, in debug builds, so that tests can bound its work.
///
/// It costs nothing in other builds.
package struct WorkCount: Sendable {
  #if DEBUG
    private var count = 0
  #endif

  package init() {}

  /// How many bytes were looked at; nil if they were not counted.
  package var bytes: Int? {
    #if DEBUG
      count
    #else
      nil
    #endif
  }

  package mutating func add(_ bytes: Int) {
    #if DEBUG
      count += bytes
    #endif
  }
}
