#define _GNU_SOURCE
#include "COpened.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static const struct {
  const char *file, *sentence;
} names[] = {
    [COPENED_MOSQUITTO] = {"libmosquitto.so.1",
                           "libmosquitto cannot be opened; install the package libmosquitto1"},
    [COPENED_SODIUM] = {"libsodium.so.23",
                        "libsodium cannot be opened; install the package libsodium23"},
    [COPENED_ICAL] = {"libical.so.3", "libical cannot be opened; install the package libical3"},
};

static void *libraries[sizeof names / sizeof *names];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *opened(copened_library library) {
  pthread_mutex_lock(&lock);
  if (!libraries[library]) libraries[library] = dlopen(names[library].file, RTLD_NOW | RTLD_LOCAL);
  pthread_mutex_unlock(&lock);
  return libraries[library];
}

const char *copened_failure(copened_library library) {
  return opened(library) ? NULL : names[library].sentence;
}

static void *function(copened_library library, const char *name) {
  void *handle = opened(library);
  void *found = handle ? dlsym(handle, name) : NULL;
  // Whoever calls a library has asked for its failure first.
  if (!found) abort();
  return found;
}

// Looks a function up when it is first called. Two threads may both do so, with the same result.
#define CALL(library, type, name, parameters, arguments)              \
  type name parameters {                                              \
    static _Atomic(void *) found;                                     \
    if (!found) found = function(COPENED_##library, #name);           \
    return ((type(*) parameters)(void *)found)arguments;              \
  }

CALL(MOSQUITTO, int, mosquitto_lib_init, (void), ())
CALL(MOSQUITTO, struct mosquitto *, mosquitto_new,
     (const char *id, bool clean_session, void *object),
     (id, clean_session, object))
CALL(MOSQUITTO, void, mosquitto_destroy, (struct mosquitto *client), (client))
CALL(MOSQUITTO, int, mosquitto_threaded_set,
     (struct mosquitto *client, bool threaded),
     (client, threaded))
CALL(MOSQUITTO, void, mosquitto_connect_with_flags_callback_set,
     (struct mosquitto *client, void (*callback)(struct mosquitto *, void *, int, int)),
     (client, callback))
CALL(MOSQUITTO, void, mosquitto_publish_callback_set,
     (struct mosquitto *client, void (*callback)(struct mosquitto *, void *, int)),
     (client, callback))
CALL(MOSQUITTO, void, mosquitto_subscribe_callback_set,
     (struct mosquitto *client, void (*callback)(struct mosquitto *, void *, int, int,
      const int *)),
     (client, callback))
CALL(MOSQUITTO, void, mosquitto_log_callback_set,
     (struct mosquitto *client, void (*callback)(struct mosquitto *, void *, int,
      const char *)),
     (client, callback))
CALL(MOSQUITTO, void, mosquitto_message_callback_set,
     (struct mosquitto *client, void (*callback)(struct mosquitto *, void *,
      const struct mosquitto_message *)),
     (client, callback))
CALL(MOSQUITTO, int, mosquitto_username_pw_set,
     (struct mosquitto *client, const char *user, const char *password),
     (client, user, password))
CALL(MOSQUITTO, int, mosquitto_will_set,
     (struct mosquitto *client, const char *topic, int length, const void *payload, int qos,
      bool retain),
     (client, topic, length, payload, qos, retain))
CALL(MOSQUITTO, int, mosquitto_tls_set,
     (struct mosquitto *client, const char *cafile, const char *capath, const char *certfile,
      const char *keyfile, int (*password)(char *, int, int, void *)),
     (client, cafile, capath, certfile, keyfile, password))
CALL(MOSQUITTO, int, mosquitto_int_option,
     (struct mosquitto *client, int option, int value),
     (client, option, value))
CALL(MOSQUITTO, int, mosquitto_connect,
     (struct mosquitto *client, const char *host, int port, int keepalive),
     (client, host, port, keepalive))
CALL(MOSQUITTO, const char *, mosquitto_connack_string, (int code), (code))
CALL(MOSQUITTO, const char *, mosquitto_strerror, (int code), (code))
CALL(MOSQUITTO, int, mosquitto_socket, (struct mosquitto *client), (client))
CALL(MOSQUITTO, bool, mosquitto_want_write, (struct mosquitto *client), (client))
CALL(MOSQUITTO, int, mosquitto_loop_read,
     (struct mosquitto *client, int packets),
     (client, packets))
CALL(MOSQUITTO, int, mosquitto_loop_write,
     (struct mosquitto *client, int packets),
     (client, packets))
CALL(MOSQUITTO, int, mosquitto_loop_misc, (struct mosquitto *client), (client))
CALL(MOSQUITTO, int, mosquitto_subscribe,
     (struct mosquitto *client, int *mid, const char *filter, int qos),
     (client, mid, filter, qos))
CALL(MOSQUITTO, int, mosquitto_publish,
     (struct mosquitto *client, int *mid, const char *topic, int length, const void *payload,
      int qos, bool retain),
     (client, mid, topic, length, payload, qos, retain))
CALL(MOSQUITTO, int, mosquitto_disconnect, (struct mosquitto *client), (client))

CALL(SODIUM, int, sodium_init, (void), ())
CALL(SODIUM, int, crypto_secretbox_open_easy,
     (unsigned char *message, const unsigned char *box, unsigned long long length,
      const unsigned char *nonce, const unsigned char *key),
     (message, box, length, nonce, key))

CALL(ICAL, void, icalerror_set_errors_are_fatal, (int fatal), (fatal))
CALL(ICAL, icalcomponent *, icalparser_parse_string, (const char *text), (text))
CALL(ICAL, void, icalcomponent_free, (icalcomponent *component), (component))
CALL(ICAL, int, icalcomponent_isa, (const icalcomponent *component), (component))
CALL(ICAL, const char *, icalcomponent_kind_to_string, (int kind), (kind))
CALL(ICAL, icalproperty *, icalcomponent_get_first_property,
     (icalcomponent *component, int kind),
     (component, kind))
CALL(ICAL, icalproperty *, icalcomponent_get_next_property,
     (icalcomponent *component, int kind),
     (component, kind))
CALL(ICAL, icalcomponent *, icalcomponent_get_first_component,
     (icalcomponent *component, int kind),
     (component, kind))
CALL(ICAL, icalcomponent *, icalcomponent_get_next_component,
     (icalcomponent *component, int kind),
     (component, kind))
CALL(ICAL, const char *, icalproperty_get_property_name,
     (const icalproperty *property),
     (property))
CALL(ICAL, const char *, icalproperty_get_parameter_as_string,
     (icalproperty *property, const char *name),
     (property, name))
CALL(ICAL, const char *, icalproperty_get_value_as_string,
     (const icalproperty *property),
     (property))
CALL(ICAL, icalvalue *, icalproperty_get_value, (const icalproperty *property), (property))
CALL(ICAL, int, icalvalue_isa, (const icalvalue *value), (value))
CALL(ICAL, const char *, icalvalue_get_text, (const icalvalue *value), (value))
CALL(ICAL, struct icalrecurrencetype, icalrecurrencetype_from_string,
     (const char *text),
     (text))
CALL(ICAL, struct icaltimetype, icaltime_from_string, (const char *text), (text))
CALL(ICAL, int, icaltime_is_null_time, (const struct icaltimetype time), (time))
CALL(ICAL, icalrecur_iterator *, icalrecur_iterator_new,
     (struct icalrecurrencetype rule, struct icaltimetype start),
     (rule, start))
CALL(ICAL, int, icalrecur_iterator_set_start,
     (icalrecur_iterator *iterator, struct icaltimetype start),
     (iterator, start))
CALL(ICAL, struct icaltimetype, icalrecur_iterator_next,
     (icalrecur_iterator *iterator),
     (iterator))
CALL(ICAL, void, icalrecur_iterator_free, (icalrecur_iterator *iterator), (iterator))
