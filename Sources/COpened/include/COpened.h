// Libraries that are opened when their first function is called.
//
// Few commands need them, they would take a millisecond or two of every start, and the program
// builds and runs without them. The declarations are those of the libraries' own headers, as far as
// Fencepost uses them; each function calls the library's function of the same name.
//
// Call `copened_failure` first: a function of a library that cannot be opened ends the program.
#ifndef COPENED_H
#define COPENED_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

typedef enum { COPENED_MOSQUITTO, COPENED_SODIUM, COPENED_ICAL } copened_library;

/// Opens a library. Returns NULL, or a sentence that says which Debian package is missing.
const char *copened_failure(copened_library library);

// libmosquitto 2 (mosquitto.h)

#define MOSQ_ERR_CONN_PENDING -1
#define MOSQ_ERR_SUCCESS 0
#define MOSQ_ERR_PROTOCOL 2
#define MOSQ_ERR_CONN_LOST 7
#define MOSQ_ERR_TLS 8
#define MOSQ_ERR_ERRNO 14
#define MOSQ_ERR_EAI 15
#define MOSQ_ERR_TLS_HANDSHAKE 23
#define MOSQ_OPT_TLS_USE_OS_CERTS 13
#define MOSQ_LOG_ERR 8

struct mosquitto;
struct mosquitto_message {
  int mid;
  char *topic;
  void *payload;
  int payloadlen;
  int qos;
  bool retain;
};

int mosquitto_lib_init(void);
struct mosquitto *mosquitto_new(const char *id, bool clean_session, void *object);
void mosquitto_destroy(struct mosquitto *client);
int mosquitto_threaded_set(struct mosquitto *client, bool threaded);
void mosquitto_connect_with_flags_callback_set(
    struct mosquitto *client, void (*callback)(struct mosquitto *, void *, int, int));
void mosquitto_publish_callback_set(struct mosquitto *client,
                                    void (*callback)(struct mosquitto *, void *, int));
void mosquitto_subscribe_callback_set(
    struct mosquitto *client,
    void (*callback)(struct mosquitto *, void *, int, int, const int *));
void mosquitto_log_callback_set(struct mosquitto *client,
                                void (*callback)(struct mosquitto *, void *, int, const char *));
void mosquitto_message_callback_set(struct mosquitto *client,
                                    void (*callback)(struct mosquitto *, void *,
                                                     const struct mosquitto_message *));
int mosquitto_username_pw_set(struct mosquitto *client, const char *user, const char *password);
int mosquitto_will_set(struct mosquitto *client, const char *topic, int length, const void *payload,
                       int qos, bool retain);
int mosquitto_tls_set(struct mosquitto *client, const char *cafile, const char *capath,
                      const char *certfile, const char *keyfile,
                      int (*password)(char *, int, int, void *));
int mosquitto_int_option(struct mosquitto *client, int option, int value);
int mosquitto_connect(struct mosquitto *client, const char *host, int port, int keepalive);
const char *mosquitto_connack_string(int code);
const char *mosquitto_strerror(int code);
int mosquitto_socket(struct mosquitto *client);
bool mosquitto_want_write(struct mosquitto *client);
int mosquitto_loop_read(struct mosquitto *client, int packets);
int mosquitto_loop_write(struct mosquitto *client, int packets);
int mosquitto_loop_misc(struct mosquitto *client);
int mosquitto_subscribe(struct mosquitto *client, int *mid, const char *filter, int qos);
int mosquitto_publish(struct mosquitto *client, int *mid, const char *topic, int length,
                      const void *payload, int qos, bool retain);
int mosquitto_disconnect(struct mosquitto *client);

// libsodium 1.0 (sodium/core.h, sodium/crypto_secretbox.h)

#define crypto_secretbox_KEYBYTES 32
#define crypto_secretbox_NONCEBYTES 24
#define crypto_secretbox_MACBYTES 16

int sodium_init(void);
int crypto_secretbox_open_easy(unsigned char *message, const unsigned char *box,
                               unsigned long long length, const unsigned char *nonce,
                               const unsigned char *key);

// libical 3 (libical/ical.h)

#define ICAL_ANY_PROPERTY 0
#define ICAL_ANY_COMPONENT 1
#define ICAL_TEXT_VALUE 5008
#define ICAL_NO_RECURRENCE 7

typedef struct icalcomponent_impl icalcomponent;
typedef struct icalproperty_impl icalproperty;
typedef struct icalvalue_impl icalvalue;
typedef struct icalrecur_iterator_impl icalrecur_iterator;

struct icaltimetype {
  int year, month, day, hour, minute, second;
  int is_date, is_daylight;
  const void *zone;
};

struct icalrecurrencetype {
  int freq;
  struct icaltimetype until;
  int count;
  short interval;
  int week_start;
  /// `by_second` through `by_set_pos`.
  short by[1408];
  char *rscale;
  int skip;
};

void icalerror_set_errors_are_fatal(int fatal);
icalcomponent *icalparser_parse_string(const char *text);
void icalcomponent_free(icalcomponent *component);
int icalcomponent_isa(const icalcomponent *component);
const char *icalcomponent_kind_to_string(int kind);
icalproperty *icalcomponent_get_first_property(icalcomponent *component, int kind);
icalproperty *icalcomponent_get_next_property(icalcomponent *component, int kind);
icalcomponent *icalcomponent_get_first_component(icalcomponent *component, int kind);
icalcomponent *icalcomponent_get_next_component(icalcomponent *component, int kind);
const char *icalproperty_get_property_name(const icalproperty *property);
const char *icalproperty_get_parameter_as_string(icalproperty *property, const char *name);
const char *icalproperty_get_value_as_string(const icalproperty *property);
icalvalue *icalproperty_get_value(const icalproperty *property);
int icalvalue_isa(const icalvalue *value);
const char *icalvalue_get_text(const icalvalue *value);
struct icalrecurrencetype icalrecurrencetype_from_string(const char *text);
struct icaltimetype icaltime_from_string(const char *text);
int icaltime_is_null_time(const struct icaltimetype time);
icalrecur_iterator *icalrecur_iterator_new(struct icalrecurrencetype rule,
                                           struct icaltimetype start);
int icalrecur_iterator_set_start(icalrecur_iterator *iterator, struct icaltimetype start);
struct icaltimetype icalrecur_iterator_next(icalrecur_iterator *iterator);
void icalrecur_iterator_free(icalrecur_iterator *iterator);

#pragma GCC visibility pop

#endif
