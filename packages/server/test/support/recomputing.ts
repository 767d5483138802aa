import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect } from "vitest";
import { textOf } from "../../src/settlement/domain/decimal.js";
import { OPERATOR_TOKEN, type Running } from "./running.js";

// What is downloaded with a statement is enough to compute it again in SQL: examples/statement.sql.
const SQL = new URL("../../../../examples/statement.sql", import.meta.url);

const downloaded = async (service: Running, path: string): Promise<string> => {
  const answer = await fetch(`${service.url}/operator/v1/statements/${path}`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  });
  expect(answer.status).toBe(200);
  return answer.text();
};

/** Runs the example beside the files of a statement; `edit` falsifies the statement's. */
export const recomputed = async (service: Running, id: string, edit = (csv: string) => csv) => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-statement-"));
  atEnd(() => rm(folder, { recursive: true }));
  for (const table of ["results", "shared", "sites", "commitments", "terms"]) {
    await writeFile(join(folder, `${table}.csv`), await downloaded(service, `${id}/inputs?table=${table}`));
  }
  await writeFile(join(folder, "statement.csv"), edit(await downloaded(service, `${id}?format=csv`)));
  const sql = (await readFile(SQL, "utf8")).replaceAll("read_csv('", `read_csv('${folder}/`);
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(sql);
  const rowsOf = async (table: string) => (await connection.runAndReadAll(`from ${table}`)).getRowObjects();
  const [differences, doubled, totals, computed] = [
    await rowsOf("differences"),
    await rowsOf("doubled"),
    await rowsOf("totals"),
    await rowsOf("computed"),
  ];
  connection.closeSync();
  return { differences: [...differences, ...doubled], totals, lines: computed.length };
};

/** Totals of the example, in the form of the interface. */
export const written = (totals: Awaited<ReturnType<typeof recomputed>>["totals"]) =>
  totals.map(({ currency, digits, ...amounts }) => ({
    currency,
    ...Object.fromEntries(
      Object.entries(amounts).map(([kind, minor]) => [kind, textOf(BigInt(String(minor)), Number(digits))]),
    ),
  }));
