/* The program's side of launch.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/faults/faults.h"
#include "tests/faults/launch.h"

static bool receive_launch(int socket, struct fault_launch *launch, int fds[LAUNCH_FDS]) {
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(LAUNCH_FDS * sizeof(int))];
    } control;
    struct iovec part = {launch, sizeof *launch};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    if (recvmsg(socket, &message, 0) != sizeof *launch)
        return false;
    memcpy(fds, CMSG_DATA(&control.head), LAUNCH_FDS * sizeof(int));
    return true;
}

/* The report goes to a descriptor that no copy has used before. */
static void become_copy(const struct fault_launch *launch, const int fds[LAUNCH_FDS]) {
    char number[16];
    unsetenv("JACOBI_FAULT_SERVER");
    snprintf(number, sizeof number, "%d", fds[LAUNCH_TOLD]);
    setenv("JACOBI_FAULT_FD", number, 1);
    setenv(launch->elsewhere ? "JACOBI_FAULT_THERE" : "JACOBI_FAULT", launch->fault, 1);
    if (launch->leads && (setsid() < 0 || ioctl(fds[LAUNCH_IN], TIOCSCTTY, 0)))
        _exit(98);
    for (int fd = LAUNCH_IN; fd <= LAUNCH_ERR; fd++) {
        dup2(fds[fd], fd);
        close(fds[fd]);
    }
}

void fault_serve(void) {
    const char *number = getenv("JACOBI_FAULT_SERVER");
    struct fault_launch launch;
    int fds[LAUNCH_FDS], status;
    if (!number)
        return;
    const int socket = atoi(number);
    while (receive_launch(socket, &launch, fds)) {
        const pid_t copy = fork();
        if (copy == 0) {
            close(socket);
            become_copy(&launch, fds);
            return;
        }
        for (int fd = 0; fd < LAUNCH_FDS; fd++)
            close(fds[fd]);
        if (copy < 0 || send(socket, &copy, sizeof copy, MSG_NOSIGNAL) < 0 ||
            waitpid(copy, &status, 0) != copy ||
            send(socket, &status, sizeof status, MSG_NOSIGNAL) < 0)
            break;
    }
    _exit(0);
}
