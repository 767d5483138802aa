import { expect, test } from "vitest";
import { eventsIn } from "./support/ven.js";
import { venService } from "./support/ven-service.js";

// What a VEN is answered while the database is away, and after a kill, is in ven.long.test.ts.
test("a VEN is shown its events, and the service ends soon though the VEN keeps its connection", async () => {
  const service = await venService();
  const { status, text } = await service.ven.poll();
  expect([status, eventsIn(text)]).toEqual([200, service.before]);
  const startedMs = performance.now();
  expect(await service.end("SIGTERM")).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(8000);
});
