import { listSites, operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { running } from "../../support/running.js";

const MORE_THAN_A_PAGE = 130;

test("the list of sites comes whole in one call, however many there are", async () => {
  const service = await running();
  const ben = await service.newParticipant({ sites: [] });
  const names = Array.from({ length: MORE_THAN_A_PAGE }, (_, index) => `Store ${index}`);
  for (const name of names)
    await service.made(operator.createSite, {
      params: { id: ben.accountId },
      body: { name, meters: [{ name: "main" }] },
    });
  const { sites } = (await ben.call(listSites)).body;
  expect(sites.map((site) => site.name)).toEqual(names);
});
