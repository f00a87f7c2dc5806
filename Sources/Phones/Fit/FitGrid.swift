/// What a fit tries: every combination of a few values of each parameter.
struct FitGrid {
  /// What is fitted, with its name for people.
  enum Parameter: String, CaseIterable {
    case enterCushion = "confirmation.enterCushionMeters"
    case exitCushion = "confirmation.exitCushionMeters"
    case delay = "median delay, s"
    case spread = "sigma of the delay"
    case neverShare = "share never reported"

    /// How many steps a unit of the rounded value has.
    fileprivate var stepsPerUnit: Double {
      switch self {
      case .enterCushion, .exitCushion: 1
      case .delay: 10
      case .spread: 100
      case .neverShare: 1000
      }
    }
  }

  struct Axis {
    /// The first and last value; their logarithms if `isLogarithmic`.
    var range: ClosedRange<Double>
    /// The bounds of the first grid.
    let bounds: ClosedRange<Double>
    let isLogarithmic: Bool
    /// The number of values; 1 for a parameter that the walks say nothing about.
    var count: Int

    init(_ bounds: ClosedRange<Double>, count: Int, isLogarithmic: Bool = false) {
      let range =
        isLogarithmic
        ? Numerics.logarithm(bounds.lowerBound)...Numerics.logarithm(bounds.upperBound) : bounds
      (self.range, self.bounds, self.isLogarithmic, self.count) =
        (range, range, isLogarithmic, count)
    }

    var step: Double { (range.upperBound - range.lowerBound) / Double(max(1, count - 1)) }
    var points: [Double] { (0..<count).map { range.lowerBound + Double($0) * step } }

    func value(_ point: Double) -> Double {
      isLogarithmic ? Numerics.exponential(point) : point
    }
  }

  /// The bounds: meters beyond the edge, seconds, standard deviation of their logarithm, share.
  var axes: [Parameter: Axis] = [
    .enterCushion: Axis(-200...100, count: 13), .exitCushion: Axis(0...300, count: 13),
    .delay: Axis(1...900, count: 13, isLogarithmic: true),
    .spread: Axis(0.2...2, count: 7, isLogarithmic: true), .neverShare: Axis(0...0.9, count: 13),
  ]
  /// For each parameter and value, the greatest logarithm of the likelihood, and the probability.
  private var marginals: [Parameter: [(greatest: Double, mass: Double)]] = [:]

  func values(_ parameter: Parameter) -> [Double] {
    guard let axis = axes[parameter] else { return [] }
    return axis.points.map(axis.value)
  }

  /// The densities of the delay, by median and then by spread.
  var delayKernels: [DelayKernel] {
    values(.delay).flatMap { median in
      values(.spread).map { DelayKernel(medianSeconds: median, sigma: $0) }
    }
  }

  /// Weighs all combinations; each side has a table for each of its cushions, or none at all.
  mutating func evaluate(_ enters: [[Double]], _ exits: [[Double]]) {
    let counts = Parameter.allCases.map { axes[$0]?.count ?? 1 }
    let cells = counts[2] * counts[3] * counts[4]
    let none = [[Double](repeating: 0, count: cells)]
    let (enters, exits) = (enters.isEmpty ? none : enters, exits.isEmpty ? none : exits)
    var best = -Double.infinity
    for enter in enters {
      for exit in exits {
        for cell in 0..<cells { best = max(best, enter[cell] + exit[cell]) }
      }
    }
    var found = counts.map { count in
      [(greatest: Double, mass: Double)](repeating: (-.infinity, 0), count: count)
    }
    for (one, enter) in enters.enumerated() {
      for (other, exit) in exits.enumerated() {
        for cell in 0..<cells where enter[cell] + exit[cell] > best - 60 {
          let logarithm = enter[cell] + exit[cell] - best
          let weight = Numerics.exponential(logarithm)
          let delay = cell / counts[4]
          let indices = [one, other, delay / counts[3], delay % counts[3], cell % counts[4]]
          for (place, index) in indices.enumerated() {
            found[place][index].greatest = max(found[place][index].greatest, logarithm)
            found[place][index].mass += weight
          }
        }
      }
    }
    marginals = Dictionary(uniqueKeysWithValues: zip(Parameter.allCases, found))
  }

  /// Narrows each axis to the values within a distance of the best likelihood, and a step around.
  mutating func narrow(_ threshold: Double) {
    for (parameter, marginal) in marginals {
      guard var axis = axes[parameter], axis.count > 1 else { continue }
      let points = axis.points.indices.filter { marginal[$0].greatest > -threshold }
      guard let first = points.first, let last = points.last else { continue }
      let low = axis.range.lowerBound + Double(first - 1) * axis.step
      let high = axis.range.lowerBound + Double(last + 1) * axis.step
      axis.range = max(low, axis.bounds.lowerBound)...min(high, axis.bounds.upperBound)
      axes[parameter] = axis
    }
  }

  /// The median and the central 95 % of a parameter; nil if the walks say nothing about it.
  func value(of parameter: Parameter) -> FittedProfile.Value? {
    guard let axis = axes[parameter], axis.count > 1, let marginal = marginals[parameter]
    else { return nil }
    let points = [0.025, 0.5, 0.975].map { Self.point(at: $0, of: marginal.map(\.mass), axis) }
    let slack = 0.02 * (axis.bounds.upperBound - axis.bounds.lowerBound)
    // A share of 0 is a bound of its own kind.
    let isAtBound =
      points[2] > axis.bounds.upperBound - slack
      || parameter != .neverShare && points[0] < axis.bounds.lowerBound + slack
    let steps = parameter.stepsPerUnit
    let values = points.map { (axis.value($0) * steps).rounded() / steps }
    return FittedProfile.Value(
      name: parameter.rawValue, value: values[1], low: values[0], high: values[2],
      isUnbounded: isAtBound)
  }

  /// The point that a share of the probability does not exceed.
  ///
  /// The density is a straight line between two values.
  private static func point(at share: Double, of mass: [Double], _ axis: Axis) -> Double {
    let pieces = zip(mass, mass.dropFirst()).map { ($0 + $1) / 2 }
    var rest = share * pieces.reduce(0, +)
    for (index, piece) in pieces.enumerated() {
      guard rest <= piece else {
        rest -= piece
        continue
      }
      let (from, to) = (mass[index], mass[index + 1])
      let root = max(0, from * from + 2 * (to - from) * rest).squareRoot()
      let part = from + root > 0 ? 2 * rest / (from + root) : 0
      return axis.points[index] + min(1, part) * axis.step
    }
    return axis.range.upperBound
  }
}

/// The density of a lognormal delay, in bins of its logarithm.
struct DelayKernel {
  /// Per second; the first bin is for delays that are not positive.
  let density: [Double]

  private static let (least, width, count) = (0.01, 0.02, 740)

  init(medianSeconds: Double, sigma: Double) {
    density =
      [0]
      + (0..<Self.count).map { bin in
        let seconds = Self.least * Numerics.exponential((Double(bin) + 0.5) * Self.width)
        let z = Numerics.logarithm(seconds / medianSeconds) / sigma
        return Numerics.exponential(-z * z / 2) / (seconds * sigma * 2.5066282746310002)
      }
  }

  static func bin(of seconds: Double) -> Int {
    guard seconds > 0 else { return 0 }
    let bin = Int((Numerics.logarithm(max(seconds, least) / least) / width).rounded(.down))
    return 1 + min(bin, count - 1)
  }
}
