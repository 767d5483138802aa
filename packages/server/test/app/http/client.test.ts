import { type DispatchChange, type StateStore, verifyWebhook, type WatchState, watchDispatches } from "@curtail/client";
import { operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, expect, test } from "vitest";
import { connected, prepare, service } from "../../support/client-of-service.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";

beforeAll(prepare);

/** What a watch yields next: type, dispatch and modification. */
const next = async (of: AsyncGenerator<DispatchChange>): Promise<unknown[]> => {
  const { value } = await of.next();
  const { type, dispatch } = value as DispatchChange;
  return [type, dispatch.id, dispatch.modification_number];
};

test("a watch sees a dispatch created, changed, cancelled and over, each once, also over a restart", async () => {
  const anna = await service.newParticipant();
  const program = await newProgram(service, [anna]);
  let saved: WatchState | null = null;
  const store: StateStore = { load: async () => saved, save: async (state) => void (saved = state) };
  // Each wait moves the clock, which a stream would not wait for: watch-dispatches.test.ts has one.
  const options = { store, stream: false };
  const watch = watchDispatches(connected(service, anna), options);
  // Soon over: until then it polls every half minute.
  const first = await newDispatch(service, program, { start_time: ahead(service, { minutes: 5 }) });
  expect(await next(watch)).toEqual(["created", first.id, 0]);
  const params = { id: first.id };
  await service.made(operator.changeDispatch, { params, body: { end_time: ahead(service, { minutes: 10 }) } });
  expect(await next(watch)).toEqual(["changed", first.id, 1]);
  const second = await newDispatch(service, program, { end_time: ahead(service, { hours: 3 }) });
  expect(await next(watch)).toEqual(["created", second.id, 0]);

  // The process ends while it handles the second; its successor handles it again.
  const again = watchDispatches(connected(service, anna), options);
  expect(await next(again)).toEqual(["created", second.id, 0]);
  await service.made(operator.changeDispatch, { params: { id: second.id }, body: { authorized: false } });
  expect(await next(again)).toEqual(["cancelled", second.id, 1]);
  expect(await next(again)).toEqual(["over", first.id, 1]);
  expect(service.clock.now().getTime()).toBeGreaterThan(Date.parse(first.start_time));
});

test("notices of the service are verified with the webhook's secret, and with no other", async () => {
  const [anna, hook] = [await service.newParticipant(), await receiver()];
  const events = [{ name: "dispatch.create" as const }];
  const { id } = await connected(service, anna).createWebhook({ url: hook.url, events });
  const page = await service.made(operator.listAccountWebhooks, { params: { id: anna.accountId } });
  const secrets = page.items.find((each) => each.id === id)?.secrets ?? [];
  const dispatch = await newDispatch(service, await newProgram(service, [anna]));
  const [notice] = await hook.notices(1);
  const [registration] = hook.received;
  const request = { nowMs: service.clock.now().getTime(), secrets };
  const verify = (of: typeof notice, changes: object = {}) =>
    verifyWebhook({ ...request, headers: of?.headers ?? {}, body: of?.text ?? "", ...changes });
  expect(await verify(notice)).toMatchObject({
    ok: true,
    notice: { event: "dispatch.create", dispatchId: dispatch.id },
  });
  expect(await verify(registration)).toMatchObject({ ok: true, notice: { event: "test", dispatchId: null } });
  expect(await verify(notice, { secrets: ["whsec_AAAA"] })).toEqual({ ok: false, fault: "signature_wrong" });
});

test("every method of an account's day works on the service", async () => {
  const anna = await service.newParticipant();
  const participant = connected(service, anna);
  const { sites } = await participant.listSites();
  const [site] = sites;
  const [start_time, end_time] = [ahead(service, { hours: 2 }), ahead(service, { hours: 3 })];
  const block = await participant.changeSchedule({ site_id: site?.id ?? "", available: false, start_time, end_time });
  expect(block).toEqual({ site_id: site?.id, available: false, start_time, end_time });
  const { id } = await newDispatch(service, await newProgram(service, [anna]), {
    end_time: ahead(service, { hours: 1.5 }),
  });
  expect(await participant.getDispatch({ id })).toMatchObject({ id, end_time: ahead(service, { hours: 1.5 }) });
  expect(await participant.listWebhooks()).toEqual({ page: 0, perPage: 0, webhooks: [] });
  expect((await participant.listStatements()).items).toEqual([]);
  await expect(participant.getDispatch({ id: "dis_unknown" })).rejects.toMatchObject({
    status: 404,
    type: "Not Found",
    retryAfter: null,
  });
  await expect(participant.listScenarios()).rejects.toMatchObject({ status: 404 });
});
