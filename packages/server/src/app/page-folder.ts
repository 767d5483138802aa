import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Folder of the built pages; null if they were not built, and the service then has none. */
export const pageFolder = (): string | null => {
  const folder = join(dirname(createRequire(import.meta.url).resolve("@curtail/web/package.json")), "dist", "site");
  return existsSync(join(folder, "index.html")) ? folder : null;
};
