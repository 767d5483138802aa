import * as argon2 from "@node-rs/argon2";
import { expect, test, vi } from "vitest";
import { newPerson, PASSWORD, trySignIn } from "../../support/people.js";
import { running } from "../../support/running.js";

// The real function, spied on: how long an answer takes depends only on how often it is called. In its own process,
// because modules already loaded by other files keep the original.
vi.mock("@node-rs/argon2", { spy: true });

test("a sign-in compares one hash of the same cost for any user", async () => {
  const service = await running({}, { passwords: undefined });
  const ann = await newPerson(service, "operator");
  const verify = vi.mocked(argon2.verify);
  // Creates the hash that is compared for users without one.
  await trySignIn(service, { email: "nobody@example.com", password: PASSWORD });
  const costs = [];
  for (const email of [ann.email, "nobody@example.com"]) {
    verify.mockClear();
    await trySignIn(service, { email, password: "wrong horse battery" });
    expect(verify).toHaveBeenCalledTimes(1);
    const { memoryCost, timeCost, parallelism } = argon2.parseOptions(verify.mock.calls[0]?.[0] ?? "");
    costs.push({ memoryCost, timeCost, parallelism });
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]).toEqual({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });
});
