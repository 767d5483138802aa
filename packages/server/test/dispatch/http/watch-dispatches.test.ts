import { createParticipant, type DispatchChange, systemClock, watchDispatches } from "@curtail/client";
import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { type Participant, type Running, running } from "../../support/running.js";

// A participant's watch, which the stream wakes: it would poll once an hour.
const HOUR_MS = 3_600_000;

let service: Running;
let anna: Participant;
let programId: string;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
  programId = await newProgram(service, [anna]);
});

/** A watch that goes by the time of the service. */
const watching = (url = service.url) => {
  const clock = { ...systemClock, now: () => service.clock.now().getTime() };
  const stop = new AbortController();
  onTestFinished(() => stop.abort(new Error("the test has finished")));
  const participant = createParticipant({ url, key: anna.key, clock });
  return watchDispatches(participant, { intervalMs: HOUR_MS, signal: stop.signal });
};

const word = ({ value }: IteratorResult<DispatchChange>): string => `${value.type} ${value.dispatch.id}`;

const reads = async (id: string): Promise<string[]> => {
  const { rows } = await service.database.pool.query<{ how: string }>(
    "select how from dispatch_reads where dispatch_id = $1",
    [id],
  );
  return rows.map(({ how }) => how);
};

test("each change is yielded once, long before the next poll, and the account counts as notified of it", async () => {
  const watch = watching();
  const { id } = await newDispatch(service, programId, { end_time: ahead(service, { hours: 2 }) });
  expect(word(await watch.next())).toBe(`created ${id}`);
  const changed = watch.next();
  await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 3 }) } });
  expect(word(await changed)).toBe(`changed ${id}`);
  const created = watch.next();
  const second = await newDispatch(service, programId);
  expect(word(await created)).toBe(`created ${second.id}`);
  await expect.poll(() => reads(second.id)).toEqual(["polled"]);
  const cancelled = watch.next();
  await service.made(operator.changeDispatch, { params: { id: second.id }, body: { authorized: false } });
  expect(word(await cancelled)).toBe(`cancelled ${second.id}`);
});

test("what another process did is yielded as soon", async () => {
  const watch = watching(await service.another());
  const first = await newDispatch(service, programId);
  expect(word(await watch.next())).toBe(`created ${first.id}`);
  const created = watch.next();
  const { id } = await newDispatch(service, programId);
  expect(word(await created)).toBe(`created ${id}`);
});
