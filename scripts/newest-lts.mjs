// Finds the binary of Node's newest line with long-term support, for tests on it.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";

/** A new line gets long-term support every October. */
export const NEWEST_LTS = 26;
const LONGEST_DOWNLOAD_MS = 60_000;

/** Its path, from npm's cache or the registry; null if it cannot be had. */
export const newestLts = () => {
  // The package of the platform: the package `node` would download it in a script, which our settings of npm forbid.
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@${NEWEST_LTS}`;
  const args = ["--yes", "--prefer-offline", "--fetch-retries=0", "--package", name, "--", "node", "-p"];
  const { status, stdout } = spawnSync("npx", [...args, "process.execPath"], {
    cwd: tmpdir(),
    encoding: "utf8",
    timeout: LONGEST_DOWNLOAD_MS,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return status === 0 ? stdout.trim() : null;
};
