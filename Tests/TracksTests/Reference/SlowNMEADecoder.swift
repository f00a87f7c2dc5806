import FencepostFixes
import FencepostGeodesy

/// The same decoder written as plainly as can be, over whole files, split fields and lists: what the
/// fast one is compared with.
struct SlowNMEADecoder {
  private enum Item {
    /// A date told for a time of day.
    case told(day: Int, time: Int)
    /// A fix with its time of day, and what its epoch said of the date.
    case fix(Fix, time: Int?, day: Int?, doubtfulDay: Int?)
  }

  private struct Epoch {
    var kinds: Set<String> = []
    var time: Int?
    var day: Int?
    var doubtfulDay: Int?
    var position: (latitude: Double, longitude: Double, decimals: Int)?
    var isVoid = false
    var accuracy = Float.nan
    var speed = Float.nan
    var course = Float.nan
    var line = 0
  }

  private var items: [Item] = []
  private var rejections: [Rejection] = []
  private var epoch = Epoch()
  private var motion: (speed: Float, course: Float)?
  private var checkedKinds: Set<String> = []

  static func decode(_ bytes: [UInt8]) -> Outcome {
    var decoder = SlowNMEADecoder()
    decoder.frame(bytes)
    decoder.closeEpoch()
    return Outcome(fixes: decoder.date(), rejections: decoder.rejections)
  }

  // MARK: Framing

  private mutating func frame(_ bytes: [UInt8]) {
    var index = 0
    var line = 1
    let ends: Set<UInt8> = [0x0A, 0x0D, 0x24, 0x2A]
    func at(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }
    while index < bytes.count {
      guard bytes[index] == 0x24 else {
        if bytes[index] == 0x0D || bytes[index] == 0x0A && !(index > 0 && bytes[index - 1] == 0x0D)
        {
          line += 1
        }
        index += 1
        continue
      }
      let start = index + 1
      index = start
      while let byte = at(index), !ends.contains(byte), index - start < 1024 { index += 1 }
      let text = Array(bytes[start..<index])
      guard let end = at(index), ends.contains(end) || text.count < 1024 else {
        if at(index) == nil { take(text, "absent", line) } else { tooLong(text, line) }
        continue
      }
      guard end == 0x2A else {
        take(text, "absent", line)
        continue
      }
      var digits: [UInt8] = []
      index += 1
      while digits.count < 2, let digit = at(index), !ends.contains(digit) {
        digits.append(digit)
        index += 1
      }
      let told = digits.count == 2 ? UInt8(String(decoding: digits, as: UTF8.self), radix: 16) : nil
      let isPlain = digits.allSatisfy { $0 != 0x2B && $0 != 0x2D }
      let isRight = isPlain && told == text.reduce(0, ^)
      take(text, isRight ? "right" : "wrong", line)
    }
  }

  private mutating func tooLong(_ text: [UInt8], _ line: Int) {
    if hasAddress(text) { rejections.append(Rejection(reason: .tooLong, line: line)) }
  }

  private func hasAddress(_ text: [UInt8]) -> Bool {
    let address = text.prefix { $0 != 0x2C }
    return text.count >= 6 && 4...8 ~= address.count && address.count < text.count
      && (0x41...0x5A).contains(address[0])
      && address.allSatisfy { 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 }
  }

  // MARK: Sentences

