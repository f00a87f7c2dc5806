import FencepostFixes
import FencepostTracks

extension LiveSession {
  /// Processes the next bytes; nil ends the lines.
  func processLines(_ chunk: [UInt8]?) {
    guard var lines else { return }
    // Moved out of `self` for exclusive access during the callback.
    self.lines = nil
    if let chunk { lines.feed(chunk.span) { take($0) } } else { lines.finish { take($0) } }
    self.lines = lines
  }

  private func take(_ record: DeviceRecord) {
    switch record {
    case .fix(let name, var fix):
      // The client that posted it before the restart no longer waits.
      if options.isIntake { fix.line = 0 }
      take(fix, of: name ?? "")
    case .fault(let name, let rejection):
      if rejection.makesSense { senseCount += 1 }
      note(rejection, name)
      if let name {
        let device = device(name)
        device.rejected.add(rejection.reason)
        device.isDirty = true
      } else {
        noteUnattributed(rejection)
      }
    }
  }

  func take(_ fix: Fix, of name: String) {
    senseCount += 1
    let device = device(name)
    device.isDirty = true
    batch.fixes.append(fix)
    let (waitingCount, refusedRun) = judge(with: &device.filter)
    takeJudged(device, name)
    noteWaiting(waitingCount, name)
    note(refusedRun, of: device, name)
  }

  /// Judges the batch; with one access, since reading a filter copies it.
  private func judge(with filter: inout FixFilter) -> (waitingCount: Int, RefusedRun?) {
    filter.filter(&batch)
    return (filter.waiting.count, filter.refusedRun)
  }

  private func takeJudged(_ device: Device, _ name: String) {
    device.seenBefore?.note(batch)
    for rejection in batch.rejections {
      device.rejected.add(rejection.reason)
      note(rejection, name)
      if let line = rejection.line { onVerdict?(.refused(rejection.reason), Int32(clamping: line)) }
    }
    for fix in batch.fixes {
      if fix.line > 0 { onVerdict?(.accepted, fix.line) }
      follow(fix, name, device)
    }
    batch.removeAll()
  }

  // MARK: Reordering

  private var windowMilliseconds: Int64 { options.fixes.reorderMilliseconds ?? 0 }

  var waitingCount: Int {
    stream?.waiting.count ?? devices.values.reduce(0) { $0 + $1.filter.waiting.count }
  }

  func noteWaiting(_ count: Int, _ name: String) {
    guard options.fixes.reorderMilliseconds != nil || count > 0 else { return }
    waiting.note(name, count: count, window: windowMilliseconds, now: nowMilliseconds)
  }

  /// Records whether a fix of a one-device stream came since the last call.
  func noteWaitingStream() {
    guard let (count, arrivedCount) = stream?.waiting, arrivedCount != streamArrivedCount else {
      return
    }
    streamArrivedCount = arrivedCount
    waiting.note("", count: count, window: windowMilliseconds, now: nowMilliseconds)
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

  private func release(_ name: String) {
    // The clock decided this, which the input alone cannot reproduce.
    mustSave = true
    guard stream == nil else {
      stream?.release(into: &batch)
      return takeBatch()
    }
    let device = device(name)
    device.filter.release(into: &batch)
    takeJudged(device, name)
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
