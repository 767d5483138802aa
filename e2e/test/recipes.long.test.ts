import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { additions } from "./support/example-additions.js";
import { complaints, installedCopy } from "./support/installed-copy.js";
import type { WorkspaceCopy } from "./support/workspace-copy.js";

const page = readFileSync(fileURLToPath(new URL("../../docs/adding.md", import.meta.url)), "utf8");
const names = Object.keys(additions);
/** Everything is compiled once, beside other tests. */
const LONGEST_MS = 600_000;

const sectionOf = (name: string): string =>
  page.split("\n## ").find((section) => section.startsWith(`${name}\n`)) ?? "";

/** A file that a section names, or whose folder it names. */
const isNamed = (section: string, file: string): boolean =>
  section.includes(basename(file)) ||
  section.includes(dirname(file).replace("packages/server/src/", "")) ||
  (file.includes("/migrations/") && /migration/i.test(section)) ||
  (file.includes("/followers/") && section.includes("<module>/followers/NAME.ts")) ||
  (file.startsWith("packages/server/src/notification/channels/") && section.includes("notification/channels"));

let copy: WorkspaceCopy;
const written: Record<string, readonly string[]> = {};

beforeAll(async () => {
  copy = await installedCopy();
  for (const name of names) {
    additions[name]?.(copy);
    copy.git("add", "--all");
    written[name] = copy.git("diff", "--cached", "--name-only").split("\n");
    copy.git("commit", "--quiet", "--message", `all: add ${name}`);
  }
}, LONGEST_MS);

test.each(names)("%s takes the files that docs/adding.md names, and no other", (name) => {
  const files = written[name] ?? [];
  expect(files.length).toBeGreaterThan(2);
  expect(files.filter((file) => !isNamed(sectionOf(name), file))).toEqual([]);
});

describe("what was added", () => {
  test("compiles, after the commands that the page names", { timeout: LONGEST_MS }, () => {
    const tsc = "node_modules/typescript/bin/tsc";
    const steps = [
      [tsc, "-b", "packages/contract", "packages/embedded-postgres"],
      ["packages/contract/dist/write-openapi.js"],
      ["scripts/write-rows.mjs"],
      [tsc, "-b", "packages/server", "packages/testing", "packages/web"],
    ] as const;
    for (const [command, ...args] of steps) expect(complaints(copy, command, ...args)).toBe("");
  });

  test("is in every list, and works", { timeout: LONGEST_MS }, () => {
    const tests = [
      "contract/test/channels",
      "contract/test/alarms",
      "server/test/notification/channels",
      "server/test/notification/http/every-channel",
      "server/test/oversight/http/sites-missing",
      "server/test/dispatch/http/remark",
      "server/test/platform/worker/follower-worker",
    ];
    const vitest = "node_modules/vitest/vitest.mjs";
    expect(complaints(copy, vitest, "run", ...tests.map((name) => `packages/${name}`))).toBe("");
    const changed = copy.git("diff", "--", "docs/admin.md");
    for (const name of ["pager", "sites_missing"]) expect(changed).toContain(`+| \`${name}\``);
  });
});
