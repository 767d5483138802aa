import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** Whether processes of the previous version fail on it. */
  readonly breaking: boolean;
}

const folder = new URL("../../../migrations/", import.meta.url);

/** Earlier ones have no header and count as breaking. */
const FIRST_WITH_HEADER = 15;

/** All migrations of this build, in order. */
export const readMigrations = async (): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name, index) => parseMigration(name, index, await readFile(new URL(name, folder), "utf8"))),
  );
};

/** @param index position among all migrations, from 0 */
export const parseMigration = (name: string, index: number, sql: string): Migration => {
  const version = Number.parseInt(name, 10);
  if (version !== index + 1) throw new Error(`migrations are numbered without gaps; ${name} is number ${index + 1}`);
  const checksum = createHash("sha256").update(sql).digest("hex");
  return { version, name, sql, checksum, breaking: version < FIRST_WITH_HEADER || isBreaking(name, sql) };
};

const isBreaking = (name: string, sql: string): boolean => {
  const [first = ""] = sql.split("\n", 1);
  if (first === "-- breaks: no") return false;
  if (/^-- breaks: yes, because \S/.test(first)) return true;
  throw new Error(
    `${name} does not say whether it breaks the version before: begin it with \`-- breaks: no\` or ` +
      "`-- breaks: yes, because …`.",
  );
};
