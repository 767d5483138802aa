import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { versionBefore } from "./support/version-before.js";
import { type WorkspaceCopy, workspaceCopy } from "./support/workspace-copy.js";

interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Lockfile {
  readonly packages: Readonly<Record<string, Manifest>>;
}

const lockfileOf = (text: string): Lockfile => JSON.parse(text) as Lockfile;
const { packages } = lockfileOf(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"));
const workspaces = Object.keys(packages).filter((path) => path !== "" && !path.includes("node_modules/"));
const manifests = workspaces.map((folder) => join(folder, "package.json"));
const current = packages["packages/server"]?.version ?? "none";
const NEXT = "99.0.1";

const NOTES =
  "### Before you upgrade\n\n1. server: **Set `X`.** It has no default.\n\n### Changes\n\n- api: More.\n- server: Faster.\n";
const RELEASED = `## ${current} (2026-11-22)\n\n### Changes\n\n- server: First.\n`;
const CHANGELOG = `# Changelog\n\n## Unreleased\n\n${NOTES}\n${RELEASED}`;

/** A workspace for a release, with this changelog. */
const copyWith = async (changelog: string): Promise<WorkspaceCopy> => {
  const copy = await workspaceCopy([
    "package.json",
    "package-lock.json",
    ...["release", "changelog", "licences", "sbom", "shipped-packages"].map((name) => `scripts/${name}.mjs`),
    ...manifests,
  ]);
  writeFileSync(join(copy.path, "CHANGELOG.md"), changelog);
  writeFileSync(join(copy.path, ".gitignore"), "node_modules\n");
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(copy.path, "node_modules"));
  copy.git("add", "--all");
  copy.git("commit", "--quiet", "--message", "changelog: begin");
  copy.git("tag", `v${current}`);
  return copy;
};

const release = ({ path }: WorkspaceCopy, version: string) =>
  spawnSync(process.execPath, ["scripts/release.mjs", version], { cwd: path, encoding: "utf8" });

const ours = ({ dependencies, devDependencies }: Manifest): string[] =>
  Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, range]) =>
    name.startsWith("@curtail/") ? [range] : [],
  );

const readIn = ({ path }: WorkspaceCopy, name: string): string => readFileSync(join(path, name), "utf8");

test("a release sets the version of every package, including in its dependents and the lockfile", async () => {
  const copy = await copyWith(CHANGELOG);
  expect(release(copy, NEXT).status).toBe(0);
  const lock = lockfileOf(readIn(copy, "package-lock.json")).packages;
  for (const folder of workspaces) {
    const manifest = JSON.parse(readIn(copy, join(folder, "package.json"))) as Manifest;
    for (const found of [manifest, lock[folder] ?? manifest])
      expect(
        [found.version, ...ours(found)].filter((version) => version !== NEXT),
        folder,
      ).toEqual([]);
  }
});

test("a release dates the changelog, commits, tags, and prints the notes", async () => {
  const copy = await copyWith(CHANGELOG);
  const { stdout, stderr } = release(copy, NEXT);
  expect(stderr).toContain(`v${NEXT}`);
  expect(stdout).toBe(NOTES);
  const day = new Date().toISOString().slice(0, 10);
  expect(readIn(copy, "CHANGELOG.md")).toBe(
    CHANGELOG.replace("## Unreleased\n", `## Unreleased\n\n## ${NEXT} (${day})\n`),
  );
  expect(copy.git("status", "--porcelain")).toBe("");
  expect(copy.git("describe", "--exact-match")).toBe(`v${NEXT}`);
  expect(copy.git("tag", "--list", "--format=%(contents)", `v${NEXT}`)).toBe(`v${NEXT}\n\n${stdout.trim()}`);
});

