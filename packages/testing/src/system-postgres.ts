import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const INSTALLED = "/usr/lib/postgresql";
const OLDEST = 15;

/** Folder of the programs of the oldest supported PostgreSQL that Debian or Ubuntu installed; null if there is none. */
export const systemPostgres = (): string | null => {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).map(Number) : [];
  const usable = versions.filter((version) => version >= OLDEST).toSorted((a, b) => a - b);
  return usable[0] === undefined ? null : join(INSTALLED, String(usable[0]), "bin");
};
