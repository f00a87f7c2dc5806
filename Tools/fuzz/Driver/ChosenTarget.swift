import FuzzTargets
import Glibc

/// The target that the environment names by `FUZZ_TARGET`; nil without one.
let chosenTarget: FuzzTarget? = {
  // Nobody changes the environment.
  let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) }
  return FuzzTarget.all.first { $0.name == name }
}()
