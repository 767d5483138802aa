import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { superuser } from "./cluster.js";
import { SERVICE_ROLE } from "./database.js";
import type { Identity } from "./identity.js";

const MAP = "curtail";
/** Before, a line names one role: those that are ours. */
const FIRST_WITH_ALL_ROLES = 16;

interface Server {
  readonly identity: Identity;
  readonly major: number;
}

/**
 * Sets who may connect: over the socket, the user that the service runs as, in any role; nobody else, not even the
 * server's own user. Written at every start: earlier versions trusted every user who could reach the socket, and a
 * copied database may be served by another user.
 */
export async function writeAccess(clusterDir: string, userName: string, { identity, major }: Server): Promise<void> {
  const replace = async (name: string, line: string): Promise<void> => {
    const draft = join(clusterDir, `${name}.new`);
    await rm(draft, { force: true });
    // The directory belongs to the server's user: root must not follow a link there.
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(`# Written by Curtail at every start.\n${line}\n`);
      if (identity !== null) await handle.chown(identity.uid, identity.gid);
    } finally {
      await handle.close();
    }
    await rename(draft, join(clusterDir, name));
  };
  const roles = major >= FIRST_WITH_ALL_ROLES ? ["all"] : [superuser, SERVICE_ROLE];
  await replace("pg_ident.conf", roles.map((role) => `${MAP} ${quoted(userName)} ${role}`).join("\n"));
  await replace("pg_hba.conf", `local all all peer map=${MAP}`);
}

/** A quoted name means itself; a doubled quote stands for one. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
