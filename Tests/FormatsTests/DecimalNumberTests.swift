import FencepostFormats
import Foundation
import TestSupport
import Testing

@Suite("Decimal numbers")
struct DecimalNumberTests {
  @Test(
    "consist of digits and optionally a sign, a point and an exponent",
    arguments: [
      ("0", 0), ("-0", -0.0), ("+12.5", 12.5), (".5", 0.5), ("5.", 5), ("1e3", 1000),
      ("1E-3", 0.001), ("-75.150334", -75.150334), ("8.6e-5", 8.6e-5),
      ("9007199254740993", 9_007_199_254_740_992), ("1e400", .infinity), ("1e-400", 0),
      ("0.000000000000000000000000000001", 1e-30), ("1e99999999999999999999", .infinity),
      ("123456789012345678901234567890", 1.2345678901234568e29),
    ] as [(String, Double)])
  func accepted(text: String, value: Double) {
    let parsed = DecimalNumber.double(parsing: text)
    #expect(parsed == value)
    #expect(parsed?.sign == value.sign)
  }

  @Test(
    "cannot be anything else",
    arguments: [
      "", "-", "+", ".", "-.", "e5", "1e", "1e+", "1.2.3", "1,5", " 1", "1 ", "nan", "inf",
      "0x10", "--1", "1e5.0", "1_000", "١",
    ])
  func refused(text: String) {
    #expect(DecimalNumber.double(parsing: text) == nil)
  }

  @Test("are rounded like the C library does, in 200,000 random cases")
  func agreesWithLibrary() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<200_000 {
      var text = Bool.random(using: &generator) ? "-" : ""
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        text += String(Int.random(in: 0...9, using: &generator))
      }
      text += "."
      for _ in 0..<Int.random(in: 0...14, using: &generator) {
        text += String(Int.random(in: 0...9, using: &generator))
      }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        text += "e\(Int.random(in: -40...40, using: &generator))"
      }
      guard let parsed = DecimalNumber.double(parsing: text) else {
        Issue.record("\(text) was refused")
        continue
      }
      let expected = unsafe strtod(text, nil)
      #expect(parsed == expected, "\(text)")
    }
  }

  @Test("are accepted exactly when the grammar matches, in 200,000 random cases")
  func followsGrammar() throws {
    let grammar = /[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/
    var generator = SplitMix64(seed: 10)
    let bytes = Array("0123456789012345678901234567890123456789....+-eE ,:/".utf8)
    var accepted = 0
    for _ in 0..<200_000 {
      let text = String(
        decoding: (0..<Int.random(in: 1...14, using: &generator)).map { _ in
          bytes.randomElement(using: &generator) ?? 0x30
        }, as: UTF8.self)
      let isNumber = try grammar.wholeMatch(in: text) != nil
      let expected = unsafe isNumber ? strtod(text, nil) : nil
      #expect(DecimalNumber.double(parsing: text) == expected, "\(text)")
      if isNumber { accepted += 1 }
    }
    #expect(accepted > 10_000)
  }
}
