import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemPostgres } from "@curtail/testing/system-postgres";
import { blocksOf } from "./docs/blocks.js";

const FOLDERS = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"];

/** With which patroni reaches etcd's version 2 interface; it starts without. */
const ETCD_CLIENT = "/usr/lib/python3/dist-packages/etcd";

/** The path of an installed program; null if it is missing. */
export const programOf = (name: string): string | null =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;

/** What has to be installed before the set-up of docs/failover.md can run; empty: nothing. */
export const missingPrograms = (): readonly string[] => [
  ...["patroni", "etcd", "haproxy"].filter((name) => programOf(name) === null),
  ...(existsSync(ETCD_CLIENT) ? [] : ["python3-etcd"]),
  ...(systemPostgres() === null ? ["postgresql"] : []),
];

type FileName = "etcd" | "patroni" | "haproxy" | "database";

/** A file of docs/failover.md, as it is written there. */
export const documentedFile = (name: FileName): string => {
  const block = blocksOf("docs/failover.md").find(({ notes }) => notes["file"] === name);
  if (block === undefined) throw new Error(`docs/failover.md has no file ${name}`);
  return block.text;
};

const FIRST = "10.0.0.11";

/** The file of another machine: its own address and name, in all lines but those that list every machine. */
export const ofMachine = (text: string, { name, address }: { name: string; address: string }): string =>
  text
    .split("\n")
    .map((line) => (line.includes("10.0.0.12") ? line : line.replaceAll(FIRST, address)))
    .join("\n")
    .replace(/^(ETCD_NAME="|name: )one/m, `$1${name}`);

/** Replaces each text; all of them must be there. */
export const replaced = (text: string, by: ReadonlyArray<readonly [string, string]>): string =>
  by.reduce((left, [from, to]) => {
    if (!left.includes(from)) throw new Error(`docs/failover.md no longer has ${from}`);
    return left.replaceAll(from, to);
  }, text);
