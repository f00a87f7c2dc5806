import FencepostReporting
import Foundation
import Testing

@Suite("The encoder of saved sessions")
struct StateEncoderTests {
  private struct Sample: Codable, Equatable {
    enum Choice: Codable, Equatable {
      case none
      case some(count: Int, of: String)
    }

    struct Empty: Codable, Equatable {}

    var text: String?
    var numbers: [Double]
    var small: Float
    var counts: [String: Int]
    var choices: [Choice]
    var empty: [Empty]
    var nested: [[Int64?]]
    var isOn: Bool
  }

  @Test(
    "writes JSON that gives the value back",
    arguments: ["", "plain", "“quoted” \"text\" \\ with\nlines\u{0}\u{1F}\u{7F}", "Ü 漢 👩‍👧"])
  func roundTrip(_ text: String) throws {
    let value = Sample(
      text: text.isEmpty ? nil : text,
      numbers: [
        0, -0.1, 1e300, .leastNonzeroMagnitude, 39.9461557, .greatestFiniteMagnitude, 1.0 / 3,
      ], small: 0.1,
      counts: [text: 1, "b": .min], choices: [.none, .some(count: 2, of: text), .none],
      empty: [.init(), .init()], nested: [[], [1, nil, .max], []], isOn: true)
    let data = Data(try StateEncoder.bytes(of: value))
    #expect(try JSONDecoder().decode(Sample.self, from: data) == value)
    // Foundation's parser agrees that it is one document.
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: data) }
  }

  @Test("refuses numbers that JSON cannot express", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(_ number: Double) {
    #expect(throws: EncodingError.self) { try StateEncoder.bytes(of: [number]) }
  }
}
