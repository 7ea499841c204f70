#include "session/turnstile.h"

#include <pthread.h>

/* A plain mutex would let the session that has just had its turn in again. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static unsigned long next_ticket, now_serving;

void turnstile_enter(void) {
    pthread_mutex_lock(&mutex);
    const unsigned long ticket = next_ticket++;
    while (ticket != now_serving)
        pthread_cond_wait(&left, &mutex);
    pthread_mutex_unlock(&mutex);
}

void turnstile_leave(void) {
    pthread_mutex_lock(&mutex);
    now_serving++;
    pthread_cond_broadcast(&left);
    pthread_mutex_unlock(&mutex);
}
