import { operator, type QueryOf, type ReplyOf } from "@curtail/contract";
import { expect, vi } from "vitest";
import type { Running } from "./running.js";

export type Evidence = ReplyOf<typeof operator.listEvidence>["items"][number];

export const evidenceOf = async (
  service: Running,
  id: string,
  query: QueryOf<typeof operator.listEvidence> = {},
): Promise<Evidence[]> =>
  (await service.made(operator.listEvidence, { params: { id }, query: { limit: 500, ...query } })).items;

/** The events in order, without times. */
export const said = (items: readonly Evidence[]): string[] => items.map(({ channel, what }) => `${channel} ${what}`);

/** Waits until something has happened this many times; usable in hooks, where `expect.poll` is not. */
export const untilHappened = (
  service: Running,
  dispatchId: string,
  { happened, count }: { readonly happened: string; readonly count: number },
): Promise<void> =>
  vi.waitFor(
    async () => {
      const times = said(await evidenceOf(service, dispatchId)).filter((each) => each === happened).length;
      expect(times, happened).toBe(count);
    },
    { timeout: 15_000 },
  );
