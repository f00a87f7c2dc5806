import FencepostAnalysis
import Testing

@Suite("Recall and its interval")
struct RatioSumTests {
  @Test("The ratio is that of the sums, not the mean of the tracks'")
  func ratio() {
    var sum = RatioSum()
    sum.add(found: 1, of: 1)
    sum.add(found: 1, of: 9)
    #expect(sum.ratio == 0.2)
  }

  @Test("Tracks without entries do not count")
  func empty() {
    var sum = RatioSum()
    sum.add(found: 0, of: 0)
    #expect(sum.ratio == nil)
    #expect(sum.interval == nil)
    #expect(sum.tracks == 0)
  }

  @Test("One track gives no interval")
  func oneTrack() {
    var sum = RatioSum()
    sum.add(found: 3, of: 4)
    #expect(sum.interval == nil)
  }

  @Test("Where nothing varies, each track counts for one: Wilson's interval of 9 out of 9")
  func nothingVaries() throws {
    var sum = RatioSum()
    for _ in 0..<9 { sum.add(found: 5, of: 5) }
    let interval = try #require(sum.interval)
    // 9/(9 + 1.96²) by hand.
    #expect(abs(interval.lowerBound - 9 / (9 + 3.841458820694124)) < 1e-9)
    #expect(interval.upperBound == 1)
  }

  @Test("Tracks of one entry give about Wilson's interval of as many entries")
  func independent() throws {
    var sum = RatioSum()
    for index in 0..<200 { sum.add(found: index % 4 == 0 ? 0 : 1, of: 1) }
    let interval = try #require(sum.interval)
    // Wilson for 150 of 200, from tables: 0.6857 … 0.8048.
    #expect(abs(interval.lowerBound - 0.6857) < 0.001)
    #expect(abs(interval.upperBound - 0.8048) < 0.001)
  }

  @Test("Entries that are alike within tracks widen the interval")
  func clustered() throws {
    var alike = RatioSum()
    for index in 0..<40 { alike.add(found: index % 4 == 0 ? 0 : 10, of: 10) }
    var mixed = RatioSum()
    for index in 0..<40 { mixed.add(found: index % 2 == 0 ? 7 : 8, of: 10) }
    let wide = try #require(alike.interval)
    let narrow = try #require(mixed.interval)
    #expect(wide.upperBound - wide.lowerBound > narrow.upperBound - narrow.lowerBound)
  }

  @Test("Three uneven tracks, worked out by hand")
  func byHand() throws {
    var sum = RatioSum()
    for (found, all) in [(2, 4), (3, 3), (5, 8)] { sum.add(found: found, of: all) }
    // 10 of 15. Residuals −2/3, 1, −1/3: their squares are 14/9, the variance 14/9 · 3/2 / 225, which is
    // that of more than 15 independent entries; so it is Wilson's interval of 10 of 15.
    let interval = try #require(sum.interval)
    #expect(abs(interval.lowerBound - 0.41713) < 1e-4)
    #expect(abs(interval.upperBound - 0.84824) < 1e-4)
  }

  @Test("Four tracks of which one loses all: worth three entries, worked out by hand")
  func oneLosesAll() throws {
    var sum = RatioSum()
    for found in [10, 0, 10, 10] { sum.add(found: found, of: 10) }
    // Residuals 2.5 three times and −7.5: the variance is 75 · 4/3 / 1600 = 1/16, that of three.
    let interval = try #require(sum.interval)
    #expect(abs(interval.lowerBound - 0.25609) < 1e-4)
    #expect(abs(interval.upperBound - 0.96316) < 1e-4)
  }
}
