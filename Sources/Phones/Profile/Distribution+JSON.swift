import FencepostFormats

extension Distribution: ProfileValue {
  static func read(_ node: JSONNode) throws(JSONPathError) -> Distribution {
    let kind = try node.member("kind")
    switch try kind.string() {
    case "constant":
      try node.allow(["kind", "value"])
      return .constant(try node.member("value").double())
    case "quantiles":
      try node.allow(["kind", "at"])
      return .quantiles(try readQuantiles(node.member("at")))
    case "lognormal":
      try node.allow(["kind", "median", "sigma"])
      return try readLognormal(node)
    case "mixture":
      try node.allow(["kind", "parts"])
      return .mixture(try readParts(node.member("parts")))
    default: throw kind.error("expected one of constant, quantiles, lognormal, mixture")
    }
  }

  private static func readLognormal(_ node: JSONNode) throws(JSONPathError) -> Distribution {
    let (median, sigma) = (try node.member("median"), try node.member("sigma"))
    guard try median.double() > 0 else { throw median.error("expected more than 0") }
    guard try (0...5).contains(sigma.double()) else { throw sigma.error("expected 0 to 5") }
    return .lognormal(median: try median.double(), sigma: try sigma.double())
  }

  private static func readQuantiles(_ node: JSONNode) throws(JSONPathError) -> [Quantile] {
    var quantiles: [Quantile] = []
    for element in try node.elements() {
      let pair = try element.elements()
      guard pair.count == 2 else { throw element.error("expected a share and a value") }
      let quantile = Quantile(share: try pair[0].double(), value: try pair[1].double())
      if let last = quantiles.last {
        guard quantile.share > last.share else {
          throw pair[0].error("expected a greater share than the one before")
        }
        guard quantile.value >= last.value else {
          throw pair[1].error("expected no smaller value than the one before")
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
      parts.append(Part(share: try share.double(), of: try read(element.member("of"))))
    }
    let sum = parts.reduce(0) { $0 + $1.share }
    guard abs(sum - 1) < 1e-9 else { throw node.error("the shares add up to \(sum), not to 1") }
    return parts
  }

  var json: JSONValue {
    switch self {
    case .constant(let value): Self.object("constant", [("value", value.json)])
    case .quantiles(let quantiles):
      Self.object(
        "quantiles",
        [("at", .array(quantiles.map { .array([$0.share.json, $0.value.json]) }))])
    case .lognormal(let median, let sigma):
      Self.object("lognormal", [("median", median.json), ("sigma", sigma.json)])
    case .mixture(let parts):
      Self.object(
        "mixture",
        [
          (
            "parts",
            .array(
              parts.map {
                .object([
                  .init(key: "share", value: $0.share.json), .init(key: "of", value: $0.of.json),
                ])
              })
          )
        ])
    }
  }

  private static func object(_ kind: String, _ members: [(String, JSONValue)]) -> JSONValue {
    .object(
      ([("kind", .string(kind))] + members).map { JSONValue.Member(key: $0.0, value: $0.1) })
  }

  /// The least value that it gives.
  var least: Double {
    switch self {
    case .constant(let value): value
    case .quantiles(let quantiles): quantiles.first?.value ?? 0
    case .lognormal: 0
    case .mixture(let parts): parts.map(\.of.least).min() ?? 0
    }
  }
}
