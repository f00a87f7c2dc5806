// libmosquitto 2, which is opened when its first function is called.
//
// Few commands need it, it would take a millisecond of every start, and the program builds and runs
// without it. The declarations are those of mosquitto.h, as far as Fencepost uses them; each
// function calls the library's function of the same name.
//
// Call `cmosquitto_failure` first: a function of a library that cannot be opened ends the program.
#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/// Opens the library. Returns NULL, or a sentence that says which Debian package is missing.
const char *cmosquitto_failure(void);

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

#pragma GCC visibility pop

#endif
