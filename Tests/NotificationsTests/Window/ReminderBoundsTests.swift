import FencepostSession
import FencepostNotifications
import Testing

@Suite("Out-of-range numbers in a reminder file")
struct ReminderBoundsTests {
  private func fault(_ reminder: String) -> String? {
    let text = "{\"reminders\":[{\"id\":\"a\",\"title\":\"b\",\(reminder)}]}"
    let bytes = Array(text.utf8)
    do throws(ReminderFileError) {
      _ = try ReminderDocument(parsing: bytes.span)
      return nil
    } catch {
      return error.description
    }
  }

  @Test(
    "are refused with their place",
    arguments: [
      "\"after\":-1e300", "\"after\":0", "\"after\":1e12", "\"after\":1e300",
      "\"region\":{\"lat\":1,\"lon\":2,\"radius\":1e300}",
      "\"region\":{\"lat\":1,\"lon\":2,\"radius\":20000001}",
      "\"region\":{\"lat\":1,\"lon\":2,\"radius\":-1}",
    ])
  func refused(member: String) {
    #expect(fault(member)?.hasPrefix("reminders[0].") == true)
  }

  @Test("are taken up to the bound")
  func taken() {
    #expect(fault("\"region\":{\"lat\":1,\"lon\":2,\"radius\":20000000}") == nil)
    #expect(fault("\"after\":0.5") == nil)
  }
}
