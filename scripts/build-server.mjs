// Bundles the server's modules and its dependencies into a few files: loading 1,500 small ones takes half of the time
// that the service needs to start. `curtail.mjs` uses the bundle while it is current.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { bundle, isCurrent, service } from "../packages/server/bundle.mjs";
import { compiledOf, runScript, scriptOf } from "../packages/server/kept-script.mjs";

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

/** Node cannot require these. */
const imported = ["@curtail/embedded-postgres", "libxml2-wasm"];

const compiled = join(root, "packages/server/dist/app");
// As deep as the modules it is made of: they find the migrations by their own place.
const folder = dirname(bundle);
const SERVE = "./commands/serve.js";

/** With any other character, V8 takes two bytes for each of a text. An escape after a backslash would mean something else. */
const inAscii = (code) => {
  const mistaken = /\\[^\0-\x7f]/.exec(code);
  if (mistaken !== null) throw new Error(`cannot be written in ASCII: ${mistaken[0]} of ${service}`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
};

/** The service is a script of its own, since only of scripts V8's code can be kept. */
const withoutService = {
  name: "without-service",
  resolveId: (id) => (id === SERVE ? { id, external: true } : null),
};

const write = async (input, plugins, output) => {
  const building = await rolldown({ input: join(compiled, input), platform: "node", external: isApart, plugins });
  await building.write(output);
  await building.close();
};

const moduleOfService = `import { service } from "../../../../bundle.mjs";
import { runScript } from "../../../../kept-script.mjs";
${imported.map((name, at) => `import * as module${at} from "${name}";`).join("\n")}

const modules = { ${imported.map((name, at) => `"${name}": module${at}`).join(", ")} };

export const { serve } = runScript(service, modules);
`;

/** Also what runs when it is loaded, which V8 compiles only then. */
const keepCompiled = async () => {
  const loaded = await Promise.all(imported.map(async (name) => [name, await import(name)]));
  const script = scriptOf(service);
  runScript(service, Object.fromEntries(loaded), script);
  writeFileSync(compiledOf(service), script.createCachedData());
};

if (!isCurrent()) {
  rmSync(folder, { recursive: true, force: true });
  await write(SERVE, [], { file: service, format: "cjs" });
  writeFileSync(service, inAscii(readFileSync(service, "utf8")));
  mkdirSync(dirname(join(folder, SERVE)), { recursive: true });
  writeFileSync(join(folder, SERVE), moduleOfService);
  await keepCompiled();
  const names = { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" };
  // Last: with it the bundle is complete.
  await write("curtail.js", [withoutService], { dir: folder, format: "esm", ...names });
}
