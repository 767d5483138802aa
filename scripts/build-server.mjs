// Bundles the server's own modules, and those of its many-file dependency, into a few files: loading 1,100 small
// ones takes a third of the time that the service needs to start. `curtail.mjs` uses the bundle while it is current.
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { bundle, isCurrent } from "../packages/server/bundle.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Finds its binaries beside its own package. */
const apart = "@curtail/embedded-postgres";
const isBundled = (id) => /^[./]/.test(id) || (/^(@curtail\/|typebox)/.test(id) && !id.startsWith(apart));

if (!isCurrent()) {
  const folder = dirname(bundle);
  rmSync(folder, { recursive: true, force: true });
  const building = await rolldown({
    input: join(root, "packages/server/dist/app/curtail.js"),
    platform: "node",
    external: (id) => !isBundled(id),
  });
  // As deep as the modules it is made of: they find the migrations by their own place.
  await building.write({ dir: folder, format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" });
  await building.close();
}
