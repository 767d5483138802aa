// Finds the binary of Node's newest line with long-term support, to test with it.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";

/** A new line gets long-term support every October. */
export const NEWEST_LTS = 26;
const LONGEST_DOWNLOAD_MS = 60_000;

/** Path of the binary, from npm's cache or the registry; null if it is not available. */
export const newestLts = () => {
  // The platform's package: the package `node` would download it in a script, which our npm settings forbid.
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
