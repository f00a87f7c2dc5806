import Glibc

/// Runs work that blocks on a thread of its own.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  let work = Work(body: body)
  // The thread takes over the reference, and keeps no other pointer.
  let context = unsafe Unmanaged.passRetained(work).toOpaque()
  var thread = pthread_t()
  let code = unsafe pthread_create(
    &thread, nil,
    { context in
      guard let context = unsafe context else { return nil }
      unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
      return nil
    }, context)
  precondition(code == 0, "the system starts no more threads")
  pthread_detach(thread)
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(body: @escaping @Sendable () -> Void) { self.body = body }
}
