import Glibc

/// Runs work that blocks on a thread of its own, with a name of at most 15 bytes.
func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
  let work = Work(name: name, body: body)
  // The thread takes over the reference, and keeps no other pointer.
  let context = unsafe Unmanaged.passRetained(work).toOpaque()
  var thread = pthread_t()
  let code = unsafe pthread_create(
    &thread, nil,
    { context in
      guard let context = unsafe context else { return nil }
      let work = unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
      unsafe pthread_setname_np(pthread_self(), String(work.name.prefix(15)))
      work.body()
      return nil
    }, context)
  precondition(code == 0, "the system starts no more threads")
  pthread_detach(thread)
}

private final class Work: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    (self.name, self.body) = (name, body)
  }
}
