#include "ui/terminal/buffers.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ui/terminal/vt_filter.h"

bool buffers_open(struct buffers *buffers) {
    int typed[2];
    *buffers = (struct buffers){.typing = -1};
    const int frame = memfd_create("frame", MFD_CLOEXEC);
    buffers->frame = frame >= 0 ? fdopen(frame, "w") : NULL;
    if (!buffers->frame || pipe2(typed, O_CLOEXEC | O_NONBLOCK))
        return false;
    buffers->typing = typed[1];
    buffers->typed = fdopen(typed[0], "r");
    return buffers->typed != NULL;
}

void buffers_close(struct buffers *buffers) {
    if (!buffers->frame)
        return;
    fclose(buffers->frame);
    if (buffers->typed)
        fclose(buffers->typed);
    if (buffers->typing >= 0)
        close(buffers->typing);
}

static void sink(void *tty, const char *bytes, size_t count) {
    tty_write(tty, bytes, count);
}

size_t buffers_pass_on(struct buffers *buffers, struct tty *tty, bool synchronised) {
    fflush(buffers->frame);
    const int fd = fileno(buffers->frame);
    const off_t count = lseek(fd, 0, SEEK_CUR);
    char *bytes = count > 0 ? mmap(NULL, (size_t)count, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (bytes == MAP_FAILED)
        return 0;
    const size_t before = tty->waiting_count;
    tty_write_text(tty, synchronised ? "\x1b[?2026h" : "");
    plainer(bytes, (size_t)count, sink, tty);
    tty_write_text(tty, synchronised ? "\x1b[?2026l" : "");
    const size_t passed = tty->waiting_count - before;
    tty_flush(tty);
    munmap(bytes, (size_t)count);
    lseek(fd, 0, SEEK_SET);
    return passed;
}

void buffers_type(const struct buffers *buffers, const char *bytes, size_t count) {
    const ssize_t ignored = write(buffers->typing, bytes, count);
    (void)ignored;
}
