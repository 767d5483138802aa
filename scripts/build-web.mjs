// Builds the pages if their sources changed, and adds compressed files for those that browsers load.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { builtOnce, filesBelow, root } from "./built-once.mjs";
import { THIRD_PARTIES, thirdPartiesOf } from "./third-party.mjs";

const web = join(root, "packages", "web");
const folder = join(web, "dist", "site");

const sources = [
  join(root, "package-lock.json"),
  join(root, "scripts", "third-party.mjs"),
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

/** Of the modules in the files; styles of Tailwind are there without one. */
const keepThirdParties = (modules) => {
  const styles = join(root, "node_modules", "tailwindcss", "index.css");
  writeFileSync(join(folder, THIRD_PARTIES), JSON.stringify(thirdPartiesOf([...modules, styles])));
};

await builtOnce(folder, sources, async () => {
  const { build } = await import("vite");
  const modules = [];
  const generateBundle = (_options, bundle) => {
    for (const file of Object.values(bundle)) modules.push(...Object.keys(file.modules ?? {}));
  };
  await build({ root: web, logLevel: "warn", plugins: [{ name: "third-parties", generateBundle }] });
  keepThirdParties(modules);
  for (const file of filesBelow(join(folder, "assets"))) {
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
});
