import { operator } from "@curtail/contract";
import { vi } from "vitest";
import { type Running, running } from "./running.js";

export const DEMO_MS = 120_000;

/** A service whose demo is prepared and removed at full speed. */
export const demoService = (settings: Readonly<Record<string, string>> = {}): Promise<Running> =>
  running(settings, { demoShare: 1 });

/** Waits until the demo is in a state. */
export const untilDemo = (service: Running, state: string): Promise<unknown> =>
  vi.waitUntil(async () => (await service.made(operator.getDemo)).state === state, { timeout: DEMO_MS, interval: 200 });

/** Starts a demo and waits until it is on. */
export const startedDemo = async (service: Running): Promise<void> => {
  await service.made(operator.startDemo);
  await untilDemo(service, "on");
};

/** Rows of each table, the sandbox's with its schema. */
export const rowCounts = async ({ database: { pool } }: Running): Promise<Record<string, number>> => {
  const { rows } = await pool.query<{ name: string }>(
    `select case table_schema when 'sandbox' then 'sandbox.' else '' end || table_name as name
     from information_schema.tables where table_schema in ('public', 'sandbox') and table_type = 'BASE TABLE'
     order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) counts[name] = (await pool.query(`select count(*) from ${name}`)).rows[0].count;
  return counts;
};
