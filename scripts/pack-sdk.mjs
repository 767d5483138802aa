// `npm run sdk -- FOLDER`: packs what participants install, @curtail/client and @curtail/spool, as npm tarballs. The
// packages of the workspace are private and ESM; what is packed is public, and CommonJS as well.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Source maps refer to the sources, which are packed, too. */
const isPacked = (name) => /\.(?:js|js\.map|d\.ts)$/.test(name);
const cjsOf = (path) => path.replace(/\.js$/, ".cjs");

/** Both forms of an entry; TypeScript reads `types` before the rest. */
const formsOf = ({ types, default: file }) => ({
  import: { types, default: file },
  require: { types: types.replace(/\.ts$/, ".cts"), default: cjsOf(file) },
});

/** The manifest of what is packed: public, without what only the workspace needs. */
const manifestOf = ({ exports, ...rest }) => ({
  ...Object.fromEntries(Object.entries(rest).filter(([name]) => name !== "private" && name !== "devDependencies")),
  // For tools that do not read `exports`.
  main: cjsOf(exports["."].default),
  module: exports["."].default,
  types: exports["."].types,
  exports: {
    ...Object.fromEntries(Object.entries(exports).map(([name, entry]) => [name, formsOf(entry)])),
    "./package.json": "./package.json",
  },
  files: ["dist", "src"],
});

/** CommonJS of all entries. What they share is in one chunk, so that a class is one class. */
const writeCjs = async (folder, entries) => {
  const building = await rolldown({
    input: Object.fromEntries(entries.map((file) => [basename(file, ".js"), join(folder, file)])),
    platform: "neutral",
    external: /^node:/,
  });
  await building.write({
    dir: join(folder, "dist"),
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "shared.cjs",
  });
  await building.close();
};

/** The same declarations for CommonJS, which TypeScript tells by their names. */
const writeCts = (dist) => {
  for (const name of readdirSync(dist).filter((each) => each.endsWith(".d.ts"))) {
    const text = readFileSync(join(dist, name), "utf8");
    const specifiers = /(from |import\()"(\.\/[^"]+)\.js"/g;
    writeFileSync(join(dist, name.replace(/\.ts$/, ".cts")), text.replaceAll(specifiers, '$1"$2.cjs"'));
  }
};

/** Makes the folder that is packed. */
const stage = async (name, folder) => {
  const from = join(root, "packages", name);
  const manifest = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  mkdirSync(join(folder, "dist"), { recursive: true });
  for (const file of readdirSync(join(from, "dist")).filter(isPacked))
    cpSync(join(from, "dist", file), join(folder, "dist", file));
  cpSync(join(from, "src"), join(folder, "src"), { recursive: true });
  cpSync(join(from, "README.md"), join(folder, "README.md"));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifestOf(manifest), null, 2)}\n`);
  await writeCjs(
    folder,
    Object.values(manifest.exports).map((entry) => entry.default),
  );
  writeCts(join(folder, "dist"));
};

/**
 * Packs what each of `stages` puts into a folder of its own. One run of npm, which takes longer than packing.
 *
 * @returns paths of the tarballs
 */
export const packStaged = async (stages, into) => {
  const parent = mkdtempSync(join(tmpdir(), "curtail-pack-"));
  try {
    const folders = stages.map((_, at) => join(parent, String(at)));
    for (const [at, stage] of stages.entries()) await stage(folders[at]);
    mkdirSync(into, { recursive: true });
    const packing = ["pack", ...folders, "--pack-destination", into, "--json"];
    const packed = JSON.parse(execFileSync("npm", packing, { encoding: "utf8" }));
    return packed.map(({ filename }) => join(resolve(into), filename));
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
};

/** @param name of its folder in `packages` */
export const stageSdk = (name) => (folder) => stage(name, folder);

/**
 * Packs a compiled package of the workspace.
 *
 * @param name of its folder in `packages`
 * @returns path of the tarball
 */
export const packSdk = async (name, into) => (await packStaged([stageSdk(name)], into))[0];

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const name of ["client", "spool"]) process.stdout.write(`${await packSdk(name, process.argv[2] ?? ".")}\n`);
