import { expect, test } from "vitest";
import { runningVtn } from "../support/openadr-3.js";

test("the listener answers hundreds of requests in a row, each over a connection of its own", async () => {
  const vtn = await runningVtn();
  const ven = await vtn.ven();
  const headers = { authorization: `Bearer ${ven.token}`, connection: "close" };
  const statuses = new Set<number>();
  for (let batch = 0; batch < 20; batch++) {
    const answers = Array.from({ length: 25 }, () => fetch(`${vtn.vtnUrl}/programs`, { headers }));
    for (const answer of await Promise.all(answers)) {
      await answer.text();
      statuses.add(answer.status);
    }
  }
  expect([...statuses]).toEqual([200]);
});
