import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect } from "vitest";
import { OPERATOR_TOKEN, type Running } from "./running.js";

export type FileRow = Readonly<Record<string, unknown>>;

type Headers = Readonly<Record<string, string>>;

const asOperator: Headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };

export const downloaded = async (service: Running, path: string, headers = asOperator): Promise<Response> => {
  const response = await fetch(service.url + path, { headers });
  expect(response.status, path).toBe(200);
  return response;
};

/** Both forms of a file, read by DuckDB: `path` gets a format. */
export const rowsOfBoth = async (
  service: Running,
  path: string,
  headers = asOperator,
): Promise<{ readonly csv: FileRow[]; readonly parquet: FileRow[] }> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-table-"));
  try {
    const read = async (format: "csv" | "parquet") => {
      const response = await downloaded(service, `${path}${path.includes("?") ? "&" : "?"}format=${format}`, headers);
      const file = join(folder, `table.${format}`);
      await writeFile(file, Buffer.from(await response.arrayBuffer()));
      return queried(`select * from ${readers[format]}'${file}'${format === "csv" ? CSV_TYPES : ""})`);
    };
    return { csv: await read("csv"), parquet: await read("parquet") };
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** What DuckDB answers about a Parquet file; `{file}` stands for its path. */
export const askedOf = async (service: Running, path: string, sql: string): Promise<FileRow[]> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-table-"));
  try {
    const file = join(folder, "table.parquet");
    await writeFile(file, Buffer.from(await (await downloaded(service, `${path}&format=parquet`)).arrayBuffer()));
    return await queried(sql.replaceAll("{file}", file));
  } finally {
    await rm(folder, { recursive: true });
  }
};

const readers = { csv: "read_csv(", parquet: "read_parquet(" } as const;
/** Local times are text in both forms: a moment would lose its offset. */
const CSV_TYPES = ", auto_type_candidates = ['BIGINT', 'DOUBLE', 'VARCHAR']";

/** Rows as plain JSON: moments as text. */
const queried = async (sql: string): Promise<FileRow[]> => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await connection.run("set timezone = 'UTC'");
    const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};

/** Whole numbers are text, since they may be too large for JavaScript; moments are as in CSV. */
const plain = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\+00$/, "$1T$2Z");
};
