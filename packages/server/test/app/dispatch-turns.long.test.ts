import { beforeAll, describe, expect, test } from "vitest";
import { fleetOf } from "../support/fleet.js";
import { leastWatched, type WatchedAnswer, watchedRequest } from "../support/main-thread.js";
import { OPERATOR_TOKEN, type Running, running } from "../support/running.js";

// However many sites a dispatch has: others have their turn.
let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
  const anna = await service.newParticipant({ name: "Fleet" });
  await fleetOf(service, anna.accountId);
}, 120_000);

/** Processor time of the main thread in one turn of the event loop. */
const MOST_MS = 50;
const SITES = 20_000;

const sent = (method: string, path: string, body?: object, key?: string): Promise<WatchedAnswer> =>
  watchedRequest(`${service.url}/operator/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      "content-type": "application/json",
      // The check of the reply would count as a step of the service.
      "x-reply-unwatched": "1",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

const expectShort = async (send: () => Promise<WatchedAnswer>): Promise<void> => {
  const answer = await leastWatched(MOST_MS, send);
  expect(answer.status, answer.text.slice(0, 500)).toBeLessThan(300);
  expect(answer.longestMs).toBeLessThan(MOST_MS);
};

/** An hour of its own for each dispatch: nothing limits how many overlap, and all of them are shown for each site. */
const hours = (() => {
  let at = Date.parse("2026-06-11T00:00:00Z");
  return () => {
    at += 3_600_000;
    return { start_time: new Date(at).toISOString(), end_time: new Date(at + 1_800_000).toISOString() };
  };
})();

const sites = Array.from({ length: SITES }, (_, at) => ({ site_id: `site_fleet${at + 1}`, commitment: 1 }));
const program_id = "prg_fleet";
const kinds = [
  ["by ids", () => ({ program_id, ...hours(), sites })],
  ["by enrolment", () => ({ program_id, ...hours() })],
  ["with one that overlaps", () => ({ program_id, start_time: "2026-07-01T00:00:00Z", end_time: null })],
] as const;

const issued = async (): Promise<string> => {
  const { status, text } = await sent("POST", "/dispatches", { program_id, ...hours() });
  expect(status).toBe(201);
  return (JSON.parse(text) as { readonly id: string }).id;
};

describe.for(kinds)("a dispatch of many sites %s", ([, body]) => {
  test("is previewed in short turns", () => expectShort(() => sent("POST", "/dispatches/preview", body())));

  test.for(["without", "with"] as const)("is issued in short turns %s a key", (keyed) =>
    expectShort(() => sent("POST", "/dispatches", body(), keyed === "with" ? crypto.randomUUID() : undefined)),
  );
});

describe("a dispatch of many sites", () => {
  test("is issued once with a key, and answered again in short turns", async () => {
    const [body, key] = [{ program_id, ...hours() }, crypto.randomUUID()];
    const first = await sent("POST", "/dispatches", body, key);
    await expectShort(async () => {
      const again = await sent("POST", "/dispatches", body, key);
      expect(again.text === first.text).toBe(true);
      return again;
    });
  });

  test("is shown in short turns", async () => {
    const id = await issued();
    await expectShort(() => sent("GET", `/dispatches/${id}`));
  });

  test("is listed in short turns", () => expectShort(() => sent("GET", "/dispatches?limit=1")));

  test("is changed in short turns", () =>
    expectShort(async () => sent("PATCH", `/dispatches/${await issued()}`, { metadata: { round: "2" } })));

  test("is cancelled in short turns", () =>
    expectShort(async () => sent("PATCH", `/dispatches/${await issued()}`, { authorized: false })));

  test("leaves short turns to those who ask afterwards", async () => {
    await issued();
    for (let at = 0; at < 20; at++) await expectShort(() => sent("GET", "/accounts?limit=1"));
  });
});

test.for([
  [
    "program_id is a long text; it must have at most 100 characters",
    (text: string) => ({ program_id: text, ...hours() }),
  ],
  [
    "sites[0].site_id is a long text; it must have at most 100 characters",
    (text: string) => ({ program_id, ...hours(), sites: [{ site_id: text }] }),
  ],
  ["start_time", (text: string) => ({ program_id, start_time: text })],
] as const)("a long text is refused in short turns: %s", async ([fault, body]) => {
  const answer = await leastWatched(MOST_MS, () => sent("POST", "/dispatches/preview", body("a".repeat(4_100_000))));
  expect(answer).toMatchObject({ status: 400, text: expect.stringContaining(fault) as string });
  expect(answer.longestMs).toBeLessThan(MOST_MS);
});
