// Builds the pages if their sources changed, and adds compressed files for those that browsers load.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const web = join(root, "packages", "web");
const stamp = join(web, "dist", "site", ".built");

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

const sources = [
  join(root, "package-lock.json"),
  join(web, "index.html"),
  join(web, "vite.config.ts"),
  ...filesBelow(join(root, "packages", "client", "src")),
  join(root, "packages", "contract", "src", "constants.ts"),
  join(root, "packages", "contract", "src", "v2022-04-15", "limits.ts"),
  ...filesBelow(join(web, "build")),
  ...filesBelow(join(web, "src")),
  ...filesBelow(join(web, "public")),
];
const hash = createHash("sha256");
for (const file of sources) hash.update(file.slice(root.length)).update(readFileSync(file));
const state = hash.digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== state) {
  // Imported only here: restarting with built pages needs neither the time nor the memory of the builder.
  const { build } = await import("vite");
  await build({ root: web, logLevel: "warn" });
  for (const file of filesBelow(join(web, "dist", "site", "assets"))) {
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
  writeFileSync(stamp, state);
}
