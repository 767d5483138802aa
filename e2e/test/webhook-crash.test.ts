import { expect, test } from "vitest";
import { crashStories } from "./support/crash-stories.js";

// The other points of its work are in webhook-crash.long.test.ts.
test("a service that is killed after the commit of a dispatch, before the answer, has it and notifies of it once", async () => {
  const outcomeOf = await crashStories(["after the commit of a dispatch"]);
  const { isAnswered, dispatches, arrivals } = await outcomeOf("after the commit of a dispatch");
  expect([isAnswered, dispatches.length]).toEqual([false, 1]);
  expect(arrivals).toMatchObject([{ event: "dispatch.create", dispatchId: dispatches[0], accepted: true }]);
});
