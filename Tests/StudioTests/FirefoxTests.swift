import Foundation
import TestSupport
import Testing

@Suite("Firefox", .serialized, .onOwnThreads)
struct FirefoxTests {
  @Test(
    "Firefox runs the tests of pages that name browsers, as Chromium does",
    .enabled(
      if: BrowserKind.firefox.isInstalled,
      "skipped: install Debian's firefox-esr and libjs-leaflet to test pages in Firefox"))
  func runs() throws {
    let scratch = try ScratchFolder()
    let page = try scratch.write(
      "page.html", "<!DOCTYPE html><title>x</title><script>const two = 2; three();</script>")
    let browser = try Browser(.firefox)
    try browser.open("file://\(page)")
    #expect(try browser.value("new Promise(done => done(two + 1))") as? Int == 3)
    #expect(browser.complaints.count == 1 && browser.complaints[0].contains("three"))
  }
}
