import { operate } from "../participant.js";
import { type Claim, type Facts, type StandingAlarm, unfounded } from "./judge.js";

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

const listed = async <T>(url: string, path: string): Promise<T[]> => {
  const items: T[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const from = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page<T> = await operate(url, "GET", `${path}?limit=500${from}`);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
};

export const standingAlarms = (url: string): Promise<StandingAlarm[]> => listed(url, "/alarms");

/** Successes that the service's evidence claims and nobody saw; what was seen is asked for once all evidence is read. */
export const inventionsOf = async (url: string, factsNow: () => Promise<Facts>): Promise<string[]> => {
  const claims = new Map<string, Claim[]>();
  for (const { id } of (await factsNow()).dispatches) claims.set(id, await listed(url, `/dispatches/${id}/evidence`));
  const facts = await factsNow();
  return [...claims].flatMap(([id, each]) => unfounded(facts, id, each));
};
