import { chmod, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { giveTo, type Identity } from "./identity.js";

const MAP = "curtail";

/**
 * Says who is let in: over the socket, the user that the service runs as, in any role; nobody else, the server's own
 * user neither. Written at every start: versions before trusted whoever reached the socket, and a copied database may
 * be served by another user.
 */
export async function writeAccess(clusterDir: string, userName: string, identity: Identity): Promise<void> {
  const replace = async (name: string, line: string): Promise<void> => {
    const draft = join(clusterDir, `${name}.new`);
    await writeFile(draft, `# Written by Curtail at every start.\n${line}\n`);
    await chmod(draft, 0o600);
    await giveTo(identity, draft);
    await rename(draft, join(clusterDir, name));
  };
  await replace("pg_ident.conf", `${MAP} ${quoted(userName)} all`);
  await replace("pg_hba.conf", `local all all peer map=${MAP}`);
}

/** A quoted name means itself; a doubled quote stands for one. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
