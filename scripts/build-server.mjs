// Bundles the server's modules and its dependencies into a few files: loading 1,500 small ones takes half of the time
// that the service needs to start. `curtail.mjs` uses the bundle while it is current.
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { bundle, isCurrent } from "../packages/server/bundle.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** These look for files beside their own: binaries, pages, code of workers. */
const withFiles = [
  "@curtail/embedded-postgres",
  "@node-rs/argon2",
  "libxml2-wasm",
  "pino",
  // An optional dependency of modbus-serial, with binaries.
  "serialport",
  "swagger-ui-dist",
];
/** Loaded once: the embedded PostgreSQL uses it, too. */
const apart = [...withFiles, "pg"];
const isApart = (id) => id.startsWith("node:") || apart.some((name) => id === name || id.startsWith(`${name}/`));

if (!isCurrent()) {
  const folder = dirname(bundle);
  rmSync(folder, { recursive: true, force: true });
  const building = await rolldown({
    input: join(root, "packages/server/dist/app/curtail.js"),
    platform: "node",
    external: isApart,
  });
  // As deep as the modules it is made of: they find the migrations by their own place.
  await building.write({ dir: folder, format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" });
  await building.close();
}
