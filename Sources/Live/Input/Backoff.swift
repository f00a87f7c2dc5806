/// Pauses between attempts, each twice as long as the previous one, up to a limit.
struct Backoff: Sendable {
  /// Returns the fraction of its full length that a pause lasts, in (0, 1].
  typealias Share = @Sendable () -> Double

  private let leastMilliseconds: Int
  private let mostMilliseconds: Int
  private let share: Share
  private var fullMilliseconds: Int

  /// Creates pauses whose full length doubles; random shares keep clients from retrying in step.
  init(
    leastMilliseconds: Int, mostMilliseconds: Int,
    share: @escaping Share = { Double.random(in: 0.5...1) }
  ) {
    self.leastMilliseconds = leastMilliseconds
    self.mostMilliseconds = mostMilliseconds
    self.share = share
    fullMilliseconds = leastMilliseconds
  }

  mutating func next() -> Int {
    defer { fullMilliseconds = min(2 * fullMilliseconds, mostMilliseconds) }
    return Int(Double(fullMilliseconds) * share())
  }

  mutating func reset() { fullMilliseconds = leastMilliseconds }
}
