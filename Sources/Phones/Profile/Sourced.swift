/// A value of a profile with where it comes from and how sure it is.
package struct Sourced<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The value that counts.
  package var value: Value
  /// The least that it may well be, nil if the source leaves no doubt.
  package var low: Value?
  /// The most that it may well be, nil if the source leaves no doubt.
  package var high: Value?
  /// What kind of source it has.
  package var basis: Basis
  /// The source in words, so that a reader can check it.
  package var source: String

  /// Makes a value with its source.
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

/// What a value of a profile rests on.
package enum Basis: String, CaseIterable, Equatable, Sendable {
  /// The maker's documentation or source code says it.
  case documented
  /// Somebody measured it, and published how.
  case measured
  /// It was chosen so that the profile reproduces published figures.
  case fitted
  /// Nobody has published it: an assumption, with a low and a high value.
  case assumed
}

/// A bound that may be absent, written as a number or `none`.
package enum Bound<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The bound.
  case at(Value)
  /// No bound.
  case none

  /// The bound, nil without one.
  package var value: Value? {
    if case .at(let value) = self { value } else { nil }
  }
}
