/// Pauses between attempts, each twice as long as the one before up to a bound.
struct Backoff: Sendable {
  /// What share of its full length a pause has, above 0 and at most 1.
  typealias Share = @Sendable () -> Double

  private let leastMilliseconds: Int
  private let mostMilliseconds: Int
  private let share: Share
  private var fullMilliseconds: Int

  /// Makes pauses that begin short.
  ///
  /// - Parameters:
  ///   - leastMilliseconds: The full length of the first pause.
  ///   - mostMilliseconds: The full length that no pause exceeds.
  ///   - share: Asked once for each pause; by default a random half to whole, so that many clients do
  ///     not come back together.
  init(
    leastMilliseconds: Int, mostMilliseconds: Int,
    share: @escaping Share = { Double.random(in: 0.5...1) }
  ) {
    self.leastMilliseconds = leastMilliseconds
    self.mostMilliseconds = mostMilliseconds
    self.share = share
    fullMilliseconds = leastMilliseconds
  }

  /// The next pause.
  mutating func next() -> Int {
    defer { fullMilliseconds = min(2 * fullMilliseconds, mostMilliseconds) }
    return Int(Double(fullMilliseconds) * share())
  }

  /// Begins anew, after an attempt that succeeded.
  mutating func reset() { fullMilliseconds = leastMilliseconds }
}