  private mutating func take(_ text: [UInt8], _ checksum: String, _ line: Int) {
    if checksum == "wrong" {
      if hasAddress(text) { rejections.append(Rejection(reason: .checksum, line: line)) }
      return
    }
    let fields = text.split(separator: 0x2C, omittingEmptySubsequences: false).map {
      String(decoding: $0.map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
    }
    let isOwn = fields[0].hasPrefix("P")
    let own = fields.prefix(2).joined(separator: ",")
    guard fields.count > 1, isOwn || fields[0].utf8.count == 5 else { return }
    if isOwn { guard fields.count > 2, text.count > 9 else { return } }
    let kind = isOwn ? own : String(fields[0].suffix(3))
    let commas = [
      "RMC": 11...13, "GGA": 14...14, "GLL": 4...7, "GNS": 12...13, "VTG": 8...9, "ZDA": 6...6,
      "GST": 8...8, "PUBX,00": 20...20, "PTNL,GGK": 12...12,
    ]
    guard let expected = commas[kind] else { return }
    if checksum == "right" {
      checkedKinds.insert(kind)
    } else {
      let isPosition = ["RMC", "GGA", "GLL", "GNS", "PUBX,00", "PTNL,GGK"].contains(kind)
      if checkedKinds.contains(kind) {
        if isPosition {
          rejections.append(
            Rejection(
              reason: .checksum, line: line, detail: "no checksum, unlike the sentences before"))
        }
        return
      }
      if !expected.contains(fields.count - 1) {
        if isPosition {
          rejections.append(Rejection(reason: .malformed, line: line, detail: "cut off"))
        }
        return
      }
    }
    if let reason = take(kind, Array(fields.dropFirst()), line) {
      rejections.append(Rejection(reason: reason, line: line))
    }
  }

  private mutating func take(_ kind: String, _ f: [String], _ line: Int) -> Rejection.Reason? {
    switch kind {
    case "RMC": return takeRMC(f, line)
    case "GGA": return takeQualified(kind, f, line) { $0 == "" ? nil : $0 == "0" ? false : true }
    case "GNS": return takeQualified(kind, f, line) { $0.contains { $0 != "N" } }
    case "GLL": return takeGLL(f, line)
    case "VTG": takeVTG(f)
    case "ZDA": takeZDA(f)
    case "PUBX,00": return takePUBX(Array(f.dropFirst()), line)
    case "PTNL,GGK": return takeGGK(Array(f.dropFirst()), line)
    default: takeGST(f)
    }
    return nil
  }

  private mutating func takeRMC(_ f: [String], _ line: Int) -> Rejection.Reason? {
    let time = Self.time(f[0])
    // A status of nothing, not even a comma, is cut off.
    guard f.count > 1, f.count > 2 || f[1] != "" else { return .malformed }
    guard f[1].hasPrefix("A") else {
      guard f[1] == "" || f[1].hasPrefix("V") else { return .malformed }
      join("RMC", time, line)
      epoch.isVoid = true
      epoch.doubtfulDay = f.count > 8 ? Self.day(f[8]) : nil
      return nil
    }
    guard f[1] == "A", f.count > 2 else { return .malformed }
    guard f.count > 6, let position = Self.position(f, 2) else { return .coordinate }
    guard f.count > 7, let speed = Self.number(f[6]) else { return .malformed }
    guard f.count > 8, let course = Self.number(f[7]), !(course > 360) else { return .malformed }
    join("RMC", time, line)
    keep(position)
    epoch.speed = speed * (1852.0 / 3600)
    epoch.course = course == 360 ? 0 : course
    if let day = Self.day(f[8]) { epoch.day = day }
    return nil
  }

  private mutating func takeQualified(
    _ kind: String, _ f: [String], _ line: Int, isValid: (String) -> Bool?
  ) -> Rejection.Reason? {
    let time = Self.time(f[0])
    // The sentence must go on behind the position.
    guard f.count > 5, f.count > 6 || f[5] != "" else { return .malformed }
    let quality = f[5]
    if kind == "GGA" {
      if quality == "" || quality.hasPrefix("0") {
        join(kind, time, line)
        epoch.isVoid = true
        return nil
      }
      guard quality.utf8.count == 1, "1"..."9" ~= quality else { return .malformed }
    } else if isValid(quality) != true {
      join(kind, time, line)
      epoch.isVoid = true
      return nil
    }
    guard let position = Self.position(f, 1) else { return .coordinate }
    join(kind, time, line)
    keep(position)
    return nil
  }

  private mutating func takeGLL(_ f: [String], _ line: Int) -> Rejection.Reason? {
    let hasTime = f.count > 5 || (f.count == 5 && f[4] != "")
    let time = hasTime ? Self.time(f[4]) : nil
    var isVoid = f[0] == ""
    if f.count > 6 || (f.count == 6 && f[5] != "") { isVoid = !f[5].hasPrefix("A") }
    if isVoid {
      join("GLL", time, line)
      epoch.isVoid = true
      return nil
    }
    guard f.count > 3, let position = Self.position(f, 0) else { return .coordinate }
    join("GLL", time, line)
    keep(position)
    return nil
  }

  private mutating func takePUBX(_ f: [String], _ line: Int) -> Rejection.Reason? {
    guard f.count > 8 else { return .malformed }
    let time = Self.time(f[0])
    if f[6] == "NF" {
      join("PUBX,00", time, line)
      epoch.isVoid = true
      return nil
    }
    guard let position = Self.position(f, 1) else { return .coordinate }
    join("PUBX,00", time, line)
    keep(position)
    if epoch.accuracy.isNaN { epoch.accuracy = Self.number(f[7]) ?? .nan }
    return nil
  }

  private mutating func takeGGK(_ f: [String], _ line: Int) -> Rejection.Reason? {
    guard f.count > 6, f.count > 7 || f[6] != "" else { return .malformed }
    let time = Self.time(f[0])
    if f[6] == "" || f[6].hasPrefix("0") {
      join("PTNL,GGK", time, line)
      epoch.isVoid = true
      return nil
    }
    guard let position = Self.position(f, 2) else { return .coordinate }
    join("PTNL,GGK", time, line)
    keep(position)
    if f[1].utf8.count == 6, let date = Self.whole(f[1]) {
      let year = date % 100
      let day = Self.days(
        year < 80 ? 2000 + year : 1900 + year, date / 10_000, date / 100 % 100)
      if let day { epoch.day = day }
    }
    return nil
  }

  private mutating func takeVTG(_ f: [String]) {
    guard !epoch.kinds.contains("RMC"), f.count > 5, let course = Self.number(f[0]),
      !(course > 360), let knots = Self.number(f[4])
    else { return }
    let motion = (speed: knots * (1852.0 / 3600), course: course == 360 ? 0 : course)
    if epoch.kinds.isEmpty || epoch.kinds.contains("VTG") {
      self.motion = motion
    } else {
      epoch.speed = motion.speed
      epoch.course = motion.course
      epoch.kinds.insert("VTG")
    }
  }

  private mutating func takeZDA(_ f: [String]) {
    guard f.count > 3, let time = Self.time(f[0]),
      let day = Self.whole(f[1]), let month = Self.whole(f[2]), let year = Self.whole(f[3]),
      let told = Self.days(year, month, day)
    else { return }
    if let epochTime = epoch.time {
      let epochDay = told - Self.step(epochTime, time)
      items.append(.told(day: epochDay, time: epochTime))
      if epoch.day == nil { epoch.day = epochDay }
    }
    items.append(.told(day: told, time: time))
  }

  private mutating func takeGST(_ f: [String]) {
    guard f.count > 7, let time = Self.time(f[0]), time == epoch.time,
      let north = Self.number(f[5]),
      let east = Self.number(f[6])
    else { return }
    let error = (north * north + east * east).squareRoot()
    if error.isFinite { epoch.accuracy = error }
  }

  // MARK: Epochs

  private mutating func join(_ kind: String, _ time: Int?, _ line: Int) {
    let isSameTime = time != nil && time == epoch.time
    let mayJoin = (time == nil || epoch.time == nil) && !epoch.kinds.contains(kind)
    if !isSameTime && !mayJoin {
      closeEpoch()
    }
    if epoch.kinds.isEmpty, let motion {
      epoch.speed = motion.speed
      epoch.course = motion.course
      epoch.kinds = ["VTG"]
      self.motion = nil
    }
    if let time { epoch.time = time }
    epoch.kinds.insert(kind)
    epoch.line = line
  }

  private mutating func keep(_ position: (latitude: Double, longitude: Double, decimals: Int)) {
    if position.decimals > epoch.position?.decimals ?? -1 { epoch.position = position }
  }

  private mutating func closeEpoch() {
    if let position = epoch.position {
      let fix = Fix(
        coordinate: Coordinate(
          latitudeDegrees: position.latitude, longitudeDegrees: position.longitude),
        accuracyMeters: epoch.accuracy, speedMetersPerSecond: epoch.speed,
        courseDegrees: epoch.course, line: Int32(epoch.line))
      items.append(
        .fix(fix, time: epoch.time, day: epoch.day, doubtfulDay: epoch.doubtfulDay))
    } else if epoch.isVoid {
      rejections.append(Rejection(reason: .void, line: epoch.line))
    }
    epoch = Epoch()
  }

  // MARK: Dates

  /// Gives all fixes their times: forward from each date told, and back from the first.
  private func date() -> [Fix] {
    var fixes: [Fix] = []
    var reference: (day: Int, time: Int)?
    var isDated = false
    func place(_ time: Int) -> Int {
      guard let reference else { return 0 }
      return reference.day + Self.step(reference.time, time)
    }
    func tell(_ day: Int, _ time: Int) {
      if !isDated {
        let shift = Int64(day - place(time)) * 86_400_000
        for index in fixes.indices where fixes[index].timeMilliseconds != nil {
          fixes[index].rawTimeMilliseconds += shift
        }
      }
      isDated = true
      reference = (day, time)
    }
    for item in items {
      switch item {
      case .told(let day, let time): tell(day, time)
      case .fix(var fix, let time, let day, let doubtfulDay):
        // What will be refused has no say about the date.
        if let time,
          fix.coordinate.latitudeDegrees != 0 || fix.coordinate.longitudeDegrees != 0
        {
          if let told = isDated ? day : day ?? doubtfulDay { tell(told, time) }
          reference = (place(time), time)
          fix.timeMilliseconds = Int64(place(time)) * 86_400_000 + Int64(time)
        }
        fixes.append(fix)
      }
    }
    if !isDated {
      for index in fixes.indices { fixes[index].timeMilliseconds = nil }
    }
    return fixes
  }

  private static func step(_ earlier: Int, _ later: Int) -> Int {
    let step = later - earlier
    return step > 82_800_000 ? -1 : step <= -3_600_000 ? 1 : 0
  }

  // MARK: Fields

  private static func digits(_ text: some StringProtocol) -> String {
    String(text.prefix { ("0"..."9").contains($0) })
  }

  private static func time(_ field: String) -> Int? {
    let text = field.drop { $0 == " " }
    let front = digits(text)
    guard front.utf8.count == 6, let number = Int(front) else { return nil }
    let (hours, minutes, seconds) = (number / 10_000, number / 100 % 100, number % 100)
    guard hours < 24, minutes < 60, seconds <= 60 else { return nil }
    var milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000
    let rest = text.dropFirst(6)
    if rest.hasPrefix(".") {
      let fraction = (digits(rest.dropFirst()) + "000").prefix(3)
      milliseconds += Int(fraction) ?? 0
    }
    return milliseconds
  }

  private static func day(_ field: String) -> Int? {
    func full(_ year: Int) -> Int { year < 80 ? 2000 + year : 1900 + year }
    guard digits(field) != field else {
      guard 5...8 ~= field.utf8.count, let number = Int(field) else { return nil }
      if number < 1_000_000, field.utf8.count < 7 {
        return days(full(number % 100), number / 100 % 100, number / 10_000)
      }
      return days(number % 10_000, number / 10_000 % 100, number / 1_000_000)
        ?? days(number / 10_000, number / 100 % 100, number % 100)
    }
    for mark in ["/", "-", "."] {
      let parts = field.split(separator: mark, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, parts.allSatisfy({ digits($0) == $0 }) else { continue }
      let (numbers, lengths) = (parts.compactMap { Int($0) }, parts.map(\.utf8.count))
      guard numbers.count == 3, 1...2 ~= lengths[1] else { return nil }
      if lengths[0] == 4 {
        return lengths[2] <= 2 ? days(numbers[0], numbers[1], numbers[2]) : nil
      }
      guard lengths[0] <= 2, lengths[2] == 2 || lengths[2] == 4 else { return nil }
      let year = lengths[2] == 2 ? full(numbers[2]) : numbers[2]
      return days(year, numbers[1], numbers[0])
        ?? (mark == "." ? nil : days(year, numbers[0], numbers[1]))
    }
    return nil
  }

  /// Days since 1970-01-01, counted year by year.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
    guard 1980...9999 ~= year, 1...12 ~= month else { return nil }
    let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard 1...lengths[month - 1] ~= day else { return nil }
    let years = (1970..<year).map { isLeap($0) ? 366 : 365 }.reduce(0, +)
    return years + lengths.prefix(month - 1).reduce(0, +) + day - 1
  }

  private static func whole(_ field: String) -> Int? {
    guard 1...7 ~= field.utf8.count, digits(field) == field else { return nil }
    return Int(field)
  }

  private static func number(_ field: String) -> Float? {
    if field == "" { return .nan }
    let parts = field.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, parts.allSatisfy({ digits($0) == $0 }) else { return nil }
    let all = parts.joined()
    guard 1...30 ~= all.utf8.count else { return nil }
    let decimals = parts.count == 2 ? parts[1].utf8.count : 0
    if field.utf8.count < 8 {
      var scale: Float = 1
      for _ in 0..<decimals { scale *= 10 }
      return Int(all).map { Float($0) / scale }
    }
    // The value of long fields is what adding digit by digit in double precision makes of it.
    var value = 0.0
    for digit in all.utf8 { value = value * 10 + Double(digit - 0x30) }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    return Float(value / scale)
  }

  private static func position(
    _ f: [String], _ start: Int
  ) -> (latitude: Double, longitude: Double, decimals: Int)? {
    guard f.count >= start + 4, let latitude = angle(f[start], 4),
      let longitude = angle(f[start + 2], 5),
      latitude.degrees <= 90, longitude.degrees <= 180,
      ["N", "S"].contains(f[start + 1]), ["E", "W"].contains(f[start + 3])
    else { return nil }
    return (
      f[start + 1] == "S" ? -latitude.degrees : latitude.degrees,
      f[start + 3] == "W" ? -longitude.degrees : longitude.degrees, latitude.decimals
    )
  }

  private static func angle(_ field: String, _ digitsAtMost: Int) -> (
    degrees: Double, decimals: Int
  )? {
    let parts = field.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, 1...digitsAtMost ~= parts[0].utf8.count,
      parts.allSatisfy({ digits($0) == $0 }), let whole = Int(parts[0]), whole % 100 < 60
    else { return nil }
    let fraction = parts.count == 2 ? String(parts[1].prefix(11)) : ""
    let scale = (0..<fraction.utf8.count).reduce(1) { value, _ in value * 10 }
    let minutes = (whole / 100 * 60 + whole % 100) * scale + (Int(fraction) ?? 0)
    return (Double(minutes) / Double(60 * scale), fraction.utf8.count)
  }
}
