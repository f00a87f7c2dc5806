import ArgumentParser

/// A value on the command line, or the word `none`.
enum OrNone<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
  /// The word.
  case none
  /// A value.
  case some(Value)

  init?(argument: String) {
    if argument == "none" {
      self = .none
    } else if let value = Value(argument: argument) {
      self = .some(value)
    } else {
      return nil
    }
  }

  /// The value, nil for the word.
  var value: Value? {
    switch self {
    case .none: nil
    case .some(let value): value
    }
  }

  var defaultValueDescription: String { value?.defaultValueDescription ?? "none" }

  static var allValueStrings: [String] {
    Value.allValueStrings.isEmpty ? [] : Value.allValueStrings + ["none"]
  }
}

extension OrNone: Equatable where Value: Equatable {}

/// Comma-separated values on the command line: `10,20,50`.
struct ListArgument<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
  /// The values in the user's order, at least one.
  var values: [Value]

  init(_ values: [Value]) { self.values = values }

  /// Parses a list; empty items are errors.
  init?(argument: String) {
    var values: [Value] = []
    for item in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let value = Value(argument: String(item.drop { $0 == " " })) else { return nil }
      values.append(value)
    }
    self.values = values
  }

  var defaultValueDescription: String {
    values.map(\.defaultValueDescription).joined(separator: ",")
  }
}

extension ListArgument: Equatable where Value: Equatable {}
