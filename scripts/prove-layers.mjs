// Verifies that the linter refuses what the layers forbid: plants one bad import of each kind and expects a fault.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SHARED_FILES } from "./shared-files.mjs";

const server = "packages/server/src";
const planted = [
  // The order of modules.
  [`${server}/platform`, "../access/domain/account.js"],
  [`${server}/platform/database`, "../../dispatch/domain/dispatch.js"],
  [`${server}/access/operations`, "../../dispatch/domain/dispatch.js"],
  [`${server}/dispatch/storage`, "../../notification/storage/webhook-store.js"],
  [`${server}/telemetry/operations`, "../../performance/operations/measurement-ports.js"],
  [`${server}/oversight/http`, "../../app/stores.js"],
  [`${server}/sandbox/operations`, "../../demo/operations/fleet.js"],
  // What a module exposes to others.
  [`${server}/dispatch/domain`, "../../portfolio/operations/site-ports.js"],
  [`${server}/dispatch/operations`, "../../portfolio/storage/site-store.js"],
  [`${server}/dispatch/http`, "../../portfolio/storage/site-store.js"],
  [`${server}/notification/worker`, "../../dispatch/storage/notice-store.js"],
  [`${server}/notification/storage`, "../../dispatch/http/wire-dispatch.js"],
  [`${server}/notification/storage`, "../../dispatch/storage/dispatch-store.js"],
  [`${server}/oversight/storage/alarms`, "../../../notification/storage/webhook-store.js"],
  [`${server}/sandbox/http`, "../../dispatch/http/operator-dispatch.js"],
  // The layers of a module.
  [`${server}/dispatch/domain`, "../storage/dispatch-store.js"],
  [`${server}/dispatch/domain`, "@curtail/measure"],
  [`${server}/dispatch/operations`, "../http/wire-dispatch.js"],
  [`${server}/dispatch/operations`, "pg"],
  [`${server}/performance/operations/final`, "../../storage/performance-store.js"],
  [`${server}/performance/operations/live`, "../final/finish-performance.js"],
  [`${server}/performance/operations/final`, "../report/view-report.js"],
  [`${server}/app/routes`, "../wire.js"],
  [`${server}/app/wire`, "../commands/serve.js"],
  [`${server}/dispatch/storage`, "../http/wire-dispatch.js"],
  [`${server}/dispatch/http`, "../storage/dispatch-store.js"],
  [`${server}/access/caller`, "../storage/account-store.js"],
  [`${server}/notification/worker`, "../storage/delivery-queue.js"],
  [`${server}/notification/worker`, "pg"],
  [`${server}/openadr/vtn`, "../storage/ven-store.js"],
  [`${server}/openadr-3/followers`, "../storage/projection-sources.js"],
  [`${server}/openadr-3/followers`, "../../platform/database/follower-store.js"],
  [`${server}/openadr/vtn`, "@curtail/contract"],
  [`${server}/openadr/operations`, "../../openadr-3/domain/client.js"],
  [`${server}/openadr-3/operations`, "@curtail/openadr"],
  [`${server}/openadr-3/http`, "@curtail/openadr"],
  [`${server}/openadr-3/domain`, "@curtail/openadr-3"],
  // The platform.
  [`${server}/platform`, "./database/database.js"],
  [`${server}/platform`, "@curtail/contract"],
  [`${server}/platform`, "@curtail/web"],
  [`${server}/platform/http`, "@curtail/words"],
  [`${server}/notification/domain`, "@curtail/words"],
  [`${server}/notification/worker`, "@curtail/words"],
  [`${server}/platform/runtime`, "../http/endpoint.js"],
  [`${server}/dispatch/http`, "../../platform/database/database.js"],
  [`${server}/dispatch/operations`, "../../platform/outbound/post-attempt.js"],
  ["packages/measure/src", "node:fs"],
  ["packages/meter-data/src", "node:fs"],
  ["packages/meter-data/src", "@curtail/measure"],
  ["packages/words/src", "@curtail/contract"],
  ["packages/words/src", "typebox"],
  ["packages/holidays/src", "node:fs"],
  ["packages/holidays/src", "@curtail/measure"],
  ["packages/openadr/src", "node:fs"],
  ["packages/openadr/src", "@curtail/measure"],
  ["packages/openadr/src", "libxml2-wasm/lib/nodejs.mjs"],
  ["packages/openadr-3/src", "node:fs"],
  ["packages/openadr-3/src", "@curtail/contract"],
  ["packages/openadr-3/src", "@curtail/openadr"],
  ["packages/client/src", "@curtail/contract"],
  ["packages/client/src", "@curtail/cli"],
  ["packages/client/src", "node:http"],
  ["packages/client/src", "typebox"],
  ["packages/client/src", "../../testing/src/at-end.js"],
  ["packages/cli/src", "@curtail/server"],
  ["packages/cli/src", "@curtail/cli"],
  ["packages/cli/src", "pg"],
  ["packages/cli/src", "../../server/src/platform/runtime/config.js"],
  ["packages/embedded-postgres/src", "@curtail/contract"],
  ["packages/embedded-postgres/src", "pino"],
  ["packages/embedded-postgres/src", "../../server/src/platform/database/database.js"],
  ["packages/testing/src", "@curtail/server/send-webhook"],
  ["packages/testing/src", "../../server/src/platform/database/database.js"],
  ["packages/web/src", "@curtail/server"],
  ["packages/web/src", "@curtail/cli"],
  ["packages/web/src", "@curtail/words"],
  ["packages/web/src/rules", "@curtail/words/catalogues"],
  ["packages/web/src/pages", "node:fs"],
  ["packages/web/src/ui", "../api/call.js"],
  ["packages/web/src/ui", "@curtail/contract"],
  ["packages/web/src/format", "react"],
  ["packages/web/src/rules", "react"],
  ["packages/web/src/rules", "../ui/badge.js"],
  ["packages/web/src/rules", "@curtail/server"],
  ["packages/web/src/rules", "@curtail/contract"],
  ["packages/web/src/parts", "@curtail/contract"],
  ["packages/contract/src", "pg"],
  ["packages/contract/src/operator-v1", "node:fs"],
  ["demo/src", "@curtail/embedded-postgres"],
  ["demo/src", "@curtail/cli"],
  ["demo/src", "@curtail/server"],
  ["packages/simulation/src", "node:fs"],
  ["packages/simulation/src", "@curtail/contract"],
];

