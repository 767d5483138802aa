import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemPostgres } from "@curtail/testing/system-postgres";
import { fileIn } from "./documented-file.js";

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
export const documentedFile = (name: FileName): string => fileIn("docs/failover.md", name);

const FIRST = "10.0.0.11";

/** The file of another machine: its own address and name, in all lines but those that list every machine. */
export const ofMachine = (text: string, { name, address }: { name: string; address: string }): string =>
  text
    .split("\n")
    .map((line) => (line.includes("10.0.0.12") ? line : line.replaceAll(FIRST, address)))
    .join("\n")
    .replace(/^(ETCD_NAME="|name: )one/m, `$1${name}`);
