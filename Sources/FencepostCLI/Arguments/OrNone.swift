import ArgumentParser

/// A value on the command line, or the word `none`.
enum OrNone<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
  /// The word.
  case none
  /// A value.
  case some(Value)

  /// Reads the word or a value.
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

  /// As the user would write it.
  var defaultValueDescription: String { value?.defaultValueDescription ?? "none" }

  /// What a shell may offer.
  static var allValueStrings: [String] {
    Value.allValueStrings.isEmpty ? [] : Value.allValueStrings + ["none"]
  }
}

extension OrNone: Equatable where Value: Equatable {}

/// Values on the command line with commas between them: `10,20,50`.
struct ListArgument<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
  /// The values in the user's order, one at least.
  var values: [Value]

  /// Makes a list of values.
  init(_ values: [Value]) {
    self.values = values
  }

  /// Reads a list; an empty item is an error.
  init?(argument: String) {
    var values: [Value] = []
    for item in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let value = Value(argument: String(item.drop { $0 == " " })) else { return nil }
      values.append(value)
    }
    self.values = values
  }

  /// As the user would write it.
  var defaultValueDescription: String {
    values.map(\.defaultValueDescription).joined(separator: ",")
  }
}

extension ListArgument: Equatable where Value: Equatable {}
