/// A function that is called many times in a row.
struct MicroCase {
  var name: String
  /// What one call handles, such as a fix.
  var unit = "call"
  /// Calls the function, and returns how many times and something that depends on every call, so
  /// that none can be left out.
  var run: () throws -> (count: Int, witness: Double)
}

extension MicroCase {
  /// A case that hands over each of some values in turn, and adds up what comes of them.
  static func each<Value>(
    _ name: String, of values: [Value], unit: String = "call", times: Int = 1,
    _ body: @escaping (Value) -> Double
  ) -> MicroCase {
    MicroCase(name: name, unit: unit) {
      var witness = 0.0
      for _ in 0..<times {
        for value in values { witness += body(value) }
      }
      return (values.count * times, witness)
    }
  }
}
