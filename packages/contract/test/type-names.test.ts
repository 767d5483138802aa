import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const packages = fileURLToPath(new URL("../../", import.meta.url));

const sourcesOf = (name: string): string[] =>
  readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(packages, name, "src", path));

const exportedTypes = (path: string): string[] =>
  [...readFileSync(path, "utf8").matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm)].map(
    ([, type = ""]) => type,
  );

/** Versions of an interface have the same types. */
const names = readdirSync(packages).filter((name) => name !== "contract");

test("an exported type has a name of its own in its package", () => {
  const shared = names.flatMap((name) => {
    const types = sourcesOf(name).flatMap(exportedTypes);
    const repeated = types.filter((type, index) => types.indexOf(type) !== index);
    return [...new Set(repeated)].map((type) => `${name}: ${type}`);
  });
  expect(names).toContain("server");
  expect(shared).toEqual([]);
});
