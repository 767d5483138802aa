import { createRequire } from "node:module";
import type { Answer, Ask } from "@curtail/holidays";
import { runInThread } from "../../platform/runtime/thread.js";
import type { HolidayCalendars } from "../../portfolio/operations/holiday-calendars.js";

/** As for meter data: the compiled module. The library is loaded in the thread only, and ends with it. */
const MODULE = createRequire(import.meta.url).resolve("@curtail/holidays/thread");
const BUDGET = { cpuMs: 30_000, heapMb: 256 };
const MOST_KEPT = 50;

/** Calendars of holidays from date-holidays, in a thread at a time; the latest answers are kept. */
export const holidayCalendars = (): HolidayCalendars => {
  const kept = new Map<string, Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  const answer = <Asked extends Ask>(ask: Asked): Promise<Answer<Asked>> => {
    const key = JSON.stringify(ask).toLowerCase();
    const known = kept.get(key);
    const asked = known ?? last.then(() => asking(ask));
    last = asked.catch(() => kept.delete(key));
    kept.delete(key);
    kept.set(key, asked);
    for (const [oldest] of kept) if (kept.size > MOST_KEPT) kept.delete(oldest);
    return asked as Promise<Answer<Asked>>;
  };
  return {
    names: async () => (await answer("names")).result,
    async days(code, [fromYear, toYear]) {
      const { version, result } = await answer({ code, years: [fromYear, toYear] });
      return "nearest" in result ? result : { ...result, version, fromYear, toYear };
    },
  };
};

const asking = async <Asked extends Ask>(data: Asked): Promise<Answer<Asked>> => {
  const signal = new AbortController().signal;
  const done = await runInThread<Answer<Asked>>({ module: MODULE, data, pieces: [], budget: BUDGET, signal });
  if ("exceeded" in done) throw new Error(`a calendar of holidays took more than its budget of ${done.exceeded}`);
  return done.value;
};
