import { expect } from "vitest";
import { type Client31, runningVtn, type Vtn } from "./openadr-3.js";
import { calledBack, type Equipped, equipped } from "./openadr3-vens.js";

export let vtn: Vtn;
export let bl: Client31;
export let anna: Equipped;
export let bert: Equipped;

export const prepare = async () => {
  vtn = await runningVtn();
  bl = await vtn.bl();
  [anna, bert] = [await equipped(vtn, { name: "Anna's works" }), await equipped(vtn, { name: "Bert's works" })];
};

/** The object of a program of the service, once it is there. */
export const objectOf = async (programId: string): Promise<string> => {
  const find = async () =>
    (
      await vtn.database.pool.query("select id from openadr3_objects where source = 'program' and source_id = $1", [
        programId,
      ])
    ).rows[0]?.id;
  await expect.poll(find).toBeDefined();
  return find();
};

export const sees = async (ven: Client31, id: string): Promise<boolean> => {
  const { status } = await ven.programs.get(id);
  const listed = (await ven.programs.search()).body.some((program: { readonly id: string }) => program.id === id);
  expect(status).toBe(listed ? 200 : 404);
  return listed;
};

export const subscribed = (ven: Client31) => calledBack({ ven }, ["PROGRAM", "EVENT"]);

export const intervals = [{ id: 0, payloads: [{ type: "PRICE", values: [1] }] }];
export const operationsOn = (receiver: Awaited<ReturnType<typeof subscribed>>, id: string): string[] =>
  receiver.calls.filter(({ body }) => body.object.id === id).map(({ body }) => body.operation);
