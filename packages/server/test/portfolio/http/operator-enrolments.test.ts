import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Participant, type Running, running } from "../../support/running.js";

// The operator API: enrolments of several sites at once.
let service: Running;
let anna: Participant;
let boris: Participant;
let id: string;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  boris = await service.newParticipant();
});

beforeEach(async () => {
  id = await newProgram(service, []);
});

const siteIds = () => [...anna.sites, ...boris.sites].map((site) => site.id);
const enrolled = async () =>
  (await service.made(operator.listEnrolments, { params: { id } })).items.map(({ site_id, commitment, baseline }) => ({
    site_id,
    commitment,
    baseline,
  }));
const enrol = (site_ids: readonly string[], more: object = {}) =>
  service.made(operator.enrolSites, { params: { id }, body: { site_ids: [...site_ids], ...more } });
const withdraw = (site_ids: readonly string[]) =>
  service.made(operator.withdrawSites, { params: { id }, body: { site_ids: [...site_ids] } });

describe("several sites at once", () => {
  test("are enrolled with the same commitment and baseline, across accounts", async () => {
    const baseline = { preset: "meter_before" };
    expect(await enrol(siteIds(), { commitment: 40, baseline })).toEqual({ enrolled: siteIds(), skipped: [] });
    expect(await enrolled()).toEqual(siteIds().map((site_id) => ({ site_id, commitment: 40, baseline })));
    const { items } = await service.made(operator.listAudit, { query: { limit: 3 } });
    expect(items.map(({ action }) => action)).toEqual(["program.enrol", "program.enrol", "program.enrol"]);
  });

  test("leave an existing enrolment as it is, and say which", async () => {
    const [first = "", second = ""] = siteIds();
    await enrol([first], { commitment: 12 });
    expect(await enrol([first, second, "site_0", second])).toEqual({
      enrolled: [second],
      skipped: [
        { site_id: first, reason: "already_enrolled" },
        { site_id: "site_0", reason: "not_found" },
      ],
    });
    expect(await enrolled()).toMatchObject([{ commitment: 12 }, { commitment: null }]);
  });

  test("are no failure when what is given is no identifier at all", async () => {
    const given = "no site, and a very long 'text'";
    expect(await enrol([given])).toEqual({ enrolled: [], skipped: [{ site_id: given, reason: "not_found" }] });
    expect(await withdraw([given])).toEqual({ withdrawn: [], skipped: [{ site_id: given, reason: "not_enrolled" }] });
  });

  test("are withdrawn, and those that were not enrolled are named", async () => {
    const [first = "", second = "", third = ""] = siteIds();
    await enrol([first, second]);
    expect(await withdraw([first, third])).toEqual({
      withdrawn: [first],
      skipped: [{ site_id: third, reason: "not_enrolled" }],
    });
    expect(await enrolled()).toMatchObject([{ site_id: second }]);
  });

  test("are refused as a whole if the program or the baseline does not exist", async () => {
    const body = { site_ids: siteIds() };
    expectError(await service.operator(operator.enrolSites, { params: { id: "prg_0" }, body }), 404, /No such program/);
    expectError(
      await service.operator(operator.withdrawSites, { params: { id: "prg_0" }, body }),
      404,
      /No such program/,
    );
    const baseline = { preset: "high_9_of_9" };
    expectError(
      await service.operator(operator.enrolSites, { params: { id }, body: { ...body, baseline } }),
      400,
      /high_9_of_9/,
    );
    expectError(await service.operator(operator.enrolSites, { params: { id }, body: { site_ids: [] } }), 400);
    expect(await enrolled()).toEqual([]);
  });
});
