import { readFile, stat } from "node:fs/promises";
import { unlessCode } from "./error-code.js";

/** The user PostgreSQL runs as; null: the user we are. */
export type Identity = { readonly uid: number; readonly gid: number } | null;

/** PostgreSQL refuses to run as root, so root picks another user; everyone else stays who they are. */
export async function chooseIdentity(clusterDir: string): Promise<Identity> {
  if (process.geteuid?.() !== 0) return null;
  const owner = await unlessCode(stat(clusterDir), ["ENOENT"], null);
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const passwd = await unlessCode(readFile("/etc/passwd", "utf8"), ["ENOENT"], "");
  return userNamed("postgres", passwd) ?? userNamed("nobody", passwd) ?? { uid: 65534, gid: 65534 };
}

/** The uid that owns what PostgreSQL writes. */
export const uidOf = (identity: Identity): number => identity?.uid ?? process.geteuid?.() ?? -1;

function userNamed(name: string, passwd: string): Identity {
  const entry = passwd.split("\n").find((line) => line.startsWith(`${name}:`));
  const [, , uid, gid] = entry?.split(":") ?? [];
  // macOS gives `nobody` the uid -2, which spawn() does not take.
  if (!/^\d+$/.test(uid ?? "") || !/^\d+$/.test(gid ?? "")) return null;
  return { uid: Number(uid), gid: Number(gid) };
}
