import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { atEnd } from "@curtail/testing/at-end";

/** Debian's Python, for which `python3-zeroconf` is installed. */
const PYTHON = "/usr/bin/python3";
const SCRIPT = fileURLToPath(new URL("browse-vtns.py", import.meta.url));
const GROUP = "224.0.0.251";
const LOOPBACK = "127.0.0.1";

/** Why nothing can be found by multicast on this machine; null: it can. Asked with plain sockets, on a port of its own. */
export const withoutMulticast = async (): Promise<string | null> => {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.bind(0, () => resolve());
    });
    socket.addMembership(GROUP, LOOPBACK);
    socket.setMulticastInterface(LOOPBACK);
    const heard = once(socket, "message", { signal: AbortSignal.timeout(2000) });
    socket.send("heard", socket.address().port, GROUP);
    await heard;
    return null;
  } catch (error) {
    return `multicast is not possible here: ${String(error)}`;
  } finally {
    socket.close();
  }
};

/** Why VTNs cannot be looked for with python3-zeroconf, an implementation that is independent of ours; null: they can. */
export const withoutZeroconf =
  spawnSync(PYTHON, ["-c", "import zeroconf"]).status === 0 ? null : "python3-zeroconf is not installed";

/** What a browser says: a VTN that was found, with how to reach it, or the name of one that is gone. */
export interface Said {
  readonly found?: string;
  readonly gone?: string;
  readonly port?: number;
  readonly host?: string;
  readonly addresses?: readonly string[];
  readonly texts?: Readonly<Record<string, string>>;
}

/** Looks for VTNs until the test ends; `next` waits for what is said of one on this port. */
export const browseVtns = () => {
  const child: ChildProcessWithoutNullStreams = spawn(PYTHON, [SCRIPT]);
  atEnd(async () => void child.kill());
  const said: Said[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => said.push(JSON.parse(line) as Said));
  return {
    async next(is: (each: Said) => boolean): Promise<Said> {
      for (let tries = 0; tries < 200; tries++) {
        const found = said.find(is);
        if (found !== undefined) return found;
        await sleep(50);
      }
      throw new Error(`not found among ${JSON.stringify(said)}`);
    },
  };
};

/** Sends a message to all that listen on the loopback interface, from a port of its own, and returns what comes back. */
export const askedByMulticast = async (message: Buffer): Promise<Buffer | null> => {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => {
    socket.bind(0, LOOPBACK, resolve);
  });
  socket.setMulticastInterface(LOOPBACK);
  const answered = once(socket, "message", { signal: AbortSignal.timeout(2000) });
  socket.send(message, 5353, GROUP);
  const found = await answered.catch(() => null);
  socket.close();
  return found === null ? null : (found[0] as Buffer);
};
