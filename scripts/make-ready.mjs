// Makes a checkout ready to run. Needs only Node and npm, so that `npm start` and `npm test` work on a fresh clone.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = `${root}/node_modules/.curtail-installed`;

const run = (command, args) => {
  // Standard output belongs to the command that follows; installing and building use standard error.
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    process.stderr.write(`curtail: ${command} ${args.join(" ")} failed${error ? `: ${error.message}` : ""}\n`);
    process.exit(1);
  }
};

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`curtail: Node ${process.versions.node} is too old; install Node 20.19 or newer\n`);
  process.exit(1);
}

/** What `npm start` runs and hands out: the rest, most of it tests, takes longer to compile than the service. */
export const THE_SERVICE = ["packages/server", "packages/docs", "packages/node-red"];

/**
 * Installs the lockfile's packages if missing or outdated, then builds.
 *
 * @param projects those to compile, with what they need; default: all
 */
export const makeReady = (projects = []) => {
  // Tests start the service in their own checkout: nothing there may be installed or built meanwhile.
  if (process.env.CHECKOUT_IS_READY === "1") return;
  const lock = createHash("sha256")
    .update(readFileSync(`${root}/package-lock.json`))
    .digest("hex");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
    run("npm", ["ci", "--no-audit", "--no-fund", "--prefer-offline"]);
    writeFileSync(stamp, lock);
  }
  run(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, "-b", ...projects]);
  run(process.execPath, [`${root}/scripts/build-server.mjs`]);
  run(process.execPath, [`${root}/scripts/build-web.mjs`]);
  run(process.execPath, [`${root}/scripts/build-docs.mjs`]);
  run(process.execPath, [`${root}/scripts/build-downloads.mjs`]);
  run(process.execPath, [`${root}/scripts/build-notices.mjs`]);
};
