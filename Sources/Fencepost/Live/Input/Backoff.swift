/// Ever longer pauses between attempts, each of a length that others do not share.
struct Backoff {
  private let leastMilliseconds: Int
  private let mostMilliseconds: Int
  private var ceiling: Int
  private var random = SystemRandomNumberGenerator()

  /// - Parameters:
  ///   - leastMilliseconds: The longest the first pause can be.
  ///   - mostMilliseconds: The longest any pause can be.
  init(leastMilliseconds: Int, mostMilliseconds: Int) {
    self.leastMilliseconds = leastMilliseconds
    self.mostMilliseconds = mostMilliseconds
    ceiling = leastMilliseconds
  }

  /// The next pause: half its longest at least, so that many clients do not come back together.
  mutating func next() -> Int {
    defer { ceiling = min(2 * ceiling, mostMilliseconds) }
    return Int.random(in: ceiling / 2...ceiling, using: &random)
  }

  /// Begins anew, after an attempt that succeeded.
  mutating func reset() { ceiling = leastMilliseconds }
}
