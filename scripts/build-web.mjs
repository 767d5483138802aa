// Builds the pages if their sources changed, and adds compressed files for those that browsers load.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { builtOnce, filesBelow, root } from "./built-once.mjs";

const web = join(root, "packages", "web");
const folder = join(web, "dist", "site");

const sources = [
  join(root, "package-lock.json"),
  join(web, "index.html"),
  join(web, "vite.config.ts"),
  ...filesBelow(join(root, "packages", "client", "src")),
  join(root, "packages", "contract", "src", "constants.ts"),
  ...filesBelow(join(root, "packages", "contract", "src", "lists")),
  join(root, "packages", "contract", "src", "v2022-04-15", "limits.ts"),
  ...filesBelow(join(root, "packages", "words", "src")),
  ...filesBelow(join(root, "packages", "words", "catalogues")),
  ...filesBelow(join(web, "build")),
  ...filesBelow(join(web, "src")),
  ...filesBelow(join(web, "public")),
];

await builtOnce(folder, sources, async () => {
  const { build } = await import("vite");
  await build({ root: web, logLevel: "warn" });
  for (const file of filesBelow(join(folder, "assets"))) {
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
});
