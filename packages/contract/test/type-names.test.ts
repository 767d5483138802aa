import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const src = fileURLToPath(new URL("../../src", import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));

/** Names that still have two meanings each. */
const AMBIGUOUS = ["Account", "CalendarPorts", "Claim", "RowOf"];

const exportedTypes = (path: string): string[] =>
  [...readFileSync(join(src, path), "utf8").matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );

test("an exported type has a name of its own", () => {
  const filesOf = new Map<string, string[]>();
  for (const path of files)
    for (const name of exportedTypes(path)) filesOf.set(name, [...(filesOf.get(name) ?? []), path]);
  expect(filesOf.size).toBeGreaterThan(1000);
  const shared = [...filesOf].filter(([, paths]) => paths.length > 1).map(([name]) => name);
  expect(shared.sort()).toEqual(AMBIGUOUS);
});
