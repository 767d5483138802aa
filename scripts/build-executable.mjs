// The command with Node in it, for the platform that it is built on: Node's single executable application.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import postject from "postject";
import { wholeCli } from "./bundle-cli.mjs";

const SENTINEL = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const isMac = process.platform === "darwin";

/** Whether this Node can be copied: those of some distributions are small programs with a shared library. */
export const isPossible = () => readFileSync(process.execPath).includes(SENTINEL);

/** What Node runs in place of its own command line: the command, with its code cache for this version of Node. */
const blobIn = async (folder) => {
  const main = join(folder, "curtail.cjs");
  const output = join(folder, "curtail.blob");
  const config = join(folder, "sea.json");
  writeFileSync(main, await wholeCli("cjs"));
  writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true, useCodeCache: true }));
  execFileSync(process.execPath, ["--experimental-sea-config", config], { stdio: "pipe" });
  return readFileSync(output);
};

/** A copy of this Node without its symbols, where `strip` is installed; an Apple signature would not fit any more. */
const copyNode = (program) => {
  copyFileSync(process.execPath, program);
  chmodSync(program, 0o755);
  if (isMac) execFileSync("codesign", ["--remove-signature", program]);
  else spawnSync("strip", [program], { stdio: "ignore" });
};

/**
 * Writes the command as a program that needs no Node.
 *
 * @returns path of the program
 */
export const writeExecutable = async (into) => {
  if (!isPossible()) throw new Error(`${process.execPath} cannot be copied; use Node of https://nodejs.org`);
  mkdirSync(into, { recursive: true });
  const program = join(resolve(into), process.platform === "win32" ? "curtail.exe" : "curtail");
  const folder = mkdtempSync(join(tmpdir(), "curtail-executable-"));
  try {
    const blob = await blobIn(folder);
    copyNode(program);
    await postject.inject(program, "NODE_SEA_BLOB", blob, {
      sentinelFuse: SENTINEL,
      ...(isMac ? { machoSegmentName: "NODE_SEA" } : {}),
    });
    if (isMac) execFileSync("codesign", ["--sign", "-", program]);
    return program;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
