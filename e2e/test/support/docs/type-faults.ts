import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type CodeBlock, root } from "@curtail/docs";

const run = promisify(execFile);

/** Languages that TypeScript checks, with the ending of their files. */
export const TYPED: Readonly<Record<string, string>> = { js: "mjs", mjs: "mjs", ts: "mts", typescript: "mts" };

const options = {
  strict: true,
  module: "nodenext",
  target: "es2024",
  types: ["node"],
  allowJs: true,
  checkJs: true,
  noEmit: true,
  skipLibCheck: true,
};

/** What strict TypeScript says of blocks, by page and line. JavaScript is checked, too: programs in TypeScript copy it. */
export const typeFaults = async (blocks: readonly CodeBlock[]): Promise<readonly string[]> => {
  // Below the workspace, so that its packages are found.
  const folder = mkdtempSync(join(root, "e2e", "dist", "docs-types-"));
  try {
    const files = blocks.map(({ language }, at) => `block-${at}.${TYPED[language] ?? "mts"}`);
    for (const [at, name] of files.entries()) writeFileSync(join(folder, name), blocks[at]?.text ?? "");
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files }));
    const ended = await run(join(root, "node_modules/.bin/tsc"), ["-p", ".", "--pretty", "false"], {
      cwd: folder,
    }).catch((error: { readonly stdout: string }) => error);
    return ended.stdout.split("\n").flatMap((line) => placed(line, blocks));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const placed = (line: string, blocks: readonly CodeBlock[]): readonly string[] => {
  const [, at, row, message] = /^block-(\d+)\.\w+\((\d+),\d+\): (.*)/.exec(line) ?? [];
  const block = blocks[Number(at)];
  if (block !== undefined) return [`${block.page}:${block.line + Number(row) - 1}: ${message}`];
  // What follows a fault is indented.
  return line === "" || line.startsWith(" ") ? [] : [line];
};
