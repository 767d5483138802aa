import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const folder = new URL("..", import.meta.url);

test("the example of the README prints what the README says", async () => {
  const readme = await readFile(new URL("README.md", folder), "utf8");
  const block = (language: string): string => readme.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
  const node = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", block("js")], { cwd: folder });
  expect((await node).stdout).toBe(block("text"));
});
