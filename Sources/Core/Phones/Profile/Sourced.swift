/// A value of a profile with its source and uncertainty.
///
/// Every value of a ``PhoneProfile`` is one, so that a reader can judge what a simulation rests on.
package struct Sourced<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The value that simulations use.
  package var value: Value
  /// The lowest plausible value; nil if the value is certain.
  package var low: Value?
  /// The highest plausible value; nil if the value is certain.
  package var high: Value?
  /// The kind of source.
  package var basis: Basis
  /// The source, described so that a reader can check it.
  package var source: String

  /// Creates a value, which is certain unless it has a low or a high one.
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
///
/// The raw value is the word in the profile's JSON.
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
///
/// A profile without a base must state even that there is no limit.
package enum Bound<Value: Equatable & Sendable>: Equatable, Sendable {
  /// A limit.
  case at(Value)
  /// No limit.
  case none

  /// The limit; nil for no limit.
  package var value: Value? {
    if case .at(let value) = self { value } else { nil }
  }
}
