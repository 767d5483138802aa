// Proves that the linter still refuses what the layers forbid: plants one bad import of each kind and expects a fault.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const server = "packages/server/src";
const planted = [
  [`${server}/domain`, "../storage/database.js"],
  [`${server}/domain`, "@curtail/measure"],
  [`${server}/operations`, "../http/endpoint.js"],
  [`${server}/operations`, "pg"],
  [`${server}/storage`, "../http/endpoint.js"],
  [`${server}/storage/embedded`, "../../bin/serve.js"],
  [`${server}/http`, "../storage/database.js"],
  [`${server}/http/routes`, "../../storage/database.js"],
  [`${server}/delivery`, "../storage/database.js"],
  [`${server}/delivery`, "pg"],
  [`${server}/vtn`, "../storage/database.js"],
  [`${server}/vtn`, "@curtail/contract"],
  [`${server}/sandbox`, "../storage/database.js"],
  [`${server}/sandbox`, "pg"],
  [`${server}/runtime`, "../domain/dispatch.js"],
  ["packages/measure/src", "node:fs"],
  ["packages/openadr/src", "node:fs"],
  ["packages/openadr/src", "@curtail/measure"],
  ["packages/openadr/src", "libxml2-wasm/lib/nodejs.mjs"],
  ["packages/web/src", "@curtail/server"],
  ["packages/web/src/pages", "node:fs"],
  ["packages/contract/src", "pg"],
  ["packages/contract/src/operator-v1", "node:fs"],
  ["demo/src", "@curtail/server/embedded"],
  ["demo/src/load", "node:fs"],
];

const isCaught = ([folder, source]) => {
  const file = join(folder, "planted-bad-import.ts");
  writeFileSync(file, `import * as planted from "${source}";\nexport const kept = planted;\n`);
  try {
    const { stdout } = spawnSync("npx", ["--no-install", "oxlint", file], { encoding: "utf8" });
    return stdout.includes("no-restricted-imports");
  } finally {
    rmSync(file);
  }
};

const missed = planted.filter((each) => !isCaught(each));
for (const [folder, source] of missed)
  process.stderr.write(`layers: ${folder} may import ${source}, and nobody notices\n`);
process.stdout.write(`layers: ${planted.length - missed.length} of ${planted.length} planted imports are refused\n`);
process.exit(missed.length === 0 ? 0 : 1);