/** Types that need each other count, too: a reader of one has to read both. */
const circles = ["packages/web/src/pages", `${server}/dispatch/domain`];

// Each fault has files of its own, so that the linter starts only once.
const importing = planted.map(([folder, source], index) => ({
  rule: "no-restricted-imports",
  missed: `${folder} may import ${source}`,
  files: {
    [join(folder, `planted-${index}.ts`)]: `import * as planted from "${source}";\nexport const kept = planted;\n`,
  },
}));
const circling = circles.map((folder) => ({
  rule: "no-cycle",
  missed: `types in ${folder} may form a circle`,
  files: {
    [join(folder, "planted-a.ts")]: half("A", "B"),
    [join(folder, "planted-b.ts")]: half("B", "A"),
  },
}));
const faults = [...importing, ...circling];

function half(own, other) {
  const from = `./planted-${other.toLowerCase()}.js`;
  return `import type { ${other} } from "${from}";\nexport interface ${own} {\n  readonly other: ${other} | null;\n}\n`;
}

/** What the linter refuses of the planted files, as `rule(file)`. */
const refused = () => {
  const files = faults.flatMap((each) => Object.entries(each.files));
  const args = ["--no-install", "oxlint", "-c", "oxlint.config.mjs", "--format=json", ...files.map(([file]) => file)];
  try {
    for (const [file, text] of files) writeFileSync(file, text);
    const { diagnostics } = JSON.parse(spawnSync("npx", args, { encoding: "utf8" }).stdout);
    return diagnostics.map(({ code, filename }) => `${code} in ${filename}`);
  } finally {
    for (const [file] of files) rmSync(file, { force: true });
  }
};

const found = refused();
const isMissed = ({ rule, files }) =>
  !Object.keys(files).some((file) => found.some((each) => each.endsWith(`(${rule}) in ${file}`)));
const isImported = (file) => {
  const [module] = file.split("/");
  const others = [`${server}/*.ts`, `:!${server}/${module}/`, `:!${server}/app/`];
  const from = `from "(\\.\\./)+${file.replace(/\.ts$/, "\\.js")}"`;
  return spawnSync("git", ["grep", "--quiet", "--extended-regexp", from, "--", ...others]).status === 0;
};
const idle = Object.keys(SHARED_FILES).filter((file) => !isImported(file));
for (const file of idle)
  process.stderr.write(`layers: no other module imports ${file}; take it out of shared-files.mjs\n`);

const missed = faults.filter(isMissed);
for (const each of missed) process.stderr.write(`layers: ${each.missed}, and nobody notices\n`);
process.stdout.write(`layers: ${faults.length - missed.length} of ${faults.length} planted faults are refused\n`);
process.exit(missed.length + idle.length === 0 ? 0 : 1);
