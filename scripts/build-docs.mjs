// Builds the documentation if its sources changed: `docs/`, the OpenAPI documents, the libraries, and what makes pages of
// them.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const contract = join(root, "packages", "contract");
const web = join(root, "packages", "web");
const sourceFolder = join(root, "packages", "docs", "src");
const folder = join(root, "packages", "docs", "dist", "site");
const stamp = join(folder, ".built");

const filesBelow = (name) =>
  readdirSync(name, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

const sources = [
  join(root, "package-lock.json"),
  join(web, "src", "styles.css"),
  join(web, "public", "theme.js"),
  join(web, "public", "icon.svg"),
  ...readdirSync(contract)
    .filter((name) => name.endsWith(".openapi.json"))
    .map((name) => join(contract, name)),
  ...filesBelow(sourceFolder),
  ...["client", "spool"].flatMap((name) =>
    filesBelow(join(root, "packages", name, "dist")).filter((file) => file.endsWith(".d.ts")),
  ),
  ...filesBelow(join(root, "docs")),
  ...filesBelow(join(root, "examples")),
];
const hash = createHash("sha256");
for (const file of sources) hash.update(file.slice(root.length)).update(readFileSync(file));
const state = hash.digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== state) {
  // Imported only here: restarting with built pages needs none of it.
  const { rolldown } = await import("rolldown");
  const { writeSite } = await import("../packages/docs/dist/write-site.js");
  const building = await rolldown({ input: join(sourceFolder, "browser", "site.ts"), platform: "browser" });
  const { output } = await building.generate({
    format: "esm",
    minify: true,
    entryFileNames: "assets/[name]-[hash].js",
    chunkFileNames: "assets/[name]-[hash].js",
  });
  await building.close();
  await writeSite({ folder, scripts: output });
  writeFileSync(stamp, state);
}
