// `npm run node-red -- FOLDER`: packs the nodes for Node-RED as an npm tarball: public, without dependencies, CommonJS as
// Node-RED loads it. The package of the workspace is private and ESM.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { packStaged } from "./pack-sdk.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const from = join(root, "packages/node-red");

/** Node-RED takes `nodes/curtail.html` for the editor's half, and `locales` and `icons` beside it. */
const SET = "nodes/curtail.js";

const manifestOf = ({ private: _private, type: _type, devDependencies: _devDependencies, ...rest }) => ({
  ...rest,
  files: ["nodes"],
  "node-red": { version: ">=4.0.0", nodes: { curtail: SET } },
});

/** The client and the spool are in it. */
const writeBundle = async (folder) => {
  const building = await rolldown({ input: join(from, "dist/index.js"), platform: "node", external: /^node:/ });
  // Node-RED calls what the module is.
  await building.write({ file: join(folder, SET), format: "cjs", footer: "module.exports = exports.register;" });
  await building.close();
};

/** Makes the folder that is packed. */
export const stageNodeRed = async (folder) => {
  const manifest = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  mkdirSync(join(folder, "nodes"), { recursive: true });
  const editor = join(from, "editor");
  const pages = readdirSync(editor).filter((name) => name.endsWith(".html"));
  const html = pages.map((name) => readFileSync(join(editor, name), "utf8")).join("\n");
  writeFileSync(join(folder, SET.replace(/\.js$/, ".html")), html);
  for (const name of ["locales", "icons"]) cpSync(join(editor, name), join(folder, "nodes", name), { recursive: true });
  cpSync(join(from, "README.md"), join(folder, "README.md"));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifestOf(manifest), null, 2)}\n`);
  await writeBundle(folder);
};

/**
 * Packs the compiled nodes.
 *
 * @returns path of the tarball
 */
export const packNodeRed = async (into) => (await packStaged([stageNodeRed], into))[0];

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${await packNodeRed(process.argv[2] ?? ".")}\n`);
