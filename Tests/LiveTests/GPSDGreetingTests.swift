import FencepostLive
import Testing

@Suite("The greeting of a gpsd")
struct GPSDGreetingTests {
  private static let version = #"{"class":"VERSION","release":"3.22"}"# + "\r\n"

  @Test("is recognized however it is split, and no byte is lost")
  func gpsd() {
    let bytes = Array(Self.version.utf8)
    for cut in 0...bytes.count {
      var greeting = GPSDGreeting(now: 0)
      let first = greeting.take(Array(bytes[..<cut]))
      if cut < 9 {
        #expect(first == .open)
        #expect(greeting.take(Array(bytes[cut...])) == .gpsd(bytes))
      } else {
        #expect(first == .gpsd(Array(bytes[..<cut])))
      }
    }
  }

  @Test(
    "quotes another server's readable output",
    arguments: [
      ("SSH-2.0-OpenSSH_9.2\r\n", "not gpsd: it says “SSH-2.0-OpenSSH_9.2”"),
      ("$GPRMC,1", "not gpsd: it says “$GPRMC,1”"), ("{}", "not gpsd: it says “{}”"),
      ("\u{1}\u{2}", "not gpsd"), ("[\"a\nb", "not gpsd: it says “[\"a”"),
      (
        String(repeating: "x", count: 99),
        "not gpsd: it says “\(String(repeating: "x", count: 40))”"
      ),
    ])
  func foreign(text: String, sentence: String) {
    var greeting = GPSDGreeting(now: 0)
    #expect(greeting.take(Array(text.utf8)) == .foreign(sentence))
  }

  @Test("is awaited for ten seconds")
  func patience() {
    #expect(GPSDGreeting(now: 5).dueMilliseconds == 10_005)
  }
}