test("a release changes versions and nothing else in the manifests and the lockfile", async () => {
  const copy = await copyWith(CHANGELOG);
  expect(release(copy, NEXT).status).toBe(0);
  const changed = copy.git("diff", "--unified=0", "HEAD~1", "--", "*.json", ":!sbom.cdx.json").split("\n");
  const added = changed.filter((line) => line.startsWith("+ "));
  expect(added.filter((line) => !/^\+ +"(version|@curtail\/[a-z0-9-]+)": "99\.0\.1",?$/.test(line))).toEqual([]);
  expect(changed.filter((line) => line.startsWith("- "))).toHaveLength(added.length);
});

test("a release has its bill of materials", async () => {
  const copy = await copyWith(CHANGELOG);
  expect(release(copy, NEXT).status).toBe(0);
  expect(JSON.parse(copy.git("show", `v${NEXT}:sbom.cdx.json`))).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    metadata: { component: { name: "curtail", version: NEXT } },
    components: expect.arrayContaining([
      expect.objectContaining({ purl: `pkg:npm/%40curtail/server@${NEXT}` }),
      expect.objectContaining({ purl: expect.stringMatching(/^pkg:npm\/fastify@/) }),
    ]),
  });
});

test("a release is refused if a package of it is under a licence that is not accepted", async () => {
  const copy = await copyWith(CHANGELOG);
  const lock = lockfileOf(readIn(copy, "package-lock.json"));
  const fastify = { ...lock.packages["node_modules/fastify"], license: "AGPL-3.0-only" };
  const changed = { ...lock, packages: { ...lock.packages, "node_modules/fastify": fastify } };
  writeFileSync(join(copy.path, "package-lock.json"), JSON.stringify(changed));
  copy.git("commit", "--quiet", "--all", "--message", "all: change the licence");
  const { status, stderr } = release(copy, NEXT);
  expect(stderr).toContain("is under AGPL-3.0-only");
  expect(status).toBe(1);
  expect(copy.git("status", "--porcelain")).toBe("");
});

test("a release is refused if it is no newer version, the changelog is empty, or the tree has changes", async () => {
  const copy = await copyWith(CHANGELOG);
  const before = copy.git("rev-parse", "HEAD");
  expect(release(copy, "").stderr).toContain("npm run release -- 0.1.1");
  expect(release(copy, "v99.0.1").stderr).toContain("npm run release -- 0.1.1");
  expect(release(copy, current).stderr).toContain(`not newer than ${current}`);
  expect(release(copy, "0.0.99").stderr).toContain(`not newer than ${current}`);
  copy.git("tag", `v${NEXT}`);
  expect(release(copy, NEXT).stderr).toContain(`v${NEXT} exists`);
  copy.git("tag", "--delete", `v${NEXT}`);
  writeFileSync(join(copy.path, "left.txt"), "");
  const { status, stderr } = release(copy, NEXT);
  expect(stderr).toContain("has changes");
  expect(status).toBe(1);
  expect(copy.git("rev-parse", "HEAD")).toBe(before);

  const empty = await copyWith(`# Changelog\n\n## Unreleased\n\n${RELEASED}`);
  expect(release(empty, NEXT).stderr).toContain("nothing under Unreleased");
  expect(empty.git("status", "--porcelain")).toBe("");
});

test("a release is refused if the changelog has another form", async () => {
  const copy = await copyWith(CHANGELOG.replace("- server: Faster.", "- Faster."));
  const { status, stderr } = release(copy, NEXT);
  expect(stderr).toContain("correct CHANGELOG.md first:\n- Faster.: write an item as one line");
  expect(status).toBe(1);
  expect(copy.git("status", "--porcelain")).toBe("");
});

test("an upgrade starts from the newest release that is not this commit", async () => {
  const copy = await copyWith(CHANGELOG);
  expect(versionBefore(copy.path)).toMatch(/^[0-9a-f]{40}$/);
  release(copy, NEXT);
  expect(versionBefore(copy.path)).toBe(`v${current}`);
  copy.git("commit", "--quiet", "--allow-empty", "--message", "all: go on");
  expect(versionBefore(copy.path)).toBe(`v${NEXT}`);
});
