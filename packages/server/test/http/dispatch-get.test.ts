import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, endpoint 2: GET /dispatches/{id}; G12.
let service: Running;
let anna: Participant;
let programId: string;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
  programId = await newProgram(service, [anna]);
});

describe("one dispatch", () => {
  test("is the bare object, the same as in the list", async () => {
    const { id } = await newDispatch(service, programId);
    const { body } = await anna.call("GET", `/dispatches/${id}`);
    const list = await anna.call("GET", "/dispatches");
    expect(body.id).toBe(id);
    expect(body).toEqual(list.body.dispatches.find((each: { id: string }) => each.id === id));
  });

  test("is there for good, long after the list has let it go", async () => {
    const { id } = await newDispatch(service, programId, { end_time: ahead(service, { hours: 2 }) });
    service.clock.advance({ days: 400 });
    expect((await anna.call("GET", `/dispatches/${id}`)).body).toMatchObject({ id });
  });

  test("that is not there is not found, and a foreign one is answered byte for byte alike (G4)", async () => {
    const ben = await service.newParticipant();
    const { id } = await newDispatch(service, await newProgram(service, [ben]));
    const foreign = await anna.call("GET", `/dispatches/${id}`);
    const absent = await anna.call("GET", "/dispatches/dis_0000000000000000");
    expectError(foreign, 404, /No such dispatch/);
    expect(foreign.text).toBe(absent.text);
  });
});
