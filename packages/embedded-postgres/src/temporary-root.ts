import { tmpdir } from "node:os";
import type { Identity } from "./identity.js";
import { canEnter } from "./reach.js";

// sockaddr_un has 108 bytes on Linux and 104 on macOS, including the terminating zero.
const socketPathBytes = process.platform === "darwin" ? 103 : 107;

/** Places for short-lived files, best first: the system's choice may be long, or inaccessible to the other user. */
export const temporaryRoots = (): readonly string[] => [...new Set([tmpdir(), "/tmp"])];

/** The first of them in which a socket called `name` fits and which `identity` can enter. */
export async function rootForSocket(name: string, identity: Identity): Promise<string> {
  for (const root of temporaryRoots()) {
    const fits = Buffer.byteLength(`${root}/${name}`) <= socketPathBytes;
    if (fits && (await canEnter(identity, root))) return root;
  }
  throw new Error(`No directory for a Unix socket: tried ${temporaryRoots().join(", ")}. Set TMPDIR to a short path.`);
}
