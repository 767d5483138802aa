import { operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { demoService, untilDemo } from "../../support/demo.js";

test("a service has no demo beside an account that was added at the same moment", async () => {
  const service = await demoService();
  for (let round = 0; round < 5; round++) {
    const [account, demo] = await Promise.all([
      service.operator("POST", "/accounts", { name: "New" }),
      service.operator("POST", "/demo"),
    ]);
    expect([account.status, demo.status].toSorted((a, b) => a - b)[1]).toBe(400);
    if (demo.status === 200) {
      await service.made(operator.removeDemo);
      await untilDemo(service, "off");
    } else {
      await service.database.pool.query("delete from accounts");
    }
  }
});
