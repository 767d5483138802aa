import { operator } from "@curtail/contract";
import { operate } from "../participant.js";
import { type Claim, type Facts, type StandingAlarm, unfounded } from "./judge.js";

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

const listed = async <T>(read: (query: PageQuery) => Promise<Page<T>>): Promise<T[]> => {
  const items: T[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Page<T> = await read({ limit: operator.MAX_PAGE, ...(cursor === "" ? {} : { cursor }) });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
};

export const standingAlarms = (url: string): Promise<StandingAlarm[]> =>
  listed((query) => operate(url, operator.listAlarms, { query }));

/** Successes that the service's evidence claims and nobody saw; call `factsNow` only after all evidence is read. */
export const inventionsOf = async (url: string, factsNow: () => Promise<Facts>): Promise<string[]> => {
  const claims = new Map<string, Claim[]>();
  for (const { id } of (await factsNow()).dispatches)
    claims.set(id, await listed((query) => operate(url, operator.listEvidence, { params: { id }, query })));
  const facts = await factsNow();
  return [...claims].flatMap(([id, each]) => unfounded(facts, id, each));
};
