import FencepostAnalysis
import FencepostReporting
import Testing

@Suite("Readers who can get alerts")
struct ReachTests {
  @Test("The share is the product of three rates, and published ones have a range and sources")
  func published() throws {
    let reach = try #require(Reach(.iphone))
    #expect(abs(reach.share - 0.56 * 0.35 * 0.9) < 1e-12)
    #expect(abs(reach.range.lowerBound - 0.56 * 0.2 * 0.8) < 1e-12)
    #expect(abs(reach.range.upperBound - 0.56 * 0.5) < 1e-12)
    for permission in Reach.Permission.allCases { #expect(reach[permission].source != nil) }
    #expect(
      ReachSentences(reach).rates
        == "Reach: 17.6 % (9 % to 28 %) of readers can get an alert: notifications 56 % "
        + "(Batch 2025) × background location 35 % (20 % to 50 %; Location Sciences and Teemo "
        + "2020) × precise location 90 % (80 % to 100 %; assumed); published rates for iPhones")
    #expect(try #require(Reach(.android))[.notifications].share == 0.67)
  }

  @Test("Your own rates are exact and named as your own")
  func own() throws {
    let reach = try #require(
      Reach(nil, own: [.notifications: 0.6, .background: 0.35, .precise: 0.8]))
    let sentences = ReachSentences(reach)
    #expect(
      sentences.rates
        == "Reach: 16.8 % of readers can get an alert: notifications 60 % × background location "
        + "35 % × precise location 80 %; your own rates")
    #expect(
      sentences.readers(38)
        == "Reach: stories would reach 6.4 instead of 38 readers, counting each reader once per "
        + "story")
    #expect(
      sentences.readers(before: 10, after: 20)
        == "Reach: stories would reach 3.4 instead of 1.7 readers, counting each reader once per "
        + "story")
    // Where all rates are the user's own, none is published.
    let all = Reach(.iphone, own: [.notifications: 0.6, .background: 0.35, .precise: 0.8])
    #expect(all == reach)
  }

  @Test("One rate of your own among published ones says so")
  func mixed() throws {
    let reach = try #require(Reach(.android, own: [.background: 0.2]))
    let rates = ReachSentences(reach).rates
    #expect(rates.contains("background location 20 % (your own rate)"))
    #expect(rates.hasSuffix("published rates for Android phones"))
    #expect(abs(reach.range.upperBound - 0.67 * 0.2) < 1e-12)
  }

  @Test("Rates that are missing or no shares are refused")
  func refused() {
    #expect(Reach(nil) == nil)
    #expect(Reach(nil, own: [.notifications: 0.6, .background: 0.35]) == nil)
    #expect(Reach(.iphone, own: [.precise: 1.1]) == nil)
    #expect(Reach(.iphone, own: [.precise: .nan]) == nil)
  }
}
