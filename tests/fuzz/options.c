/* The command line: one word per line. The user's settings are not read. */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>

#include "config/config.h"

enum { WORDS_MAX = 64 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    return setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

static int split(char *text, char **words) {
    int count = 0;
    static char name[] = "jacobi-tui";
    words[count++] = name;
    for (char *word = text; word && count < WORDS_MAX; count++) {
        words[count] = word;
        word = strchr(word, '\n');
        if (word)
            *word++ = '\0';
    }
    words[count] = NULL;
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    char *text = malloc(size + 1), *words[WORDS_MAX + 1];
    if (!text)
        return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    struct config config;
    struct error error = {0};
    const int count = split(text, words);
    fuzz_check(config_from_command_line(&config, count, words, &error), &error);
    free(text);
    return 0;
}
