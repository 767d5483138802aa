import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
let program: string;

beforeAll(async () => {
  service = await running();
  program = await newProgram(service, [await service.newParticipant()]);
});

const SWALLOW = `create function swallow() returns trigger language plpgsql as 'begin return null; end';
  create trigger swallows before insert on journal for each row execute function swallow()`;

describe("a commit of the service that changes what readers of the journal follow", () => {
  test("fails in tests if its entry is missing", async () => {
    const { id } = await newDispatch(service, program);
    await service.database.pool.query(SWALLOW);
    const change = () =>
      service.operator(operator.changeDispatch, {
        params: { id },
        body: { end_time: ahead(service, { hours: 2 }) },
      });
    expect((await change()).status).toBe(500);
    await service.database.pool.query("drop trigger swallows on journal");
    expect((await change()).status).toBe(200);
  });

  test("is let through if a test made it by itself, or with an entry made by hand", async () => {
    const { database } = service;
    const update = "update dispatches set changed_at = changed_at";
    await database.pool.query(update);
    await expect(database.servicePool.query(update)).rejects.toThrow("append one of dispatch.create, dispatch.change");
    await database.servicePool.query(`${update}; select note_change('dispatch.change', 'dis_1')`);
  });
});
