import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { type CrashPoint, crashingAt } from "@curtail/testing/crash";
import { beforeAll, expect, test, vi } from "vitest";
import { type Arrival, HookReceiver } from "./support/hook-receiver.js";
import { newParticipant, operate } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import { type ServiceProcess, startProcess, underLoad } from "./support/service-process.js";
import { registerWebhook } from "./support/webhooks.js";

/**
 * Points that wait for the end of a lease come first: it ends while the others are tried. The last leaves a notice to
 * the service that does not crash: another might be killed between sending it and recording that, and send it again.
 */
const points: readonly CrashPoint[] = [
  "after the making of a delivery",
  "before the record of an attempt",
  "after the claim of a retry",
  "after the record of an attempt",
  "before the commit of a dispatch",
  "after the commit of a dispatch",
];
/** A lease, retries, and room for a busy machine. */
const SETTLED = { timeout: 60_000, interval: 200 };
const CRASHES_MS = 240_000;

/** The outcome of a dispatch whose service crashed. */
interface Story {
  readonly point: CrashPoint;
  readonly webhookId: string;
  readonly programId: string;
  readonly isAnswered: boolean;
  readonly endedBy: NodeJS.Signals | null;
}

const receivers = { good: new HookReceiver({ failingShare: 0 }), failing: new HookReceiver({ failingShare: 1 }) };
const stories = new Map<CrashPoint, Story>();
let service: ServiceProcess;

const pathOf = (point: CrashPoint): string => `/${point.replaceAll(" ", "-")}`;
const receiverOf = (point: CrashPoint): HookReceiver =>
  point === "after the claim of a retry" ? receivers.failing : receivers.good;

/** A dispatch of one site, whose account has one webhook. */
const crashed = async (url: string, point: CrashPoint, hooks: string): Promise<Omit<Story, "endedBy">> => {
  const participant = await newParticipant(url, 1);
  const { id: webhookId } = await registerWebhook(url, participant, hooks + pathOf(point));
  const program = { name: "Peak", timezone: "UTC", market: "", program_type: "capacity" as const };
  const { id: programId } = await operate(url, operator.createProgram, { body: program });
  const start_time = new Date(Date.now() + 3_600_000).toISOString();
  const body = { program_id: programId, start_time, sites: [{ site_id: participant.sites[0]?.id ?? "" }] };
  const isAnswered = await operate(url, operator.createDispatch, { body }).then(
    () => true,
    () => false,
  );
  return { point, webhookId, programId, isAnswered };
};

const statesOf = async ({ webhookId }: Story): Promise<string[]> => {
  const { items } = await operate(service.url, operator.listWebhookDeliveries, { params: { id: webhookId } });
  return items.map(({ state }) => state);
};

const dispatchesOf = async ({ programId }: Story): Promise<string[]> => {
  return (await operate(service.url, operator.listAllDispatches, { query: { program_id: programId } })).items.map(
    ({ id }) => id,
  );
};

/** Whether no dispatch has anything pending. */
const isSettled = async (): Promise<boolean> => {
  const owed = await Promise.all(
    [...stories.values()].map(async (story) => ((await dispatchesOf(story)).length === 0 ? [] : statesOf(story))),
  );
  return owed.flat().every((state) => state === "delivered") && owed.flat().length === points.length - 1;
};

beforeAll(async () => {
  const folder = await preparedFolder();
  atEnd(folder.remove);
  const settings = underLoad(folder.dataDir);
  const hooks = new Map<HookReceiver, string>();
  for (const receiver of Object.values(receivers)) {
    hooks.set(receiver, await receiver.listen());
    atEnd(async () => receiver.close());
  }
  for (const point of points) {
    const victim = await startProcess({ ...settings, ...crashingAt(point, pathOf(point)) });
    const story = await crashed(victim.url, point, hooks.get(receiverOf(point)) ?? "");
    stories.set(point, { ...story, endedBy: await victim.ended() });
  }
  service = await startProcess(settings);
  atEnd(async () => void (await service.end("SIGTERM")));
  await vi.waitUntil(isSettled, SETTLED);
}, CRASHES_MS);

/** What the later services did with it, and what the webhook received in total. */
const outcomeOf = async (point: CrashPoint) => {
  const story = stories.get(point);
  if (story === undefined) throw new Error(`no service crashed ${point}`);
  expect(story.endedBy).toBe("SIGKILL");
  // The next service may crash at its own point while it sends this notice: an interrupted request does not count.
  const arrivals = receiverOf(point).arrivals.filter(({ path, isCut }) => path === pathOf(point) && !isCut);
  return { isAnswered: story.isAnswered, dispatches: await dispatchesOf(story), arrivals };
};

const kept = (arrivals: readonly Arrival[]): boolean[] => arrivals.map(({ accepted }) => accepted);
const ids = (arrivals: readonly Arrival[]): Set<string> => new Set(arrivals.map(({ webhookId }) => webhookId));

test("before the commit of a dispatch: it was not answered, does not exist, and nobody is notified", async () => {
  const outcome = await outcomeOf("before the commit of a dispatch");
  expect(outcome).toEqual({ isAnswered: false, dispatches: [], arrivals: [] });
});

test("after the commit, before the answer: there is the dispatch, and its notice comes once", async () => {
  const { isAnswered, dispatches, arrivals } = await outcomeOf("after the commit of a dispatch");
  expect([isAnswered, dispatches.length]).toEqual([false, 1]);
  expect(arrivals).toMatchObject([{ event: "dispatch.create", dispatchId: dispatches[0], accepted: true }]);
});

test("after a delivery is made, before it is sent: it comes once", async () => {
  const { dispatches, arrivals } = await outcomeOf("after the making of a delivery");
  expect(arrivals).toMatchObject([{ event: "dispatch.create", dispatchId: dispatches[0], accepted: true }]);
});

test("after a delivery is answered 200, before that is recorded: it comes again under the same id", async () => {
  const { arrivals } = await outcomeOf("before the record of an attempt");
  expect(kept(arrivals)).toEqual([true, true]);
  expect(ids(arrivals).size).toBe(1);
});

test("after an answer of 200 is recorded: it does not come again", async () => {
  const { arrivals } = await outcomeOf("after the record of an attempt");
  expect(kept(arrivals)).toEqual([true]);
});

test("after a retry is claimed, before it is sent: it comes under the same id", async () => {
  const { arrivals } = await outcomeOf("after the claim of a retry");
  expect(kept(arrivals)).toEqual([false, true]);
  expect(ids(arrivals).size).toBe(1);
});
