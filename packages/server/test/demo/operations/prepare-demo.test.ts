import { operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { storesOver, transactOver } from "../../../src/app/stores.js";
import { prepareStep } from "../../../src/demo/operations/prepare-demo.js";
import { newId } from "../../../src/platform/runtime/secrets.js";
import { running } from "../../support/running.js";
import { testSecretBox } from "../../support/secret-box.js";

test("a demo that is removed while its fleet is set up is removed at once, and leaves no fleet", async () => {
  // Without a worker, which would set up the fleet as well.
  const service = await running({ CURTAIL_ROLES: "api", DATABASE_URL: "postgres://elsewhere/curtail" });
  const { clock, database } = service;
  await service.made(operator.startDemo);
  const stores = storesOver(database.servicePool, testSecretBox);
  const demo = await stores.demo.find();
  if (demo === null) throw new Error("there is no demo");
  const fleet = {
    accounts: async () => {
      expect(await service.made(operator.removeDemo)).toMatchObject({ state: "removing" });
      return [];
    },
    upload: async () => {},
  };
  const transact = transactOver(database.servicePool, testSecretBox);
  await prepareStep({ stores, transact, clock, newId, fleet }, demo);
  expect(await stores.demo.find()).toMatchObject({ state: "removing", filledUntil: null });
  expect(await stores.demo.size()).toEqual({ accounts: 0, sites: 0 });
});
