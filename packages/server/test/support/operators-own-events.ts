import { operator } from "@curtail/contract";
import { expect } from "vitest";
import { type Client31, runningVtn, type Vtn } from "./openadr-3.js";
import type { Participant } from "./running.js";

export let vtn: Vtn;
export let bl: Client31;
export let anna: Participant;
export let bert: Participant;
export let annasVen: Client31;
export let bertsVen: Client31;

export const prepare = async () => {
  vtn = await runningVtn();
  bl = await vtn.bl();
  anna = await vtn.newParticipant({ sites: [["main"], ["main"]] });
  bert = await vtn.newParticipant();
  annasVen = await vtn.ven({ participant: anna, targets: ["group-1"] });
  bertsVen = await vtn.ven({ participant: bert });
};

export const PRICES = [{ payload_type: "PRICE", units: "KWH", currency: "EUR" }] as const;
export const LIMITS = [
  { payload_type: "IMPORT_CAPACITY_LIMIT", units: "KW" },
  { payload_type: "IMPORT_CAPACITY_SUBSCRIPTION", units: "KW" },
] as const;

let count = 0;
export const newProgram = (body: object = { payloads: PRICES }): Promise<operator.Openadr3Program> =>
  vtn.made(operator.createOpenadrProgram, { body: { name: `Program ${++count}`, public: true, ...body } });
export const create = (body: object) => vtn.operator("POST", "/openadr3-events", body);
export const made = async (body: object): Promise<operator.Openadr3Event> => {
  const answer = await create(body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};
/** An hour of a price from now on. */
export const price = (program_id: string, more: object = {}) => ({
  program_id,
  payload_type: "PRICE",
  interval_seconds: 3600,
  values: [0.21],
  ...more,
});
export const change = (id: string, body: object) => vtn.operator("PATCH", `/openadr3-events/${id}`, body);
export const end = (id: string) => vtn.operator("POST", `/openadr3-events/${id}/end`);
export const show = async (id: string) => (await vtn.operator(operator.getOpenadrEvent, { params: { id } })).body;
export const lastAudit = async () => (await vtn.operator(operator.listAudit, { query: { limit: 1 } })).body.items[0];
export const told = async (id: string) =>
  (
    await vtn.database.pool.query(
      `select operation || case when kept_targets is null then '' else ' for some' end as operation
       from openadr3_changes where object_id = $1 order by seq`,
      [id],
    )
  ).rows.map(({ operation }) => operation);

export const limit = (program_id: string, more: object = {}) =>
  price(program_id, { payload_type: "IMPORT_CAPACITY_LIMIT", values: [11], ...more });
export const safeMode = (program_id: string, more: object = {}) => ({
  program_id,
  payload_type: "IMPORT_CAPACITY_SUBSCRIPTION",
  end_time: null,
  values: [4],
  ...more,
});
