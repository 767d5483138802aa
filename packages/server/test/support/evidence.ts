import { expect, vi } from "vitest";
import type { Running } from "./running.js";

/** An item of the evidence as the operator API has it. */
export interface Evidence {
  readonly at: string;
  readonly account_id: string;
  readonly site_id?: string;
  readonly channel: string;
  readonly what: string;
  readonly detail: Readonly<Record<string, string | number | null>>;
}

export const evidenceOf = async (service: Running, dispatchId: string, query = ""): Promise<Evidence[]> =>
  (await service.operator("GET", `/dispatches/${dispatchId}/evidence?limit=500&${query}`)).body.items;

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
