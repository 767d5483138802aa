// Bundles `curtail` without the service: participants' commands, `curtail admin` and `curtail agent`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { licencesOf, thirdPartiesOf } from "./third-party.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Of the package of the workspace. */
export const manifest = () => JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));

export const FILE = "curtail.mjs";
export const SHEBANG = "#!/usr/bin/env node\n";

/** A single file has no manifest to read its version from, so the entry has it. */
const entryOf = (version) => `
import { curtailProgram } from ${JSON.stringify(join(root, "packages/server/dist/app/program.js"))};
await (await curtailProgram(${JSON.stringify(version)}, process.argv.slice(2))).parseAsync();
`;

const ENTRY = "curtail-entry";
const isEntry = { id: new RegExp(`^${ENTRY}$`) };
const entry = () => ({
  name: "entry",
  resolveId: { filter: isEntry, handler: (id) => id },
  load: { filter: isEntry, handler: () => entryOf(manifest().version) },
});

/** Serial ports of modbus-serial, with binaries: the agent speaks Modbus TCP. */
const NATIVE = "serialport";

/**
 * Bundles the command.
 *
 * @param output options of Rolldown
 * @returns code of each file by name, the packages of others that are in them, and their licences
 */
export const bundleCli = async (output) => {
  const building = await rolldown({
    cwd: root,
    input: { curtail: ENTRY },
    platform: "node",
    plugins: [entry()],
    external: [/^node:/, NATIVE],
  });
  const { output: chunks } = await building.generate({ comments: { jsdoc: false }, ...output });
  await building.close();
  const thirdParties = thirdPartiesOf(chunks.flatMap(({ modules }) => Object.keys(modules)));
  return {
    files: Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
    thirdParties,
    licences: licencesOf(thirdParties),
  };
};

/**
 * One file with everything, its licences at the end.
 *
 * @returns its code, and the packages of others that are in it
 */
export const wholeCli = async () => {
  const { files, licences, thirdParties } = await bundleCli({ codeSplitting: false, entryFileNames: FILE });
  const end = licences.trim().replaceAll(/^/gm, "// ").replaceAll(/ +$/gm, "");
  return { code: `${SHEBANG}${files[FILE]}\n${end}\n`, thirdParties };
};
