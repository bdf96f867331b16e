"""Runs a command at a new terminal, answers its questions, and prints what the terminal showed.

usage: terminal.py ANSWERS COMMAND [ARGUMENT...]
  ANSWERS   a file with lines of a question, a tab and the answer. A question is the last characters
            on the terminal; the longest one that fits is answered. The answer ^C is that key.

The exit status is the command's.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

SECONDS = 300


def read_answers(file):
    with open(file, encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split("\t") for line in lines)


def next_answer(answers, text):
    fitting = [question for question in answers if text.endswith(question)]
    return answers[max(fitting, key=len)] if fitting else None


def run(answers, command):
    process, terminal = pty.fork()
    if process == 0:
        # A shell ignores it for a command in the background.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 200, 80, 0, 0))
    shown, answered, end = b"", 0, time.monotonic() + SECONDS
    while True:
        if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
            sys.exit("terminal: no end, and no question with an answer: " + shown.decode())
        try:
            part = os.read(terminal, 4096)
        except OSError:  # no process has the terminal any more
            part = b""
        if not part:
            break
        shown += part
        sys.stdout.buffer.write(part.replace(b"\r\n", b"\n"))
        sys.stdout.buffer.flush()
        # A question is answered once.
        answer = next_answer(answers, shown[answered:].decode(errors="replace"))
        if answer is not None:
            answered = len(shown)
            os.write(terminal, b"\x03" if answer == "^C" else answer.encode() + b"\r")
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


if len(sys.argv) < 3:
    sys.exit(__doc__)
status = run(read_answers(sys.argv[1]), sys.argv[2:])
sys.exit(status if status >= 0 else 128 - status)
