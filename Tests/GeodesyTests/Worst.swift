/// The largest of some errors and what it belongs to.
struct Worst: CustomStringConvertible {
  private(set) var error = 0.0
  private(set) var scene = ""

  mutating func note(_ error: Double, _ scene: @autoclosure () -> String) {
    // Not a number is the worst of all.
    if !(error <= self.error) {
      self.error = error
      self.scene = scene()
    }
  }

  var description: String { "\(error) at \(scene)" }
}
