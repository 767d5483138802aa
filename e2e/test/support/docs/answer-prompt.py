"""Runs a command in a terminal, types a line when it asks, and prints what the terminal showed: answer-prompt.py LINE COMMAND…"""

import os
import pty
import sys

line, command = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
shown = b""
is_asked = False
while True:
    try:
        part = os.read(terminal, 1024)
    except OSError:  # the command has ended
        break
    if not part:
        break
    shown += part
    if b": " in shown and not is_asked:
        is_asked = True
        os.write(terminal, line.encode() + b"\n")
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
