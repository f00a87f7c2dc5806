import Foundation
import FencepostTime
import TestSupport
import Testing

@Suite("ISO 8601 instants")
struct ISO8601Tests {
  @Test(
    "are read in all their accepted forms",
    arguments: [
      ("1970-01-01T00:00:00Z", 0),
      ("2026-03-04T17:00:12.250Z", 1_772_643_612_250),
      ("2026-03-04t17:00:12.25z", 1_772_643_612_250),
      ("2026-03-04 17:00:12,25", 1_772_643_612_250),
      ("2026-03-04T17:00:12", 1_772_643_612_000),
      ("2026-03-04T17:00", 1_772_643_600_000),
      ("2026-03-04", 1_772_582_400_000),
      ("2026-03-04T18:00:12+01:00", 1_772_643_612_000),
      ("2026-03-04T12:00:12-0500", 1_772_643_612_000),
      ("2026-03-04T12:00:12.000-05", 1_772_643_612_000),
      ("2026-03-04T22:30:12+05:30", 1_772_643_612_000),
      ("2015-12-11T15:43:13.4567891234+01:00", 1_449_844_993_456),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000),
      ("2016-12-31T23:59:60.5Z", 1_483_228_800_500),
      ("2016-12-31T24:00:00Z", 1_483_228_800_000),
      ("2016-02-29T00:00:00Z", 1_456_704_000_000),
      ("0000-01-01T00:00:00Z", -62_167_219_200_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
      ("1901-12-13T20:45:52.207343Z", -2_147_483_647_793),
    ] as [(String, Int64)])
  func accepted(text: String, milliseconds: Int64) {
    #expect(ISO8601.milliseconds(parsing: text) == milliseconds)
  }

  @Test(
    "in other forms are refused",
    arguments: [
      "", "2026", "2026-3-04T17:00:12Z", "2026-02-30T00:00:00Z", "2025-02-29", "2026-13-01",
      "2026-00-10", "2026-01-00", "2026-03-04T25:00:00Z", "2026-03-04T24:00:01Z",
      "2026-03-04T23:60:00Z", "2026-03-04T23:59:61Z", "2026-03-04T", "2026-03-04T1",
      "2026-03-04T17", "2026-03-04T17:00:", "2026-03-04T17:00:12.", "2026-03-04T17:00:12.Z",
      "2026-03-04T17:00:12ZZ", "2026-03-04T17:00:12+", "2026-03-04T17:00:12+1",
      "2026-03-04T17:00:12+01:", "2026-03-04T17:00:12+01:60", "2026-03-04T17:00:12+24:00",
      " 2026-03-04T17:00:12Z", "2026-03-04T17:00:12Z ", "2026-03-04  17:00:12", "2O26-03-04",
      "1900-02-29", "-001-01-01", "２０２６-03-04",
    ])
  func refused(text: String) {
    #expect(ISO8601.milliseconds(parsing: text) == nil)
  }

  @Test("agree with the C library on 20,000 random seconds")
  func agreesWithLibrary() {
    var generator = SplitMix64(seed: 8601)
    for _ in 0..<20_000 {
      let seconds = Int.random(in: -62_167_219_200...253_402_300_799, using: &generator)
      var time = time_t(seconds)
      var parts = unsafe tm()
      // Both are ours and live through the call.
      guard unsafe gmtime_r(&time, &parts) != nil else {
        Issue.record("gmtime_r failed for \(seconds)")
        return
      }
      var buffer = [CChar](repeating: 0, count: 64)
      let year = unsafe Int(parts.tm_year) + 1900
      let length = unsafe strftime(&buffer, 64, "-%m-%dT%H:%M:%SZ", &parts)
      let rest = String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
      let digits = String(year)
      let text = String(repeating: "0", count: 4 - digits.count) + digits + rest
      #expect(ISO8601.milliseconds(parsing: text) == Int64(seconds) * 1000)
      #expect(ISO8601.string(milliseconds: Int64(seconds) * 1000) == text)
    }
  }

  @Test("round fractions down, before 1970 too")
  func fractions() {
    #expect(ISO8601.milliseconds(parsing: "1969-12-31T23:59:59.9999Z") == -1)
    #expect(ISO8601.milliseconds(parsing: "1969-12-31T23:59:59.0009Z") == -1000)
    #expect(ISO8601.milliseconds(parsing: "1970-01-01T00:00:00.0019Z") == 1)
  }

  @Test(
    "are written with milliseconds or whole seconds",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_772_643_612_250, "2026-03-04T17:00:12.250Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (253_402_300_800_000, "+010000-01-01T00:00:00Z"),
      (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func written(milliseconds: Int64, text: String) {
    #expect(ISO8601.string(milliseconds: milliseconds) == text)
  }

  @Test("at the ends of Int64 can still be written")
  func extremes() {
    #expect(ISO8601.string(milliseconds: .min) == "-292275055-05-16T16:47:04.192Z")
    #expect(ISO8601.string(milliseconds: .max) == "+292278994-08-17T07:12:55.807Z")
  }

  @Test("survive a round trip")
  func roundTrip() {
    var generator = SplitMix64(seed: 41)
    for _ in 0..<20_000 {
      let instant = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &generator)
      #expect(ISO8601.milliseconds(parsing: ISO8601.string(milliseconds: instant)) == instant)
    }
  }
}

@Suite("Civil dates")
struct CivilDateTests {
  @Test("convert to days and back over 800 years without a gap")
  func everyDay() {
    var expected = CivilDate(year: 1599, month: 12, day: 31)
    for days in (-135_140)...(157_055) {
      let date = CivilDate(daysSince1970: days)
      #expect(date.daysSince1970 == days)
      #expect(date.isValid)
      expected.day += 1
      if !expected.isValid {
        expected = CivilDate(year: expected.year, month: expected.month + 1, day: 1)
      }
      if !expected.isValid { expected = CivilDate(year: expected.year + 1, month: 1, day: 1) }
      guard date == expected else {
        Issue.record("day \(days) is \(date), not \(expected)")
        return
      }
    }
  }

  @Test("know which days exist")
  func validity() {
    #expect(CivilDate(year: 2000, month: 2, day: 29).isValid)
    #expect(!CivilDate(year: 1900, month: 2, day: 29).isValid)
    #expect(!CivilDate(year: 2026, month: 4, day: 31).isValid)
    #expect(!CivilDate(year: 2026, month: 0, day: 1).isValid)
  }
}
