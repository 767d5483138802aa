import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { root } from "@curtail/docs";
import { describe, expect, test } from "vitest";
import { isLong, matchesAny, testFiles } from "../../scripts/globs.mjs";
import { PARTS, partsFor, partsOf } from "../../scripts/long-parts.mjs";

const longFiles = testFiles().filter(isLong);
/** An archive of the checkout has no git; its files are not listed then. */
const tracked = (): readonly string[] | null => {
  try {
    const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return listed.trim().split("\n");
  } catch {
    return null;
  }
};
const files = tracked();
const namesOf = (parts: typeof PARTS): readonly string[] => parts.map(({ name }) => name);
const afterA = (change: string): readonly string[] => namesOf(partsFor({ changed: [change], isWhole: false }));

describe("the parts of the long lane", () => {
  test("have each long test file once", () => {
    expect(longFiles.length).toBeGreaterThan(100);
    expect(longFiles.filter((file) => partsOf(file).length !== 1)).toEqual([]);
  });

  test("have names that differ, and no file of the other lane", () => {
    expect(new Set(namesOf(PARTS)).size).toBe(PARTS.length);
    expect(testFiles().filter((file) => !isLong(file) && partsOf(file).length > 0)).toEqual([]);
  });

  test.skipIf(files === null)("name tests and sources that exist", () => {
    const missing = PARTS.flatMap(({ name, tests, sources }) =>
      [...tests, ...sources]
        .filter((glob) => !files?.some((file) => matchesAny(file, [glob])))
        .map((glob) => `${name}: ${glob}`),
    );
    expect(missing).toEqual([]);
  });

  test.skipIf(files === null)("are for the sources of every module of the server, and of every package", () => {
    // Random tests concern all sources: a part of its own is asked for.
    const globs = PARTS.filter(({ tests }) => tests.length > 0).flatMap(({ sources }) => sources);
    const modules = readdirSync(`${root}/packages/server/src`).map((name) => `packages/server/src/${name}/`);
    const packages = readdirSync(`${root}/packages`).map((name) => `packages/${name}/src/`);
    const tested = (folder: string) => files?.some((file) => file.startsWith(folder) && matchesAny(file, globs));
    expect([...modules, ...packages].filter((folder) => !tested(folder))).toEqual([]);
  });
});

describe("of the long lane run", () => {
  test("those whose sources changed", () => {
    expect(afterA("packages/embedded-postgres/src/postmaster.ts")).toEqual(["starts-and-stops"]);
    expect(afterA("packages/web/src/pages/dashboard/now.tsx")).toEqual(["pages-of-participants"]);
    expect(afterA("docs/agent.md")).toEqual(["documentation"]);
    expect(afterA("packages/server/migrations/0001_initial.sql")).toEqual(
      expect.arrayContaining(["kills-of-readings", "kills-of-notices", "upgrade", "backup", "buffers"]),
    );
  });

  test("those of whose tests one changed", () => {
    expect(longFiles.filter((file) => !afterA(file).includes(partsOf(file)[0] ?? ""))).toEqual([]);
  });

  test("those of whose tests one imports what changed in their support", () => {
    expect(afterA("packages/server/test/support/statement-story.ts")).toEqual(["results"]);
    expect(afterA("packages/server/test/support/ven-rules.ts")).toEqual(["vens"]);
    expect(afterA("packages/server/test/support/running.ts")).toEqual(
      expect.arrayContaining(["openadr-3", "requests", "readings", "results", "notices"]),
    );
    // Its users are files of support themselves.
    expect(afterA("packages/server/test/support/kept-client.ts")).toEqual([]);
  });

  test("of other parts, the files that import a source that changed", () => {
    const changed = ["packages/server/src/notification/domain/delivery.ts"];
    const races = partsFor({ changed, isWhole: false }).find(({ name }) => name === "races");
    expect(races?.tests).toEqual(["packages/server/test/notification/storage/delivery-race.long.test.ts"]);
  });

  test("none where nothing changed, or nothing that they test", () => {
    expect(partsFor({ changed: [], isWhole: false })).toEqual([]);
    expect(afterA("docs/decisions/0001-plain-sql.md")).toEqual([]);
  });

  test("all where nobody knows what changed, or where the commit asks for it", () => {
    expect(partsFor({ changed: [], isWhole: true })).toEqual(PARTS);
    // But what takes longest, which is asked for.
    expect(namesOf(PARTS.filter(({ isLongest }) => isLongest))).toEqual(["random-search"]);
    expect(partsFor({ changed: null, isWhole: false })).toEqual(PARTS.filter(({ isLongest }) => isLongest !== true));
  });
});

test.for([
  ["a/b.ts", "a/*.ts", true],
  ["a/b/c.ts", "a/*.ts", false],
  ["a/b/c.ts", "a/**", true],
  ["a/c.ts", "a/**/c.ts", true],
  ["a/b/b/c.ts", "a/**/c.ts", true],
  ["a/b.ts", "a/{b,c}.ts", true],
  ["a/bxts", "a/b.ts", false],
  ["x/a/b.ts", "a/b.ts", false],
  ["a/b.ts", "{a,b/**}/b.ts", true],
] as const)("%s is named by %s: %s", ([path, glob, isNamed]) => {
  expect(matchesAny(path, [glob])).toBe(isNamed);
});
