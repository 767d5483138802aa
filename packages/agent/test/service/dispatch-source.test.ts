import { participantClient } from "@curtail/client";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { askForDispatches } from "../../src/service/dispatch-source.js";

/** What the agent makes of a refusal with this Retry-After. */
const refusedWith = async (retryAfter: string) => {
  const fetch = async () => new Response("{}", { status: 503, headers: { "retry-after": retryAfter } });
  const client = participantClient({ url: "http://127.0.0.1:9", key: "key_1", fetch });
  return await askForDispatches(client, new AbortController().signal);
};

test.each([
  ["90", 90_000],
  ["3600", 3_600_000],
  ["3601", 3_600_000],
  ["2592000", 3_600_000],
  ["Fri, 27 Nov 2026 12:00:00 GMT", 0],
])("a Retry-After of %s rests for %i ms", async (retryAfter, retryAfterMs) => {
  expect(await refusedWith(retryAfter)).toMatchObject({ retryAfterMs });
});

test("no Retry-After makes a rest that a timer cannot hold", async () => {
  const seconds = fc.oneof(fc.nat(), fc.double({ noNaN: true }), fc.bigInt({ min: 0n, max: 10n ** 30n }));
  await fc.assert(
    fc.asyncProperty(seconds.map(String), async (retryAfter) => {
      const news = await refusedWith(retryAfter);
      expect("retryAfterMs" in news && news.retryAfterMs).toSatisfy((ms) => Number(ms) <= 3_600_000);
    }),
    { numRuns: propertyRuns(50) },
  );
});
