import FencepostHTTP
import Testing

@Suite("Percent-encoding")
struct PercentTests {
  @Test("All but letters and digits are encoded, and decoded again")
  func bothWays() {
    #expect(Percent.encoded("aZ09 ü/%") == "aZ09%20%C3%BC%2F%25")
    #expect(Percent.decoded("aZ09%20%c3%BC%2f%25") == "aZ09 ü/%")
    #expect(Percent.decoded("") == "")
  }

  @Test(
    "What is malformed or not UTF-8 is refused",
    arguments: ["%", "%1", "a%zz", "%+1", "%-1", "%ff"])
  func malformed(text: String) { #expect(Percent.decoded(text) == nil) }
}
