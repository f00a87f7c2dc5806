import FencepostAnalysis
import FencepostSession
import FencepostReporting
import Testing

@Suite("A track that lost more fixes than it kept")
struct FixLossTests {
  private func loss(_ accepted: Int, _ rejected: [String: Int]) -> FixLoss? {
    FixLoss(track: "walk.csv", accepted: accepted, rejected: rejected)
  }

  @Test("A loss begins with the first fix that makes more refused than kept")
  func bound() {
    #expect(loss(10, [:]) == nil)
    #expect(loss(10, ["late": 10]) == nil)
    #expect(loss(10, ["late": 6, "malformed": 5])?.lostCount == 11)
    #expect(loss(0, ["nullIsland": 1])?.lostCount == 1)
    #expect(loss(0, [:]) == nil)
  }

  @Test("Void fixes, duplicates and bad times are no loss")
  func harmless() {
    #expect(loss(10, ["void": 500, "duplicate": 500, "time": 500, "late": 10]) == nil)
    #expect(loss(10, ["void": 500, "late": 11])?.lost == ["late": 11])
  }

  @Test("A loss is one sentence with its reasons")
  func sentence() {
    #expect(
      loss(1, ["late": 3598, "coordinate": 1, "void": 4])?.sentence
        == "walk.csv: 3599 fixes were refused (late 3598, coordinate 1), only 1 accepted")
    #expect(
      loss(0, ["late": 1])?.sentence
        == "walk.csv: 1 fix was refused (late 1), none accepted")
  }

  @Test("A summary and an account report the same loss, a device by its name")
  func sources() {
    var summary = TrackSummary(track: "stdin", device: "a7")
    summary.fixes = 1
    summary.rejected = ["late": 2, "void": 3]
    #expect(summary.loss?.sentence == "stdin, a7: 2 fixes were refused (late 2), only 1 accepted")
    var account = TrackAccount(track: "walk.csv")
    account.fixes = 1
    account.rejectedByReason = ["late": 2]
    #expect(account.loss?.lostCount == 2)
  }
}
