#if Command
/// Which of a session's devices gives way to a new one when there are too many.
///
/// Devices that were heard only once give way first, so that a sender of made-up names crowds out
/// nobody who goes on sending; then the one that has been silent longest. A pure value without a
/// clock: the order in which devices are heard decides, so a restart decides the same.
package struct DeviceRoster: Sendable {
  /// A device's place in the order of giving way, lowest first.
  ///
  /// A state file keeps it, so that a restart makes the same choice.
  package struct Standing: Codable, Equatable, Sendable {
    /// Whether it was heard more than once.
    var isRegular: Bool
    /// The number of what was last heard of it, among all that was heard of any device.
    var heard: Int

    /// Whether one device gives way before another.
    package static func precedes(_ one: Standing, _ other: Standing) -> Bool {
      one.isRegular == other.isRegular ? one.heard < other.heard : !one.isRegular
    }
  }

  private let capacity: Int
  private var ranks: [String: Standing] = [:]
  private var heard = 0

  /// Creates an empty roster for at most so many devices, at least 1.
  package init(capacity: Int) { self.capacity = max(1, capacity) }

  /// A device's place in the order; nil if the session does not follow it.
  package subscript(name: String) -> Standing? { ranks[name] }

  /// Records that something came of a device.
  ///
  /// - Returns: The device that is forgotten for it; nil if there is room.
  /// - Complexity: O(1), or O(devices) if one gives way.
  package mutating func hear(_ name: String) -> String? {
    heard += 1
    ranks[name] = Standing(isRegular: ranks[name] != nil, heard: heard)
    return forgetOne(but: name)
  }

  /// Adds a device of an earlier session; without a rank it comes after those added before.
  ///
  /// - Returns: The device that is forgotten because fewer are allowed now.
  package mutating func restore(_ name: String, _ rank: Standing?) -> String? {
    heard = max(heard + 1, rank?.heard ?? 0)
    ranks[name] = rank ?? Standing(isRegular: true, heard: heard)
    return forgetOne(but: nil)
  }

  private mutating func forgetOne(but name: String?) -> String? {
    guard ranks.count > capacity else { return nil }
    let silent = ranks.lazy.filter { $0.key != name }.min { Standing.precedes($0.value, $1.value) }
    if let silent { ranks[silent.key] = nil }
    return silent?.key
  }
}
#endif
