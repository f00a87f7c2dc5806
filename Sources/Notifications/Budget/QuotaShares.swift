/// The slots that kinds may still take from their quotas.
struct QuotaShares {
  private var left: [String: Int]
  private var rest: Int

  /// Shares out slots; what the quotas leave of the limit is the share of all kinds without one.
  ///
  /// Where there are fewer slots than the limit, each share shrinks in proportion. The slots that
  /// rounding leaves go to the largest remainders, and among equal ones to the first name.
  init(quotas: [String: Int], slots: Int, totalLimit: Int) {
    let names = quotas.keys.sorted()
    var shares = names.map { max(quotas[$0] ?? 0, 0) }
    shares.append(max(totalLimit - shares.reduce(0, +), 0))
    let whole = shares.reduce(0, +)
    if whole > slots, whole > 0 { shares = Self.shrink(shares, whole: whole, to: slots) }
    rest = shares.removeLast()
    left = Dictionary(uniqueKeysWithValues: zip(names, shares))
  }

  /// Whether a request of a kind gets a slot of its kind's share.
  mutating func take(kind: String) -> Bool {
    if let own = left[kind] {
      left[kind] = max(own - 1, 0)
      return own > 0
    }
    defer { rest = max(rest - 1, 0) }
    return rest > 0
  }

  private static func shrink(_ shares: [Int], whole: Int, to slots: Int) -> [Int] {
    var shrunk = shares.map { $0 * slots / whole }
    let remainders = shares.map { $0 * slots % whole }
    let order = shares.indices.sorted {
      (remainders[$1], $0) < (remainders[$0], $1)
    }
    for index in order.prefix(slots - shrunk.reduce(0, +)) { shrunk[index] += 1 }
    return shrunk
  }
}
