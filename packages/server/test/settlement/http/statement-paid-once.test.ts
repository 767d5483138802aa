import { operator } from "@curtail/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { untilLooked } from "../../support/measuring.js";
import {
  dispatched,
  expectRecomputed,
  hour,
  linesOf,
  load,
  made,
  PENALTY,
  prepareEach,
  program,
  service,
} from "../../support/paid-once-story.js";
import { DOLLAR, setTerms, statementOf } from "../../support/settling.js";

beforeEach(prepareEach);

const sharedBy = async (id: string) => {
  const { items } = await service.made(operator.getAnySharedEnergy, { params: { id } });
  return items.map((each) => [each.dispatch_id, each.program_name, each.paid, each.sites, each.intervals]);
};

describe("two programs over the same hour", () => {
  test("pay 50 kW that were dropped once for 50 kWh, in the dispatch that was issued first", async () => {
    const [one, other] = [await program("Summer Peak"), await program("Fast Reserve")];
    for (const id of [one, other]) await setTerms(service, id, { ...DOLLAR, penalty: PENALTY });
    await load();
    const first = await dispatched(one, hour("10", "18:00", "19:00"));
    const second = await dispatched(other, hour("10", "18:30", "19:30"));
    const id = await made();
    const statement = await statementOf(service, id);
    const here = "; 60 intervals that Fast Reserve claims, too, are paid here";
    const there = "; 60 of 120 intervals are paid in Summer Peak, which comes first";
    expect(linesOf(statement, "energy")).toEqual([
      [second, "25.000", "25.00", `delivered${there}`],
      [first, "50.000", "50.00", `delivered${here}`],
    ]);
    // 48 kWh are committed, of which half an hour is neither paid nor missing.
    expect(linesOf(statement, "penalty")).toEqual([
      [second, "0.000", "0.00", `not below 100 % of the commitment${there}`],
      [first, "0.000", "0.00", `not below 100 % of the commitment${here}`],
    ]);
    const shared = statement.sites.flatMap(({ lines }) => lines.flatMap((line) => line.shared_with));
    expect(shared).toContainEqual({ dispatch_id: first, intervals: 60, paid: "there" });
    expect(shared).toContainEqual({ dispatch_id: second, intervals: 60, paid: "here" });
    expect(statement.programs.map(({ rules_version }) => rules_version)).toEqual([2, 2]);
    await expectRecomputed(id);
    expect([await sharedBy(first), await sharedBy(second)]).toEqual([
      [[second, "Fast Reserve", "here", 1, 60]],
      [[first, "Summer Peak", "there", 1, 60]],
    ]);

    await service.made(operator.changeDispatch, {
      params: { id: first },
      body: { authorized: false, void_reason: "a mistake" },
    });
    await untilLooked(service, async () => (await statementOf(service, id)).versions.length === 2);
    expect(linesOf(await statementOf(service, id), "energy")).toEqual([[second, "50.000", "50.00", "delivered"]]);
    await expectRecomputed(id);
    expect(await sharedBy(second)).toEqual([]);
  });
});
