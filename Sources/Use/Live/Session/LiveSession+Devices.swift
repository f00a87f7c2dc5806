#if Command
import FencepostFixes
import FencepostTracks

extension LiveSession {
  /// Takes what the decoder made of bytes.
  func take(_ records: [DeviceRecord]) {
    for record in records {
      // All fixes of a stream of one device are judged at once.
      if !hasDevices, case .fix(_, let fix) = record { batch.append(fix) } else { take(record) }
    }
    if !hasDevices { takeBatch(of: "") }
  }

  private func take(_ record: DeviceRecord) {
    switch record {
    case .fix(let name, var fix):
      // The client that posted it before the restart no longer waits.
      if options.isIntake { fix.line = 0 }
      take(fix, of: name ?? "")
    case .fault(let name, let rejection):
      if rejection.makesSense { senseCount += 1 }
      if !hasDevices || rejection.reason != .void { watch.note(rejection, now: nowMilliseconds) }
      note(rejection, name)
      if let name { hear(name) }
      if let device = name.map({ self.device($0) }) ?? onlyDevice {
        device.account.count(rejection)
        device.isDirty = true
      } else if hasDevices {
        noteUnattributed(rejection)
      } else {
        unattributed.add(rejection.reason)
      }
    }
  }

  /// The device of a stream of one device, once it had a fix.
  private var onlyDevice: Device? { hasDevices ? nil : devices[""] }

  func take(_ fix: Fix, of name: String) {
    if hasDevices { hear(name) }
    batch.append(fix)
    takeBatch(of: name)
  }

  /// Makes room for a device, if it is new and there are too many.
  private func hear(_ name: String) {
    if let silent = roster.hear(name) { forget(silent, for: name) }
  }

  private func takeBatch(of name: String) {
    guard !batch.fixes.isEmpty else { return }
    senseCount += batch.fixes.count
    watch.noteFix()
    let device = device(name)
    device.isDirty = true
    judge(of: device, name) { $0.judge(&$1) }
    noteWaiting(device.account.waitingCount, name)
    note(device.account.refusedRun, of: device, own(name))
  }

  /// Runs a step of a device's filter, and follows the fixes that it accepts.
  private func judge(
    of device: Device, _ name: String, _ step: (inout FixAccount, inout FixBatch) -> Void
  ) {
    // One access, since reading a filter copies it.
    step(&device.account, &batch)
    device.seenBefore?.note(batch)
    for rejection in batch.rejections {
      note(rejection, own(name))
      if let line = rejection.line { onVerdict?(.refused(rejection.reason), Int32(clamping: line)) }
    }
    for fix in batch.fixes {
      if fix.line > 0 { onVerdict?(.accepted, fix.line) }
      follow(fix, own(name), device)
    }
    batch.removeAll()
  }

  /// Refuses the held fixes of a stream whose rest cannot be decoded, since none can confirm them.
  func rejectHeld() {
    guard let device = onlyDevice else { return }
    judge(of: device, "") { $0.finish(into: &$1) }
  }

  // MARK: Reordering

  private var windowMilliseconds: Int64 { options.fixes.reorderMilliseconds ?? 0 }

  var waitingCount: Int { devices.values.reduce(0) { $0 + $1.account.waitingCount } }

  func noteWaiting(_ count: Int, _ name: String) {
    guard options.fixes.reorderMilliseconds != nil || count > 0 else { return }
    waiting.note(name, count: count, window: windowMilliseconds, now: nowMilliseconds)
  }

  /// Releases the fixes of devices that have sent nothing for the window's length.
  func releaseIdle() {
    guard !isBusy else { return }
    let idle = waiting.takeIdle(window: windowMilliseconds, now: nowMilliseconds)
    guard !idle.isEmpty else { return }
    work { for name in idle { self.release(name) } }
  }

  /// Releases all fixes because the source has ended.
  func releaseAll() {
    for name in waiting.takeAll() { release(name) }
  }

  func release(_ name: String) {
    // The clock decided this, which the input alone cannot reproduce.
    mustSave = true
    let device = device(name)
    judge(of: device, name) { $0.release(into: &$1) }
    device.isDirty = true
  }
}

/// The devices with fixes that wait to be put in order, and when to release them.
///
/// A device's time advances only with a newer fix, so its fixes are released after the window's
/// length on the caller's clock. Times are milliseconds of a monotonic clock.
struct WaitingDevices {
  private var arrivals: [String: Int64] = [:]
  /// No device is idle long enough before this time; nil if none waits.
  private(set) var dueMilliseconds: Int64?

  mutating func note(_ name: String, count: Int, window: Int64, now: Int64) {
    arrivals[name] = count > 0 ? now : nil
    if arrivals.isEmpty {
      dueMilliseconds = nil
    } else if count > 0 {
      dueMilliseconds = min(dueMilliseconds ?? .max, now + window)
    }
  }

  /// Removes and returns the devices that were idle for the window's length, sorted by name.
  mutating func takeIdle(window: Int64, now: Int64) -> [String] {
    guard let due = dueMilliseconds, due <= now else { return [] }
    let idle = arrivals.filter { $0.value + window <= now }.keys.sorted()
    for name in idle { arrivals[name] = nil }
    dueMilliseconds = arrivals.values.min().map { $0 + window }
    return idle
  }

  mutating func takeAll() -> [String] {
    defer { self = WaitingDevices() }
    return arrivals.keys.sorted()
  }
}

extension Rejection {
  /// Whether the input came from a receiver, not from noise or another program.
  var makesSense: Bool {
    switch reason {
    case .checksum, .malformed, .tooLong: false
    default: true
    }
  }
}
#endif
