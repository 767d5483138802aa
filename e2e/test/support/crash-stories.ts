import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { type CrashPoint, crashingAt } from "@curtail/testing/crash";
import { expect, vi } from "vitest";
import { type Arrival, HookReceiver } from "./hook-receiver.js";
import { newParticipant, newProgram, operate } from "./participant.js";
import { preparedFolder } from "./prepared-data.js";
import { startProcess, underLoad } from "./service-process.js";
import { registerWebhook } from "./webhooks.js";

/** A lease, retries, and room for a busy machine. */
const SETTLED = { timeout: 60_000, interval: 200 };
export const CRASHES_MS = 240_000;

/** A dispatch whose service crashed. */
interface Story {
  readonly point: CrashPoint;
  readonly webhookId: string;
  readonly programId: string;
  readonly isAnswered: boolean;
  readonly endedBy: NodeJS.Signals | null;
  readonly endedMs: number;
}

/** What became of it: what the later services did with it, and what the webhook received in total. */
export interface Outcome {
  readonly isAnswered: boolean;
  readonly dispatches: readonly string[];
  readonly arrivals: readonly Arrival[];
}

const pathOf = (point: CrashPoint): string => `/${point.replaceAll(" ", "-")}`;

/** A dispatch of one site, whose account has one webhook. */
const crashed = async (url: string, point: CrashPoint, hooks: string): Promise<Omit<Story, "endedBy" | "endedMs">> => {
  const participant = await newParticipant(url, 1);
  const { id: webhookId } = await registerWebhook(url, participant, hooks + pathOf(point));
  const programId = await newProgram(url);
  const start_time = new Date(Date.now() + 3_600_000).toISOString();
  const body = { program_id: programId, start_time, sites: [{ site_id: participant.sites[0]?.id ?? "" }] };
  const isAnswered = await operate(url, operator.createDispatch, { body }).then(
    () => true,
    () => false,
  );
  return { point, webhookId, programId, isAnswered };
};

const statesOf = async (url: string, { webhookId }: Story): Promise<string[]> => {
  const { items } = await operate(url, operator.listWebhookDeliveries, { params: { id: webhookId } });
  return items.map(({ state }) => state);
};

const dispatchesOf = async (url: string, { programId }: Story): Promise<string[]> => {
  const { items } = await operate(url, operator.listAllDispatches, { query: { program_id: programId } });
  return items.map(({ id }) => id);
};

/** Whether no dispatch has anything pending. */
const isSettled = async (url: string, stories: readonly Story[]): Promise<boolean> => {
  const owed = await Promise.all(
    stories.map(async (story) => ((await dispatchesOf(url, story)).length === 0 ? [] : statesOf(url, story))),
  );
  const committed = stories.filter(({ point }) => point !== "before the commit of a dispatch");
  return owed.flat().every((state) => state === "delivered") && owed.flat().length === committed.length;
};

/** On a busy machine a later service may send a notice, and crash at its own point before it records that: it comes again. */
const withoutUnrecorded = (
  arrivals: readonly Arrival[],
  { endedMs }: Story,
  stories: readonly Story[],
): readonly Arrival[] =>
  arrivals.filter(({ webhookId, atMs }) => {
    const again = arrivals.find((next) => next.webhookId === webhookId && next.atMs > atMs);
    const isAnyCrashBetween = stories.some((other) => atMs < other.endedMs && other.endedMs < (again?.atMs ?? atMs));
    return atMs <= endedMs || !isAnyCrashBetween;
  });

/**
 * Has a service crash at each point while it notifies of a dispatch, one after the other on the same data, and starts
 * one that does not. What they start ends with the test file.
 *
 * @returns the outcome of each point
 */
export const crashStories = async (points: readonly CrashPoint[]): Promise<(point: CrashPoint) => Promise<Outcome>> => {
  const folder = await preparedFolder();
  atEnd(folder.remove);
  const settings = underLoad(folder.dataDir);
  const receivers = { good: new HookReceiver({ failingShare: 0 }), failing: new HookReceiver({ failingShare: 1 }) };
  const receiverOf = (point: CrashPoint): HookReceiver =>
    point === "after the claim of a retry" ? receivers.failing : receivers.good;
  const hooks = new Map<HookReceiver, string>();
  for (const receiver of Object.values(receivers)) {
    hooks.set(receiver, await receiver.listen());
    atEnd(async () => receiver.close());
  }
  const stories = new Map<CrashPoint, Story>();
  for (const point of points) {
    const victim = await startProcess({ ...settings, ...crashingAt(point, pathOf(point)) });
    const story = await crashed(victim.url, point, hooks.get(receiverOf(point)) ?? "");
    const endedBy = await victim.ended();
    stories.set(point, { ...story, endedBy, endedMs: Date.now() });
  }
  const service = await startProcess(settings);
  atEnd(async () => void (await service.end("SIGTERM")));
  await vi.waitUntil(() => isSettled(service.url, [...stories.values()]), SETTLED);

  return async (point) => {
    const story = stories.get(point);
    if (story === undefined) throw new Error(`no service crashed ${point}`);
    expect(story.endedBy).toBe("SIGKILL");
    // The next service may crash at its own point while it sends this notice: an interrupted request does not count.
    const arrivals = receiverOf(point).arrivals.filter(({ path, isCut }) => path === pathOf(point) && !isCut);
    return {
      isAnswered: story.isAnswered,
      dispatches: await dispatchesOf(service.url, story),
      arrivals: withoutUnrecorded(arrivals, story, [...stories.values()]),
    };
  };
};
