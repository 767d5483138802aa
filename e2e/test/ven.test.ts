import { expect, test } from "vitest";
import { eventsIn } from "./support/ven.js";
import { venService } from "./support/ven-service.js";

// What a VEN is answered while the database is away is in ven.long.test.ts.
test("a VEN is shown the same event after a kill of the service, which then ends soon though VENs keep their connections", async () => {
  const service = await venService();
  await service.end("SIGKILL");
  const ven = await service.startAgain();
  const { status, text } = await ven.poll();
  expect([status, eventsIn(text)]).toEqual([200, service.before]);
  const startedMs = performance.now();
  expect(await service.end("SIGTERM")).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(8000);
});
