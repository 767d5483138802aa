import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const SKIPPED = /^(node_modules|dist|coverage|data|data-demo|\..+)$/;
/** Written by the tests, not committed. */
const MADE = ["e2e/screenshots"];

const pathsIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? [path, ...pathsIn(path)] : [path];
    });

const paths = pathsIn(".");
// They also name files that were removed or are planned.
const UNCHECKED = ["CHANGELOG.md", "docs/handover.md"];
const documents = paths.filter((path) => path.endsWith(".md") && !UNCHECKED.includes(path));
const sources = paths.filter((path) => /\.(ts|tsx|mts|mjs)$/.test(path));
const folders = readdirSync(root).filter(
  (name) => !SKIPPED.test(name) && paths.some((path) => path.startsWith(`${name}/`)),
);

const readText = (path: string): string => readFileSync(join(root, path), "utf8");
const quotedIn = (text: string): string[] => [...text.matchAll(/`([^`\s]+)`/g)].map(([, quoted = ""]) => quoted);
const commentsOf = (code: string): string => (code.match(/(?<=^|\s)(\/\/|\/?\*+)\s.*$/gm) ?? []).join("\n");

const namesFile = (quoted: string): boolean =>
  /^[\w@*][\w@.*/-]*\.(ts|tsx|mts|mjs|sql|css|md)$/.test(quoted) ||
  folders.some((folder) => quoted.startsWith(`${folder}/`) && /^[\w@.*/-]+$/.test(quoted));

/** Names may omit parent folders: `dispatch-store.ts`, `storage/dispatch-store.ts`. */
const exists = (name: string): boolean => {
  const pattern = name.replace(/\/$/, "").replaceAll(".", "\\.").replaceAll("*", "[^/]*");
  const named = new RegExp(`(^|/)${pattern}$`);
  return MADE.includes(name) || paths.some((path) => named.test(path));
};

const missingIn = (path: string, text: string): string[] =>
  quotedIn(text)
    .filter((quoted) => namesFile(quoted) && !exists(quoted))
    .map((quoted) => `${path}: ${quoted}`);

test("every file that the documentation names exists", () => {
  expect(documents).toContain("docs/architecture.md");
  expect(documents.flatMap((path) => missingIn(path, readText(path)))).toEqual([]);
});

test("every file that the documentation links to exists", () => {
  const broken = documents.flatMap((path) =>
    // A link that begins with a slash leads to an address of the service.
    [...readText(path).matchAll(/\]\(([^)#:\s/][^)#:\s]*)(#[^)]*)?\)/g)]
      .filter(([, target = ""]) => !existsSync(join(root, dirname(path), target)))
      .map(([, target]) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("every file that a comment names exists", () => {
  expect(sources.flatMap((path) => missingIn(path, commentsOf(readText(path))))).toEqual([]);
});
