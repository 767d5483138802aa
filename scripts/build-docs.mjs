// Builds the documentation if its sources changed: `docs/`, the OpenAPI documents, the libraries, and what makes pages of
// them.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtOnce, filesBelow, root } from "./built-once.mjs";
import { THIRD_PARTIES, thirdPartiesOf } from "./third-party.mjs";

const contract = join(root, "packages", "contract");
const web = join(root, "packages", "web");
const sourceFolder = join(root, "packages", "docs", "src");
const folder = join(root, "packages", "docs", "dist", "site");

const sources = [
  join(root, "package-lock.json"),
  join(root, "scripts", "third-party.mjs"),
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

await builtOnce(folder, sources, async () => {
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
  const modules = output.flatMap(({ modules }) => Object.keys(modules ?? {}));
  writeFileSync(join(folder, THIRD_PARTIES), JSON.stringify(thirdPartiesOf(modules)));
});
