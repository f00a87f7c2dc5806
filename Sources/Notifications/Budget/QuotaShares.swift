/// The slots that kinds can still take from their quotas.
struct QuotaShares {
  private var left: [String: Int]
  private var rest: Int

  /// Shares out slots; kinds without a quota share what the quotas leave of the limit.
  ///
  /// With fewer slots than the limit, each share shrinks in proportion. Slots left by rounding go to the
  /// largest remainders, among equal ones to the first name.
  init(quotas: [String: Int], slots: Int, totalLimit: Int) {
    let names = quotas.keys.sorted()
    // Keeps all sums within an integer.
    let most = Int.max / 2 / (names.count + 1)
    var shares = names.map { min(max(quotas[$0] ?? 0, 0), most) }
    shares.append(min(max(totalLimit - shares.reduce(0, +), 0), most))
    let whole = shares.reduce(0, +)
    if whole > slots, whole > 0 { shares = Self.shrink(shares, whole: whole, to: slots) }
    rest = shares.removeLast()
    left = Dictionary(uniqueKeysWithValues: zip(names, shares))
  }

  /// Takes a slot of a kind's share; false if none is left.
  mutating func take(kind: String) -> Bool {
    if let own = left[kind] {
      left[kind] = max(own - 1, 0)
      return own > 0
    }
    defer { rest = max(rest - 1, 0) }
    return rest > 0
  }

  private static func shrink(_ shares: [Int], whole: Int, to slots: Int) -> [Int] {
    let parts = shares.map { whole.dividingFullWidth($0.multipliedFullWidth(by: slots)) }
    var shrunk = parts.map(\.quotient)
    let remainders = parts.map(\.remainder)
    let order = shares.indices.sorted {
      (remainders[$1], $0) < (remainders[$0], $1)
    }
    for index in order.prefix(slots - shrunk.reduce(0, +)) { shrunk[index] += 1 }
    return shrunk
  }
}
