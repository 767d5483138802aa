import { clonedDatabase } from "@curtail/testing/database";
import { beforeAll, describe, expect, test } from "vitest";
import { BUDGETS, exceeds, ITEMS, type Item } from "./support/instructions/budgets.js";
import { startCountedFloor } from "./support/instructions/counted-floor.js";
import { missing } from "./support/instructions/counted-process.js";
import { type CountedService, startCountedService } from "./support/instructions/counted-service.js";
import { type Counted, instructionsOf, planting } from "./support/instructions/measure.js";

const LONGEST_MS = 600_000;
const PLANTED = 0.15;

type Costs = Record<Item, number>;

const costsOf = async (counted: Counted): Promise<Costs> => {
  const costs: Costs = { poll: 0, upload: 0 };
  for (const item of ITEMS) costs[item] = await instructionsOf(counted, item);
  return costs;
};

describe.skipIf(missing.length > 0)(
  `instructions of the service under Callgrind (missing: ${missing.join(", ") || "nothing"})`,
  { timeout: LONGEST_MS },
  () => {
    let service: CountedService;
    let bare: Counted;
    let costs: Costs;
    let floors: Costs;

    beforeAll(async () => {
      service = await startCountedService(await clonedDatabase());
      costs = await costsOf(service);
      bare = await startCountedFloor(service);
      floors = await costsOf(bare);
    }, LONGEST_MS);

    test.for(ITEMS)("per %s are within the budget", async (item, { annotate }) => {
      const ratio = costs[item] / floors[item];
      const found = `${Math.round(costs[item])} instructions per ${item}, ${ratio.toFixed(2)} times the bare server`;
      await annotate(found);
      expect(exceeds(ratio, BUDGETS[item]), `${found}, ${BUDGETS[item]} budgeted`).toBe(false);
    });

    test("exceed the budget if each request costs 15 % more", async ({ annotate }) => {
      const withMore = await planting(bare, floors.poll);
      for (const item of ITEMS) {
        const planted = await withMore(service, item, costs[item] * PLANTED);
        await annotate(`${Math.round(planted)} instructions per ${item}`);
        expect(exceeds(planted, costs[item]), item).toBe(true);
      }
    });
  },
);
