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

  /// Writes a part of itself among its own members, before and after a nested object.
  private struct Composed: Codable, Equatable {
    struct Part: Codable, Equatable {
      var lat: Double
      var lon: Double
    }

    enum Keys: CodingKey { case first, choice, last }

    var part: Part
    var choice: Sample.Choice
    var last: [Part]

    init(part: Part, choice: Sample.Choice, last: [Part]) {
      (self.part, self.choice, self.last) = (part, choice, last)
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Keys.self)
      part = try Part(from: decoder)
      choice = try values.decode(Sample.Choice.self, forKey: .choice)
      last = try values.decode([Part].self, forKey: .last)
    }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Keys.self)
      try values.encode(1, forKey: .first)
      try values.encode(choice, forKey: .choice)
      try part.encode(to: encoder)
      try values.encode(last, forKey: .last)
    }
  }

  @Test("writes one object where a value writes a part of itself among its members")
  func composed() throws {
    let part = Composed.Part(lat: 1.5, lon: -2)
    let value = Composed(part: part, choice: .some(count: 2, of: "a"), last: [part])
    let data = Data(try StateEncoder.bytes(of: [value, value]))
    let one =
      #"{"first":1,"choice":{"some":{"count":2,"of":"a"}},"lat":1.5,"lon":-2.0,"#
      + #""last":[{"lat":1.5,"lon":-2.0}]}"#
    #expect(String(decoding: data, as: UTF8.self) == "[\(one),\(one)]")
    #expect(try JSONDecoder().decode([Composed].self, from: data) == [value, value])
  }

  @Test("refuses numbers that JSON cannot express", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(_ number: Double) {
    #expect(throws: EncodingError.self) { try StateEncoder.bytes(of: [number]) }
  }
}
