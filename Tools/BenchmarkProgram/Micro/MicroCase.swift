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
  /// A case that hands over each of some values in turn, several times, and adds up what comes of
  /// them.
  ///
  /// The adding up is done by ``sum(_:_:)`` with a literal closure, which the compiler puts in place:
  /// the function is often cheaper than a call.
  static func each<Value>(
    _ name: String, of values: [Value], times: Int = 1, _ sum: @escaping ([Value]) -> Double
  ) -> MicroCase {
    MicroCase(name: name) {
      var witness = 0.0
      for _ in 0..<times { witness += sum(values) }
      return (values.count * times, witness)
    }
  }

  /// The sum of a function over values.
  @inline(__always)
  static func sum<Value>(_ values: [Value], _ body: (Value) -> Double) -> Double {
    var sum = 0.0
    for value in values { sum += body(value) }
    return sum
  }
}
