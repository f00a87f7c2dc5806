import FencepostAnalysis
package import FencepostPhones

/// What becomes of 20 phones, or of 20 alerts, if chances hold: in time, late, or lost to what.
///
/// The largest remainder rounds the shares, so the counts always add up to 20. Quantile dots:
/// Kay, Kola, Hullman and Munson, CHI 2016.
package struct PhoneDots: Equatable, Sendable {
  /// How many dots there are: few enough to be counted.
  package static let total = 20
  /// What each of the counts means; what alerts are lost to has the names of records.
  package static let names = ["in time", "late"] + StoryChance.losses.map { $0.name }

  /// One for each of ``names``.
  package let counts: [Int]
  /// What is counted, and what it does, such as `phones alert`.
  private let things: String

  /// Counts phones, which alert if they show any alert of a story; nil if none is due.
  ///
  /// If a story has several due alerts, all of them decide what is late and what is lost to what.
  package init?(phones chance: StoryChance) {
    guard chance.trials > 0 else { return nil }
    self.init(chance, coming: chance.shown.share, "phones alert")
  }

  /// Counts the due alerts of many stories; nil without any.
  package init?(alerts chance: StoryChance) {
    guard chance.trials > 0 else { return nil }
    self.init(chance, coming: chance.share(.alert), "due alerts come")
  }

  /// Divides those that come into on time and late, and the rest by what they were lost to.
  private init(_ chance: StoryChance, coming: Double, _ things: String) {
    self.things = things
    let late = chance[.alert] > 0 ? Double(chance.runs.lateAlerts) / Double(chance[.alert]) : 0
    let lost = Double(max(1, chance.trials - chance[.alert]))
    counts = Self.rounded(
      [coming * (1 - late), coming * late]
        + StoryChance.losses.map { (1 - coming) * Double(chance[$0]) / lost })
  }

  /// Shares as counts that add up to 20: rounded down, then up where most was cut off.
  package static func rounded(_ shares: [Double]) -> [Int] {
    let sum = shares.reduce(0, +)
    guard sum > 0 else { return shares.map { _ in 0 } }
    let exact = shares.map { $0 / sum * Double(total) }
    // Rounding errors must not decide which of two equal remainders comes first.
    var counts = exact.map { Int(($0 + 1e-9).rounded(.down)) }
    let order = exact.indices.sorted {
      let (one, other) = (exact[$0] - Double(counts[$0]), exact[$1] - Double(counts[$1]))
      return abs(one - other) > 1e-9 ? one > other : $0 < $1
    }
    for index in order.prefix(max(0, total - counts.reduce(0, +))) { counts[index] += 1 }
    return counts
  }

  /// The dots in words, such as `14 of 20 phones alert in time, 3 late, 2 lost to refresh`.
  package var sentence: String {
    var parts = ["\(counts[0]) of \(Self.total) \(things) in time"]
    if counts[1] > 0 { parts.append("\(counts[1]) late") }
    var verb = "lost to"
    for (name, count) in zip(Self.names, counts).dropFirst(2) where count > 0 {
      parts.append("\(count) \(verb) \(name)")
      verb = "to"
    }
    return parts.joined(separator: ", ")
  }

  /// A line of 20 characters: full in time, half full late, empty lost.
  package var line: String {
    func dots(_ mark: String, _ count: Int) -> String { String(repeating: mark, count: count) }
    return dots("●", counts[0]) + dots("◐", counts[1])
      + dots("○", Self.total - counts[0] - counts[1])
  }
}

extension OutputBuffer {
  /// Appends the counts and the sentence as an array; `null` without dots.
  package mutating func append(_ dots: PhoneDots?) {
    guard let dots else { return append("null") }
    append("[")
    appendArray(dots.counts) { $0.append(decimal: $1) }
    append(",")
    append(json: dots.sentence)
    append("]")
  }
}
