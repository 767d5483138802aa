import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type WorkspaceCopy, workspaceCopy } from "./support/workspace-copy.js";

// What is generated is made after a change of its source that is used already: nothing else compiles before.

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
/** Each compiles a part of the workspace twice. */
const LONGEST_MS = 180_000;

const partsOf = (folder: string, ...names: readonly string[]): string[] => names.map((name) => join(folder, name));

/** A copy of some projects, which are all that it compiles. */
const copied = async (projects: readonly string[], files: readonly string[]): Promise<WorkspaceCopy> => {
  const copy = await workspaceCopy(["package.json", "scripts", "tsconfig.base.json", ".gitignore", ...files]);
  symlinkSync(modules, join(copy.path, "node_modules"));
  write(copy, "tsconfig.json", JSON.stringify({ files: [], references: projects.map((path) => ({ path })) }));
  return copy;
};

const write = ({ path }: WorkspaceCopy, file: string, text: string): void => {
  mkdirSync(dirname(join(path, file)), { recursive: true });
  writeFileSync(join(path, file), text);
};

const change = (copy: WorkspaceCopy, file: string, from: string, to: string): void => {
  const text = readFileSync(join(copy.path, file), "utf8");
  expect(text).toContain(from);
  write(copy, file, text.replace(from, to));
};

/** What a command of npm says if it fails; empty if it succeeds. */
const objections = ({ path }: WorkspaceCopy, command: string): string => {
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", command], { cwd: path, encoding: "utf8" });
  return status === 0 ? "" : `${command}: ${stdout}${stderr}`;
};

test(
  "`npm run openapi` works after a schema got a member that a test of the client uses",
  async () => {
    const [contract, client] = ["packages/contract", "packages/client"];
    const documents = readdirSync(new URL("../../packages/contract", import.meta.url)).filter((name) =>
      name.endsWith(".openapi.json"),
    );
    const copy = await copied(
      [contract, client, `${client}/test`],
      [
        ...partsOf(contract, "src", "package.json", "tsconfig.json", ...documents),
        ...partsOf(client, "src", "package.json", "tsconfig.json"),
        // Have a table and the sections of the alarms.
        "docs/admin.md",
        "docs/runbook.md",
      ],
    );
    write(
      copy,
      `${client}/test/tsconfig.json`,
      JSON.stringify({
        extends: "../../../tsconfig.base.json",
        compilerOptions: { outDir: "../dist/.test", tsBuildInfoFile: "../dist/.test.tsbuildinfo" },
        references: [{ path: ".." }],
      }),
    );
    write(
      copy,
      `${client}/test/storeys.test.ts`,
      'import type { Site } from "../src/index.js";\nexport const storeysOf = (site: Site): number => site.storeys;\n',
    );
    change(
      copy,
      `${contract}/src/v2022-04-15/site.ts`,
      "    name: siteName,\n    meters",
      '    name: siteName,\n    storeys: Type.Integer({ description: "Storeys of the building." }),\n    meters',
    );
    expect(objections(copy, "typecheck")).toContain("'storeys' does not exist");
    expect(objections(copy, "openapi")).toBe("");
    expect(readFileSync(join(copy.path, contract, "2022-04-15.openapi.json"), "utf8")).toContain('"storeys"');
    expect(copy.git("diff", "--name-only", `${client}/src`)).not.toBe("");
  },
  LONGEST_MS,
);

test(
  "`npm run rows` works after a migration added a column that a store reads",
  async () => {
    const [server, postgres] = ["packages/server", "packages/embedded-postgres"];
    const copy = await copied(
      [postgres],
      [
        ...partsOf(server, "src", "migrations", "package.json"),
        ...partsOf(postgres, "src", "package.json", "tsconfig.json"),
      ],
    );
    // The store, what it imports, and what is written: all modules of the server take six times as long.
    write(
      copy,
      "tsconfig.json",
      JSON.stringify({
        extends: "./tsconfig.base.json",
        compilerOptions: { composite: false, declaration: false, rootDir: `${server}/src`, outDir: `${server}/dist` },
        files: ["access/storage/contact-store.ts", "app/tables.ts"].map((name) => `${server}/src/${name}`),
        references: [{ path: postgres }],
      }),
    );
    const next = readdirSync(join(copy.path, server, "migrations")).length + 1;
    write(
      copy,
      `${server}/migrations/${String(next).padStart(4, "0")}_title.sql`,
      "-- breaks: no\nalter table contacts add column title text;\n",
    );
    change(copy, `${server}/src/access/storage/contact-store.ts`, '"created_at",\n]', '"created_at",\n  "title",\n]');
    expect(objections(copy, "typecheck")).toContain('"title"');
    expect(objections(copy, "rows")).toBe("");
    expect(copy.git("diff", "--unified=0", `${server}/src/app/tables.ts`)).toContain(
      "+      readonly title: string | null;",
    );
  },
  LONGEST_MS,
);
