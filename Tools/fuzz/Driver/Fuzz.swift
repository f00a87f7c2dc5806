import CFuzzer
import FuzzTargets
import Glibc

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  // The bytes are libFuzzer's and there until this returns.
  let bytes = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(Finding) {
    try chosenTarget?.check(bytes)
  } catch {
    // libFuzzer keeps the input of a program that ends so.
    fatalError("\(error)")
  }
  return 0
}

/// Runs libFuzzer on the target that the environment names by `FUZZ_TARGET`; without one it lists the
/// targets.
///
/// The package manager makes this the program's `main`, by its name, in place of libFuzzer's own, and
/// it does what that does.
@_cdecl("Fuzz_main")
func fuzzMain(
  _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  guard chosenTarget != nil else {
    for target in FuzzTarget.all { print(target.name) }
    return 0
  }
  var count = count
  var arguments = unsafe arguments
  // libFuzzer changes neither after this frame is gone.
  return unsafe cfuzzer_run(&count, &arguments, testOneInput)
}
