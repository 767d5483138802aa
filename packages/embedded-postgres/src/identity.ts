import { createHash } from "node:crypto";
import { lchown, readdir, readFile, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { errorCode, unlessCode } from "./error-code.js";

/** The user that PostgreSQL runs as; null: the current user. */
export type Identity = { readonly uid: number; readonly gid: number } | null;

interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const PASSWD = "/etc/passwd";
/** systemd and the distributions assign these to nobody (systemd.io/UIDS-GIDS), and rootless containers have them. */
const UNUSED = { first: 60_706, count: 478 };
/** The kernel's overflow uid, used by processes without their own user. */
const NOBODY = 65_534;

/**
 * PostgreSQL refuses to run as root, so root picks another user: the owner of the database, else `postgres`, else an
 * unused uid, which later starts find as the owner. Never `nobody`, who may run other processes.
 */
export async function chooseIdentity(clusterDir: string, passwdFile = PASSWD): Promise<Identity> {
  if (process.geteuid?.() !== 0) return null;
  const users = await readUsers(passwdFile);
  const owner = await unlessCode(stat(clusterDir), ["ENOENT"], null);
  const isShared = owner !== null && (owner.uid === NOBODY || nameOf(users, owner.uid) === "nobody");
  if (owner !== null && owner.uid !== 0 && !isShared) return { uid: owner.uid, gid: owner.gid };
  const postgres = users.find(({ name }) => name === "postgres");
  return postgres === undefined ? ownUser(clusterDir, users) : { uid: postgres.uid, gid: postgres.gid };
}

/**
 * The user that initdb runs as. It requires one with a name; if ours has none, it borrows one that runs nothing, and
 * ownership of the result is then given to ours.
 */
export async function chooseMaker(identity: Identity, passwdFile = PASSWD): Promise<Identity> {
  // Elsewhere users are in a directory service, and the chosen uid always has a name.
  if (identity === null || process.platform !== "linux") return identity;
  const users = await readUsers(passwdFile);
  return nameOf(users, identity.uid) === null ? lender(users, await busyUsers()) : identity;
}

/** The uid that owns what PostgreSQL writes. */
export const uidOf = (identity: Identity): number => identity?.uid ?? process.geteuid?.() ?? -1;

export async function giveTo(identity: Identity, path: string): Promise<void> {
  if (identity !== null) await lchown(path, identity.uid, identity.gid);
}

/** The name by which PostgreSQL identifies our connections (`peer`). */
export function ownName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    throw new Error(
      `The user of uid ${uidOf(null)} has no name, and the included database only admits users with a name. ` +
        "Add a line for it to /etc/passwd, or set DATABASE_URL to use your own server.",
      { cause: error },
    );
  }
}

async function ownUser(clusterDir: string, users: readonly User[]): Promise<Identity> {
  if (process.platform !== "linux" || users.every(({ uid }) => uid === 0)) throw new Error(noUser);
  const busy = await busyUsers();
  const from = createHash("sha256").update(clusterDir).digest().readUInt32BE();
  for (let step = 0; step < UNUSED.count; step++) {
    const uid = UNUSED.first + ((from + step) % UNUSED.count);
    if (nameOf(users, uid) === null && !busy.has(uid)) return { uid, gid: uid };
  }
  throw new Error(noUser);
}

function lender(users: readonly User[], busy: ReadonlySet<number>): Identity {
  const free = users.find(({ uid }) => uid !== 0 && !busy.has(uid));
  if (free === undefined) throw new Error(noUser);
  return { uid: free.uid, gid: free.gid };
}

const noUser =
  "PostgreSQL does not run as root, and there is no other user to run it as. Add one (useradd --system postgres), " +
  "start Curtail as an ordinary user, or set DATABASE_URL to use your own server.";

const nameOf = (users: readonly User[], uid: number): string | null =>
  users.find((user) => user.uid === uid)?.name ?? null;

async function readUsers(passwdFile: string): Promise<readonly User[]> {
  const text = await unlessCode(readFile(passwdFile, "utf8"), ["ENOENT"], "");
  return text.split("\n").flatMap((line) => {
    const [name = "", , uid = "", gid = ""] = line.split(":");
    // macOS gives `nobody` the uid -2, which spawn() does not accept.
    return /^\d+$/.test(uid) && /^\d+$/.test(gid) ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/** Users that run any process. */
async function busyUsers(): Promise<ReadonlySet<number>> {
  const busy = new Set<number>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      busy.add((await stat(`/proc/${name}`)).uid);
    } catch (error) {
      // It exited while we looked.
      if (!["ENOENT", "ESRCH"].includes(errorCode(error) ?? "")) throw error;
    }
  }
  return busy;
}
