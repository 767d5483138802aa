import childProcess from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import fs from "node:fs";
import fsPromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

/** Only looked at by name. */
type Functions = object;

/** Where everything that leaves the process passes: files, sockets, names, programs. */
const doors: ReadonlyArray<readonly [name: string, door: Functions]> = [
  ["fs", fs],
  ["fs/promises", fsPromises],
  ["child_process", childProcess],
  ["dns", dns],
  ["net", net.Socket.prototype],
  ["net", net.Server.prototype],
  ["dgram", dgram],
  ["global", globalThis],
];

/** Of prototypes and the global object only what opens something. */
const OPENS = new Set(["connect", "listen", "fetch"]);

const isDoor = (name: string, door: Functions, member: string): boolean => {
  if (typeof Reflect.get(door, member) !== "function" || /^[A-Z_]/.test(member)) return false;
  return name === "net" || name === "global" ? OPENS.has(member) : true;
};

/** Does some work, and returns what of the world outside it tried to use: nothing gets through. */
export const usedOutside = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const used: string[] = [];
  const undo: Array<() => void> = [];
  for (const [name, door] of doors)
    for (const member of Object.getOwnPropertyNames(door).filter((each) => isDoor(name, door, each))) {
      const before: unknown = Reflect.get(door, member);
      const descriptor = Object.getOwnPropertyDescriptor(door, member);
      if (descriptor?.writable !== true) continue;
      const closed = (): never => {
        used.push(`${name}.${member}`);
        throw new Error(`${name}.${member} was used`);
      };
      Reflect.set(door, member, closed);
      undo.push(() => void Reflect.set(door, member, before));
    }
  syncBuiltinESMExports();
  try {
    await work();
  } catch (error) {
    if (used.length === 0) throw error;
  } finally {
    for (const each of undo) each();
    syncBuiltinESMExports();
  }
  return used;
};
