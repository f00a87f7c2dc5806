/// A value of a profile with its source and uncertainty.
package struct Sourced<Value: Equatable & Sendable>: Equatable, Sendable {
  package var value: Value
  /// The lowest plausible value; nil if the value is certain.
  package var low: Value?
  /// The highest plausible value; nil if the value is certain.
  package var high: Value?
  package var basis: Basis
  /// The source, described so that a reader can check it.
  package var source: String

  package init(
    _ value: Value, low: Value? = nil, high: Value? = nil, basis: Basis = .assumed,
    source: String = ""
  ) {
    self.value = value
    self.low = low
    self.high = high
    self.basis = basis
    self.source = source
  }
}

/// The kind of source for a value of a profile.
package enum Basis: String, CaseIterable, Equatable, Sendable {
  /// The vendor's documentation or source code.
  case documented
  /// A published measurement.
  case measured
  /// Chosen so that the profile reproduces published results.
  case fitted
  /// An assumption with a low and a high value, because nothing is published.
  case assumed
}

/// An optional limit, written as a number or `none`.
package enum Bound<Value: Equatable & Sendable>: Equatable, Sendable {
  case at(Value)
  case none

  package var value: Value? {
    if case .at(let value) = self { value } else { nil }
  }
}
