import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lockfileFaults } from "../../scripts/check-lockfile.mjs";

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

/** The folder of each package of the workspace, as the lockfile lists them. */
const workspaces = Object.keys((JSON.parse(read("package-lock.json")) as { packages: object }).packages).filter(
  (path) => path !== "" && !path.includes("node_modules/"),
);

const faultsOf = (name: string, entry: Parameters<typeof lockfileFaults>[0]["packages"][string]): string[] =>
  lockfileFaults({ packages: { "": {}, "packages/server": {}, [`node_modules/${name}`]: entry } });

test("the lockfile has a hash for every package that could have one, and names no registry", () => {
  expect(lockfileFaults(JSON.parse(read("package-lock.json")))).toEqual([]);
});

test("installing runs no scripts of packages", () => {
  expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
});

test.for(workspaces)("%s cannot be published by accident", (folder) => {
  expect(JSON.parse(read(`${folder}/package.json`))).toMatchObject({ private: true });
});

test("a package without a hash is found, and so is one that names a host", () => {
  expect(faultsOf("left-pad", { version: "1.3.0" })).toEqual(["left-pad has no hash"]);
  const resolved = "https://registry.example/left-pad-1.3.0.tgz";
  expect(faultsOf("left-pad", { integrity: "sha512-x", resolved })).toEqual([
    `left-pad names where it came from: ${resolved}`,
  ]);
});

test("a binary without a hash is accepted only for another platform, and only from the known families", () => {
  const darwin = { optional: true, os: ["darwin"], cpu: ["arm64"] };
  expect(faultsOf("@oxlint/binding-darwin-arm64", darwin)).toEqual([]);
  expect(faultsOf("@oxlint/binding-darwin-arm64", { ...darwin, optional: false })).toHaveLength(1);
  expect(faultsOf("@oxlint/binding-linux-x64-gnu", { ...darwin, os: ["linux"], cpu: ["x64"] })).toHaveLength(1);
  expect(faultsOf("@evil/binding-darwin-arm64", darwin)).toHaveLength(1);
});
