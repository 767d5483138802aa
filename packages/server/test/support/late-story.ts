import { expect, vi } from "vitest";
import { correctionStore } from "../../src/performance/storage/correction-store.js";
import { httpClient, type Send } from "./http-client.js";
import { intervalsBetween, measuredProgram } from "./measuring.js";
import { kwReading, upload } from "./metering.js";
import { type Participant, type Running, running } from "./running.js";

// Late readings are noted for the dispatches that they concern, whichever process recorded these; if their site was never
// dispatched, no statement is sent.
export let service: Running;
let other: string;

export const START = "2026-06-10T18:00:00Z";
export const END = "2026-06-10T19:00:00Z";
export const minute = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();
export const at = (minutes: number): void => service.clock.set(new Date(minute(minutes)));
export const hours = (count: number): number => count * 60;

export const prepare = async () => {
  service = await running();
  other = await service.another();
  // Opens the connection for stamps: it may take too long on a busy machine, and then the tables are asked.
  at(0);
  await (await metered()).load(-hours(5), 50);
};

export const clearEach = () => {
  vi.restoreAllMocks();
};

export interface Metered {
  readonly anna: Participant;
  readonly siteId: string;
  readonly programId: string;
  /** Uploads ten minutes of load from that minute on; through the other process unless said. */
  readonly load: (from: number, kw: number, through?: Participant) => Promise<void>;
}

export const metered = async (): Promise<Metered> => {
  const anna = await service.newParticipant();
  const [site] = anna.sites;
  const meter = site?.meters[0] ?? "";
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  const programId = await measuredProgram(service, [anna], { baseline, commitment: 40 });
  const elsewhere = { ...anna, call: callTo(other, anna.key) };
  const load: Metered["load"] = async (from, kw, through = elsewhere) => {
    const intervals = intervalsBetween([minute(from), minute(from + 10)], 300, () => kw);
    const readings = intervals.map(({ endMs, seconds }) =>
      kwReading(meter, new Date(endMs).toISOString(), kw, seconds),
    );
    expect((await upload(through, readings)).status).toBe(200);
  };
  return { anna, siteId: site?.id ?? "", programId, load };
};

const callTo = (url: string, key: string): Send => httpClient(`${url}/2022-04-15`, { "X-Service-API-Key": key });

/** Finds the dispatches of notes that are quiet by then. */
export const find = () => correctionStore(service.database.pool).find(new Date(service.clock.now().getTime() + 2000));

/** Open notes of a site: those whose dispatches are not found yet. */
export const OPEN_NOTES = "late_notes where site = (select key from sites where id = $1) and found_at is null";

/** The dispatches of the site that are newly found to be concerned, in order of their creation, and the open notes. */
export const notesOf = async (siteId: string): Promise<{ dispatches: string[]; open: number }> => {
  const { pool } = service.database;
  await find();
  const { rows } = await pool.query<{ dispatch_id: string }>(
    "delete from late_corrections where site_id = $1 returning dispatch_id",
    [siteId],
  );
  const { rowCount } = await pool.query(`select from ${OPEN_NOTES}`, [siteId]);
  return { dispatches: rows.map(({ dispatch_id }) => dispatch_id), open: rowCount ?? 0 };
};
