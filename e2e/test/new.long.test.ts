import { spawnSync } from "node:child_process";
import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type WorkspaceCopy, workspaceCopy } from "./support/workspace-copy.js";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
/** For ten programs, one after the other, on a machine that is busy with other tests. */
const LONGEST_MS = 120_000;
const SETTINGS = ["oxlint.config.mjs", ".oxlintrc.json", "biome.json", "tsconfig.base.json", ".gitignore"];
const SOURCES = ["src", "test/support", "migrations", "package.json"].map((name) => `packages/server/${name}`);

const copied = async (): Promise<WorkspaceCopy> => {
  const copy = await workspaceCopy(["package.json", "scripts", ...SETTINGS, ...SOURCES]);
  symlinkSync(modules, join(copy.path, "node_modules"));
  return copy;
};

const run = ({ path }: WorkspaceCopy, command: string, ...args: string[]) =>
  spawnSync(process.execPath, [command, ...args], { cwd: path, encoding: "utf8" });

const write = (copy: WorkspaceCopy, ...args: string[]) => run(copy, "scripts/new.mjs", ...args);

/** The complaints of one of the repository's tools about files; empty if it has none. */
const objections = (copy: WorkspaceCopy, tool: string, ...args: string[]): string => {
  const { status, stdout, stderr } = run(copy, join(modules, tool), ...args);
  return status === 0 ? "" : `${tool}: ${stdout}${stderr}`;
};

const checkTypes = (copy: WorkspaceCopy, files: readonly string[]): string => {
  const compilerOptions = { composite: false, noEmit: true };
  const config = { extends: "./tsconfig.base.json", compilerOptions, files };
  writeFileSync(join(copy.path, "tsconfig.json"), JSON.stringify(config));
  return objections(copy, "typescript/bin/tsc", "-p", "tsconfig.json");
};

const newFiles = (copy: WorkspaceCopy): string[] =>
  copy.git("ls-files", "--others", "--exclude-standard", "packages").split("\n");

test(
  "a new module, operations and a migration compile, pass the linter, the formatter and their tests",
  async () => {
    const copy = await copied();
    const operations = ["dispatch/end-every-dispatch-of-an-account", "access/close-account", "spare-parts/order-part"];
    expect(write(copy, "module", "spare-parts")).toMatchObject({ status: 0, stderr: "" });
    for (const name of operations) expect(write(copy, "operation", name)).toMatchObject({ status: 0, stderr: "" });
    const count = readdirSync(join(copy.path, "packages/server/migrations")).length;
    expect(write(copy, "migration", "late-fees").stdout).toContain("npm run rows");

    const number = String(count + 1).padStart(4, "0");
    const written = newFiles(copy);
    expect(written).toEqual(
      [
        `packages/server/migrations/${number}_late_fees.sql`,
        ...["spare-parts/domain/spare-parts", ...operations.map((name) => name.replace("/", "/operations/"))].flatMap(
          (path) => [`packages/server/src/${path}.ts`, `packages/server/test/${path}.test.ts`],
        ),
      ].toSorted(),
    );
    const sources = written.filter((file) => file.endsWith(".ts"));
    expect(objections(copy, "@biomejs/biome/bin/biome", "check", ...sources)).toBe("");
    expect(checkTypes(copy, sources)).toBe("");
    const strictly = ["-c", "oxlint.config.mjs", "--type-aware", "--deny-warnings"];
    expect(objections(copy, "oxlint/bin/oxlint", ...strictly, ...sources)).toBe("");
    writeFileSync(join(copy.path, "vitest.config.mjs"), "export default {};\n");
    writeFileSync(join(copy.path, "packages/server/test/migration.test.ts"), readsMigration(count + 1));
    expect(objections(copy, "vitest/vitest.mjs", "run")).toBe("");
  },
  LONGEST_MS,
);

const readsMigration = (version: number): string => `import { expect, test } from "vitest";
import { readMigrations } from "../src/platform/database/migration.js";

test("the service reads the new migration as the last", async () => {
  expect((await readMigrations()).at(-1)).toMatchObject({ version: ${version}, breaking: false });
});
`;

test("a new module is listed below app in the table of modules, and the linter applies its rules to it", async () => {
  const copy = await copied();
  write(copy, "module", "spare-parts");
  const bad = "packages/server/src/spare-parts/domain/bad.ts";
  writeFileSync(join(copy.path, bad), 'export { wire } from "../../app/wire.js";\n');
  expect(objections(copy, "oxlint/bin/oxlint", "-c", "oxlint.config.mjs", bad)).toContain(
    "spare-parts may not import the modules above it",
  );
  expect(copy.git("diff", "--unified=0", "scripts/modules.mjs").match(/^[+-] .*$/gm)).toEqual(['+  "spare-parts",']);
});

const untouched = await copied();

test.for([
  [["operation", "dispatch/create-dispatch"], "create-dispatch.ts exists"],
  [["operation", "nowhere/end-dispatch"], 'no module "nowhere"'],
  [["operation", "platform/end-dispatch"], 'no module "platform"'],
  [["operation", "end-dispatch"], 'no module "end-dispatch"'],
  [["operation", "dispatch/endDispatch"], '"endDispatch" is not kebab-case'],
  [["operation", "dispatch/"], '"" is not kebab-case'],
  [["operation", "dispatch/../end-dispatch"], "usage"],
  [["module", "dispatch"], "the module dispatch exists"],
  [["module", "../elsewhere"], "is not kebab-case"],
  [["migration", "Late-fees"], "is not kebab-case"],
  [["migration", "session-end"], "0019_session_end.sql exists"],
  [["migration"], "usage"],
  [["page", "dispatch"], "usage"],
] as const)("%j is refused, and nothing is written", ([args, message]) => {
  expect(write(untouched, ...args)).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining(message) });
  expect(newFiles(untouched)).toEqual([""]);
});
