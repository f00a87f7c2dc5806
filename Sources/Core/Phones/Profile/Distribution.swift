import FencepostFormats

/// The distribution of a random quantity, such as the delay of a notification.
///
/// A profile gives one where a value varies. ``value(at:)`` turns a random number into a value.
package indirect enum Distribution: Equatable, Sendable {
  /// Always the same value.
  case constant(Double)
  /// Known quantiles, with linear interpolation between them.
  case quantiles([Quantile])
  /// A value with a normally distributed logarithm, whose standard deviation is `sigma`.
  case lognormal(median: Double, sigma: Double)
  /// Several distributions, each with its share. The shares add up to 1.
  case mixture([Part])

  /// A value that a share of all values does not exceed.
  ///
  /// A list of them is ascending in both members, from the share 0 to the share 1.
  package struct Quantile: Equatable, Sendable {
    /// The share of all values, from 0 to 1.
    package var share: Double
    /// The value, in the unit of the quantity.
    package var value: Double

    /// Creates a quantile, whose place in its list is not checked.
    package init(share: Double, value: Double) {
      self.share = share
      self.value = value
    }
  }

  /// One of the distributions of a mixture, with the share of values that it provides.
  ///
  /// The shares of a mixture's parts add up to 1.
  package struct Part: Equatable, Sendable {
    /// The share of values, above 0 and at most 1.
    package var share: Double
    /// The distribution of these values.
    package var of: Distribution

    /// Creates a part of a mixture.
    package init(share: Double, of distribution: Distribution) {
      self.share = share
      of = distribution
    }
  }

  /// The value for a uniform random number in 0..<1.
  ///
  /// This is the quantile function, except for a mixture. There the number first selects a part,
  /// and the remainder, scaled to 0 … 1, selects a value of the part.
  package func value(at share: Double) -> Double {
    switch self {
    case .constant(let value): value
    case .quantiles(let quantiles): Self.interpolate(quantiles, share)
    case .lognormal(let median, let sigma):
      median * Numerics.exponential(sigma * Numerics.normalQuantile(share))
    case .mixture(let parts): Self.choose(parts, share)
    }
  }

  private static func interpolate(_ quantiles: [Quantile], _ share: Double) -> Double {
    for (before, next) in zip(quantiles, quantiles.dropFirst()) where share < next.share {
      let part = max(0, share - before.share) / (next.share - before.share)
      return before.value + part * (next.value - before.value)
    }
    return quantiles.last?.value ?? 0
  }

  private static func choose(_ parts: [Part], _ share: Double) -> Double {
    var rest = share
    for (index, part) in parts.enumerated() {
      if rest < part.share || index == parts.count - 1 {
        return part.of.value(at: min(rest / part.share, 1 - 0x1p-33))
      }
      rest -= part.share
    }
    return 0
  }

  var isConstant: Bool { if case .constant = self { true } else { false } }

  /// The smallest possible value.
  var least: Double {
    switch self {
    case .constant(let value): value
    case .quantiles(let quantiles): quantiles.first?.value ?? 0
    case .lognormal: 0
    case .mixture(let parts): parts.map({ $0.of.least }).min() ?? 0
    }
  }
}

extension Distribution: ProfileValue {
  init(_ node: JSONNode) throws(JSONPathError) {
    let kind = try node.member("kind")
    switch try kind.string() {
    case "constant":
      try node.allow(["kind", "value"])
      self = .constant(try node.member("value").double())
    case "quantiles":
      try node.allow(["kind", "at"])
      self = .quantiles(try Self.readQuantiles(node.member("at")))
    case "lognormal":
      try node.allow(["kind", "median", "sigma"])
      let (median, sigma) = (try node.member("median"), try node.member("sigma"))
      guard try median.double() > 0 else { throw median.error("expected more than 0") }
      guard try (0...5).contains(sigma.double()) else { throw sigma.error("expected 0 to 5") }
      self = .lognormal(median: try median.double(), sigma: try sigma.double())
    case "mixture":
      try node.allow(["kind", "parts"])
      self = .mixture(try Self.readParts(node.member("parts")))
    default: throw kind.error("expected one of constant, quantiles, lognormal, mixture")
    }
  }

  private static func readQuantiles(_ node: JSONNode) throws(JSONPathError) -> [Quantile] {
    var quantiles: [Quantile] = []
    for element in try node.elements() {
      let pair = try element.elements()
      guard pair.count == 2 else { throw element.error("expected a share and a value") }
      let quantile = Quantile(share: try pair[0].double(), value: try pair[1].double())
      if let last = quantiles.last {
        guard quantile.share > last.share else {
          throw pair[0].error("expected a share greater than the previous one")
        }
        guard quantile.value >= last.value else {
          throw pair[1].error("expected a value not less than the previous one")
        }
      }
      quantiles.append(quantile)
    }
    guard quantiles.count >= 2, quantiles.first?.share == 0, quantiles.last?.share == 1 else {
      throw node.error("expected quantiles from share 0 to share 1")
    }
    return quantiles
  }

  private static func readParts(_ node: JSONNode) throws(JSONPathError) -> [Part] {
    var parts: [Part] = []
    for element in try node.elements() {
      try element.allow(["share", "of"])
      let share = try element.member("share")
      guard try share.double() > 0, try share.double() <= 1 else {
        throw share.error("expected more than 0 and at most 1")
      }
      parts.append(Part(share: try share.double(), of: try Distribution(element.member("of"))))
    }
    let sum = parts.reduce(0) { $0 + $1.share }
    guard abs(sum - 1) < 1e-9 else { throw node.error("the shares must add up to 1, not \(sum)") }
    return parts
  }

  var json: JSONValue {
    let (kind, members): (String, [(String, JSONValue)]) =
      switch self {
      case .constant(let value): ("constant", [("value", value.json)])
      case .quantiles(let quantiles):
        ("quantiles", [("at", .array(quantiles.map { .array([$0.share.json, $0.value.json]) }))])
      case .lognormal(let median, let sigma):
        ("lognormal", [("median", median.json), ("sigma", sigma.json)])
      case .mixture(let parts):
        (
          "mixture",
          [
            (
              "parts",
              .array(parts.map { .object([("share", $0.share.json), ("of", $0.of.json)]) })
            )
          ]
        )
      }
    return .object([("kind", .string(kind))] + members)
  }

  var words: String {
    func percent(_ share: Double) -> String { ((share * 1e4).rounded() / 100).words }
    return switch self {
    case .constant(let value): value.words
    case .lognormal(let median, let sigma):
      "lognormal, median \(median.words), sigma \(sigma.words)"
    case .quantiles(let quantiles):
      quantiles.map { "\(percent($0.share)) % ≤ \($0.value.words)" }.joined(separator: ", ")
    case .mixture(let parts):
      parts.map { "\(percent($0.share)) % of [\($0.of.words)]" }.joined(separator: ", ")
    }
  }
}
