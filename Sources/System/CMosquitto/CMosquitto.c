#define _GNU_SOURCE
#include "CMosquitto.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static void *library;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *opened(void) {
  pthread_mutex_lock(&lock);
  if (!library) library = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
  pthread_mutex_unlock(&lock);
  return library;
}

const char *cmosquitto_failure(void) {
  return opened() ? NULL : "libmosquitto cannot be opened; install the package libmosquitto1";
}

static void *function(const char *name) {
  void *handle = opened();
  void *found = handle ? dlsym(handle, name) : NULL;
  // Whoever calls the library has asked for its failure first.
  if (!found) abort();
  return found;
}

// Looks a function up when it is first called. Two threads may both do so, with the same result.
#define CALL(type, name, parameters, arguments)                       \
  type name parameters {                                              \
    static _Atomic(void *) found;                                     \
    if (!found) found = function(#name);                              \
    return ((type(*) parameters)(void *)found)arguments;              \
  }

CALL(int, mosquitto_lib_init, (void), ())
CALL(struct mosquitto *, mosquitto_new,
     (const char *id, bool clean_session, void *object),
     (id, clean_session, object))
CALL(void, mosquitto_destroy, (struct mosquitto *client), (client))
CALL(int, mosquitto_threaded_set,
     (struct mosquitto *client, bool threaded),
     (client, threaded))
CALL(void, mosquitto_connect_with_flags_callback_set,
     (struct mosquitto *client, void (*callback)(struct mosquitto *, void *, int, int)),
     (client, callback))
CALL(void, mosquitto_publish_callback_set,
     (struct mosquitto *client, void (*callback)(struct mosquitto *, void *, int)),
     (client, callback))
CALL(void, mosquitto_subscribe_callback_set,
     (struct mosquitto *client, void (*callback)(struct mosquitto *, void *, int, int,
      const int *)),
     (client, callback))
CALL(void, mosquitto_log_callback_set,
     (struct mosquitto *client, void (*callback)(struct mosquitto *, void *, int,
      const char *)),
     (client, callback))
CALL(void, mosquitto_message_callback_set,
     (struct mosquitto *client, void (*callback)(struct mosquitto *, void *,
      const struct mosquitto_message *)),
     (client, callback))
CALL(int, mosquitto_username_pw_set,
     (struct mosquitto *client, const char *user, const char *password),
     (client, user, password))
CALL(int, mosquitto_will_set,
     (struct mosquitto *client, const char *topic, int length, const void *payload, int qos,
      bool retain),
     (client, topic, length, payload, qos, retain))
CALL(int, mosquitto_tls_set,
     (struct mosquitto *client, const char *cafile, const char *capath, const char *certfile,
      const char *keyfile, int (*password)(char *, int, int, void *)),
     (client, cafile, capath, certfile, keyfile, password))
CALL(int, mosquitto_int_option,
     (struct mosquitto *client, int option, int value),
     (client, option, value))
CALL(int, mosquitto_connect,
     (struct mosquitto *client, const char *host, int port, int keepalive),
     (client, host, port, keepalive))
CALL(const char *, mosquitto_connack_string, (int code), (code))
CALL(const char *, mosquitto_strerror, (int code), (code))
CALL(int, mosquitto_socket, (struct mosquitto *client), (client))
CALL(bool, mosquitto_want_write, (struct mosquitto *client), (client))
CALL(int, mosquitto_loop_read,
     (struct mosquitto *client, int packets),
     (client, packets))
CALL(int, mosquitto_loop_write,
     (struct mosquitto *client, int packets),
     (client, packets))
CALL(int, mosquitto_loop_misc, (struct mosquitto *client), (client))
CALL(int, mosquitto_subscribe,
     (struct mosquitto *client, int *mid, const char *filter, int qos),
     (client, mid, filter, qos))
CALL(int, mosquitto_publish,
     (struct mosquitto *client, int *mid, const char *topic, int length, const void *payload,
      int qos, bool retain),
     (client, mid, topic, length, payload, qos, retain))
CALL(int, mosquitto_disconnect, (struct mosquitto *client), (client))
