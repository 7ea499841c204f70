"""A program on a pseudo-terminal: start it, type, read, wait for output, get its exit status."""

import argparse
import fcntl
import os
import select
import struct
import subprocess
import termios
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENTER, LEAVE = b'\x1b[?1049h', b'\x1b[?1049l'  # the alternate screen of full-screen programs
LIMIT_SECONDS = 60  # only a program that hangs takes so long


def option_parser(doc):
    """A parser with the option --program."""
    parser = argparse.ArgumentParser(description=doc,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', type=os.path.abspath,
                        default=os.path.join(TOP, 'build/main/jacobi-tui'))
    return parser


def environment(home=None, **more):
    """This environment, or that of a user whose only settings are in `home`."""
    own = dict(HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home) if home else {}
    return dict(os.environ, **own, TERM='xterm-256color', LC_ALL='C.UTF-8', **more)


def has_ended(pidfd, seconds=LIMIT_SECONDS):
    return bool(select.select([pidfd], [], [], max(0, seconds))[0])


class Terminal:
    """A program and its terminal. `text` is all output; callers that read for hours shorten it.

    `size` is rows and columns, optionally followed by width and height in pixels. `replies` maps
    bytes from the program to the terminal's replies. `prepare` is called in the child. `rate` is
    the number of bytes per second that the terminal accepts."""

    def __init__(self, command, home=None, size=(24, 80), replies=(), prepare=None, rate=None,
                 pass_fds=(), **variables):
        self.fd, slave = os.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(slave)
        self.replies, self.rate = dict(replies), rate
        self.text, self.count = bytearray(), 0

        def attach():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            if prepare:
                prepare()
        self.began = time.monotonic()
        self.child = subprocess.Popen(command, cwd=home, env=environment(home, **variables),
                                      stdin=slave, stdout=slave, stderr=slave, pass_fds=pass_fds,
                                      start_new_session=True, preexec_fn=attach)
        self.pidfd = os.pidfd_open(self.child.pid)
        os.close(slave)

    def age(self):
        """Seconds since the start."""
        return time.monotonic() - self.began

    def resize(self, rows, cols, width=0, height=0):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack('HHHH', rows, cols, width, height))

    def type(self, keys):
        try:
            os.write(self.fd, keys)
        except OSError:
            pass  # the program has ended

    def take(self, seconds):
        """Reads once, as soon as there is output. False if the program has ended."""
        if self.rate:
            time.sleep(max(0, self.count / self.rate - self.age()))
        ready = select.select([self.fd, self.pidfd], [], [], max(0, seconds))[0]
        if not ready:
            return True
        # After its end, read() returns the last output and then fails, unless a child is running.
        if self.fd not in ready and not select.select([self.fd], [], [], 1)[0]:
            return False
        try:
            came = os.read(self.fd, self.rate // 20 if self.rate else 65536)
        except OSError:
            return False
        self.count += len(came)
        self.text += came
        for question, reply in self.replies.items():
            if question in self.text[-len(came) - len(question) + 1:]:
                self.type(reply)
        return True

    def read(self, seconds):
        """Reads for `seconds`; False if the program ends."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not self.take(left):
                return False
        return True

    def wait_for(self, *words, since=0):
        """Reads until the text after `since` has one of the words; False if the program ends."""
        end, look = time.monotonic() + LIMIT_SECONDS, since
        while True:
            if any(word in self.text[look:] for word in words):
                return True
            look = max(since, len(self.text) - max(map(len, words)))
            if time.monotonic() > end or not self.take(end - time.monotonic()):
                return False

    def wait_end(self):
        """Reads to the end; returns the status, or 'never' if the program had to be killed."""
        end = time.monotonic() + LIMIT_SECONDS
        self.read(LIMIT_SECONDS)
        if has_ended(self.pidfd, end - time.monotonic()):
            return self.child.wait()
        self.child.kill()
        self.child.wait()
        return 'never'

    def finish(self, keys=b'q'):
        """Types the keys, then like wait_end. Sets `given_back`: the terminal was restored."""
        self.type(keys)
        status = self.wait_end()
        self.given_back = (self.text.rfind(ENTER) <= self.text.rfind(LEAVE)
                           and termios.tcgetattr(self.fd)[3] == self.before[3])
        self.close()
        return status

    def close(self):
        """Closes the terminal; hangs up if the program is still running."""
        for fd in self.fd, self.pidfd:
            os.close(fd)
