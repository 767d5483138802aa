// `npm run cli -- FOLDER`: packs `curtail` without the service, as an npm tarball and as a single file for Node. Neither has
// dependencies: all is bundled.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleCli, FILE, manifest, SHEBANG, wholeCli } from "./bundle-cli.mjs";
import { packStaged } from "./pack-sdk.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const from = join(root, "packages/cli");
/** Beyond the owner's rights, everybody may run it. */
const RUNNABLE = 0o755;

const manifestOf = ({ private: _private, exports: _exports, dependencies: _dependencies, ...rest }) => {
  const { devDependencies: _devDependencies, ...packed } = rest;
  return { ...packed, bin: { curtail: `./bin/${FILE}` }, files: ["bin", "LICENSES-THIRD-PARTY"] };
};

/** Makes the folder that is packed. Parts that few commands need are files of their own, which load when needed. */
export const stageCli = async (folder) => {
  const { files, licences } = await bundleCli({ entryFileNames: FILE, chunkFileNames: "[name]-[hash].mjs" });
  mkdirSync(join(folder, "bin"), { recursive: true });
  for (const [name, code] of Object.entries(files))
    writeFileSync(join(folder, "bin", name), name === FILE ? SHEBANG + code : code);
  writeFileSync(join(folder, "LICENSES-THIRD-PARTY"), licences);
  cpSync(join(from, "README.md"), join(folder, "README.md"));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifestOf(manifest()), null, 2)}\n`);
};

/**
 * Packs the command as an npm package.
 *
 * @returns path of the tarball
 */
export const packCli = async (into) => (await packStaged([stageCli], into))[0];

/**
 * Writes the command as one file, which needs only Node.
 *
 * @returns path of the file, and the packages of others that are in it
 */
export const writeWholeCli = async (into) => {
  mkdirSync(into, { recursive: true });
  const [path, { code, thirdParties }] = [join(into, FILE), await wholeCli()];
  writeFileSync(path, code, { mode: RUNNABLE });
  return { path, thirdParties };
};

/** The same; returns the path alone. */
export const writeCli = async (into) => (await writeWholeCli(into)).path;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = "."] = process.argv.slice(2);
  const made = [await packCli(folder), await writeCli(folder)];
  process.stdout.write(made.map((path) => `${path}\n`).join(""));
}
