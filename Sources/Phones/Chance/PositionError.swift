/// How far a phone believes to be from where it is: an error that stays for a while.
///
/// A first-order Gauss-Markov process on both axes, which are independent: after a time t the error is a
/// share exp(−t / τ) of what it was and new noise, so that its standard deviation stays the same (Gelb,
/// Applied Optimal Estimation, 1974, section 3.8).
package struct PositionError {
  package let sigmaMeters: Double
  package let correlationSeconds: Double
  package private(set) var meters = SIMD2<Double>()
  private var lastStepSeconds = -1.0
  private var lastShare = 0.0

  package init(sigmaMeters: Double, correlationSeconds: Double) {
    self.sigmaMeters = sigmaMeters
    self.correlationSeconds = correlationSeconds
  }

  /// Begins anew, with no memory.
  package mutating func restart(_ random: inout RandomSequence) {
    guard sigmaMeters > 0 else { return }
    meters = sigmaMeters * SIMD2(random.normal(), random.normal())
  }

  /// Lets time pass.
  package mutating func step(seconds: Double, _ random: inout RandomSequence) {
    guard sigmaMeters > 0 else { return }
    if seconds != lastStepSeconds {
      lastStepSeconds = seconds
      lastShare =
        correlationSeconds > 0 ? Numerics.exponential(-seconds / correlationSeconds) : 0
    }
    let fresh = sigmaMeters * max(0, 1 - lastShare * lastShare).squareRoot()
    meters = lastShare * meters + fresh * SIMD2(random.normal(), random.normal())
  }
}
