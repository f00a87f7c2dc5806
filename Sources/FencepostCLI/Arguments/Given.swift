import ArgumentParser

/// A value on the command line, and whether the user gave it.
struct Given<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
  /// The value, or the default.
  var value: Value
  /// Whether it is not the default.
  var isGiven: Bool

  /// Makes a default.
  init(_ value: Value) {
    self.value = value
    isGiven = false
  }

  init?(argument: String) {
    guard let value = Value(argument: argument) else { return nil }
    self.value = value
    isGiven = true
  }

  var defaultValueDescription: String { value.defaultValueDescription }

  static var allValueStrings: [String] { Value.allValueStrings }
}
