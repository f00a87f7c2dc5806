import FencepostSession
import FencepostNotifications
import FencepostReporting
import FencepostStudio
import Foundation
import SampleStories
import TestSupport
import Testing

@Suite("The page of a schedule in a real browser", .serialized, .onOwnThreads)
struct SchedulePageTests {
  /// The page of two hundred reminders over thirty days, one of them with a hostile title.
  private func page() throws -> String {
    let file = SampleStories.data.appendingPathComponent("reminders/two-hundred-reminders.json")
    let text = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(
      of: #""title": "Reminder 1","#,
      with: #""title": "</script><img src=x onerror=\"document.title='owned'\">","#)
    let bytes = Array(text.utf8)
    let document = try ReminderDocument(parsing: bytes.span)
    let zone = try #require(ClockZone(identifier: "America/New_York"))
    // 2026-03-02T00:00:00-05:00
    let start: Int64 = 1_772_427_600_000
    var options = ScheduleSimulationOptions(
      fromMilliseconds: start, toMilliseconds: start + 30 * 86_400_000)
    options.dayZone = zone
    var report = ScheduleReport(
      fromMilliseconds: options.fromMilliseconds, toMilliseconds: options.toMilliseconds,
      deviceName: "ios", slots: 64, zone: zone)
    report.results = ScheduleSimulation(document: document, options: options).run()
    report.titles = Dictionary(
      document.reminders.map { ($0.id, $0.content.title) }, uniquingKeysWith: { $1 })
    var output = OutputBuffer()
    SchedulePage(report).write(to: &output)
    return output.text
  }

  @Test(
    "A scrubbed day shows what is pending, what waits, and why each reminder is lost",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func scrubs() throws {
    let visit = try Browser.visit(
      try page(),
      probe: """
        const $$ = query => [...document.querySelectorAll(query)], day = document.getElementById('day');
        const part = number => $$('#chosen-day > div')[number].textContent;
        tell('first', document.getElementById('date').textContent + '|' + part(0));
        tell('waits', part(2));
        day.value = 7;
        day.dispatchEvent(new Event('input'));
        day.dispatchEvent(new Event('change'));
        tell('slid', document.getElementById('date').textContent + '|' + part(0));
        tell('spoken', day.getAttribute('aria-valuetext'));
        tell('address', location.hash);
        // The middle of the last day's column of the last chart.
        const chart = $$('#charts svg')[3], box = chart.getBoundingClientRect();
        const at = box.left + box.width * (1 - 22 / chart.viewBox.baseVal.width);
        const point = buttons => ({ clientX: at, clientY: box.top + 20, buttons, bubbles: true });
        chart.dispatchEvent(new PointerEvent('pointermove', point(0)));
        tell('hovered', document.getElementById('date').textContent);
        chart.dispatchEvent(new PointerEvent('pointermove', point(1)));
        tell('dragged', document.getElementById('date').textContent);
        document.getElementById('next-loss').click();
        tell('next', document.getElementById('date').textContent);
        location.hash = '#day=2026-03-20';
        dispatchEvent(new HashChangeEvent('hashchange'));
        tell('restored', document.getElementById('date').textContent);
        tell('charts', $$('#charts svg').map(one => one.getAttribute('aria-label')).join('|'));
        tell('title', document.title);
        tell('images', String($$('main img').length));
        """)
    #expect(visit.console.isEmpty, "\(visit.console)")
    #expect(visit.tree.contains("data-ready=\"true\""))
    #expect(
      visit.tree.contains(
        "Hand everything over at once, and 136 of 200 never appear. A seven-day window loses none."
      ))
    // Nothing in a simulated schedule is left to chance.
    #expect(!visit.tree.contains("95 % confidence") && visit.tree.contains("goal of 95 % met"))
    let first = try #require(visit.probed("first"))
    #expect(
      first.hasPrefix("Monday, 2 March 2026|naive: everything at once64 of 64 pending at 00:00"),
      "\(first)")
    #expect(first.contains("Never shownThe phone held too many requests and dropped it."))
    #expect(first.contains("09:04 </script><img"), "\(first)")
    #expect(first.contains("(entry.001), behind Reminder 65 (entry.065)"), "\(first)")
    let waits = try #require(visit.probed("waits"))
    #expect(waits.contains("Waiting: 136Behind Reminder 200 (entry.200):"), "\(waits)")
    let slid = try #require(visit.probed("slid"))
    #expect(slid.hasPrefix("Monday, 9 March 2026|naive"))
    #expect(slid.contains("Never shownThe phone held too many"))
    #expect(visit.probed("spoken")?.hasPrefix("Monday, 9 March 2026. naive: ") == true)
    #expect(visit.probed("address") == "#day=2026-03-09")
    #expect(visit.probed("hovered") == "Monday, 9 March 2026")
    #expect(visit.probed("dragged") == "Wednesday, 1 April 2026")
    #expect(visit.probed("next") == "Monday, 2 March 2026")
    #expect(visit.probed("restored") == "Friday, 20 March 2026")
    #expect(visit.probed("charts")?.hasSuffix("at most 49 of 64. 0 lost in all.") == true)
    #expect(visit.probed("title") == "200 reminders from 2 March to 1 April")
    #expect(visit.probed("images") == "0")
  }
}
