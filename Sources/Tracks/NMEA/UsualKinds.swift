/// Which kinds of sentences a receiver sends in an epoch, as far as recent epochs tell.
struct UsualKinds: Sendable {
  private var current: NMEAEpoch.Kinds = []
  private var former: NMEAEpoch.Kinds = []
  private var count = 0

  /// What a receiver sends may change; that long a kind is waited for that does not come any more.
  private static var generationCount: Int { 16 }

  @inline(__always)
  mutating func note(_ kinds: NMEAEpoch.Kinds) {
    current.formUnion(kinds)
    count &+= 1
    guard count >= Self.generationCount else { return }
    former = current
    current = []
    count = 0
  }

  /// Whether nothing is missing in `kinds`; false while nothing is known.
  func areAll(in kinds: NMEAEpoch.Kinds) -> Bool {
    let usual = current.union(former)
    return !usual.isEmpty && kinds.isSuperset(of: usual)
  }
}
