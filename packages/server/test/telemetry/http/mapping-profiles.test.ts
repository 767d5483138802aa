import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import {
  answers,
  dryRun,
  file,
  imported,
  inBerlin,
  keep,
  newSite,
  operatorFor,
  ownKeeper,
  personFor,
  prepare,
  refused,
  service,
} from "../../support/mapping-profiles.js";
import { firstOf } from "../../support/metering.js";
import { newBrowser } from "../../support/people.js";
import type { Participant } from "../../support/running.js";

beforeAll(prepare);

describe("a file with the header of a kept profile", () => {
  test("is read by it in a dry run and in the import, and both say so", async () => {
    const anna = await newSite();
    expect(await imported(anna, file(), inBerlin)).toMatchObject({ fault_count: 2, mapping_profile: null });
    const { id } = await keep(anna, "Stadtwerke");
    const used = { id, name: "Stadtwerke", chosen_by: "header", others: [] };
    const next = file("07.05.2026");
    const preview = await imported(anna, next, dryRun);
    expect(preview).toMatchObject({ fault_count: 0, doubts: [], mapping_profile: used, saved_profile: null });
    expect(preview.reasons?.[0]).toBe('the mapping is the profile "Stadtwerke", which has the header of the file');
    const stored = await imported(anna, next);
    expect(stored.mapping_profile).toEqual(used);
    expect(stored.series).toMatchObject([{ start_time: "2026-05-06T22:00:00Z", energy_kwh: 4.5 }]);
  });

  test("is not read by that of another account, which does not see it either", async () => {
    const [anna, bert] = [await newSite(), await newSite()];
    const { id } = await keep(anna, "Stadtwerke");
    expect((await imported(bert, file(), dryRun)).mapping_profile).toBeNull();
    await refused(
      bert,
      file(),
      { mapping_profile: "Stadtwerke" },
      /^mapping_profile is "Stadtwerke"; the account keeps none/,
    );
    const other = { ...answers, label: "end" };
    await keep(bert, "Stadtwerke", other);
    expect((await imported(bert, file(), dryRun)).mapping?.time.label).toBe("end");
    expect((await imported(anna, file(), dryRun)).mapping?.time.label).toBe("start");
    const key = ownKeeper(bert.call);
    for (const keeper of [key, await personFor(bert)]) {
      expect((await keeper.list()).map(({ mapping }) => mapping.time?.label)).toEqual(["end"]);
      expectError(await keeper.remove(id), 404, /^No such mapping profile/);
    }
    expect((await imported(anna, file(), dryRun)).mapping_profile?.id).toBe(id);
  });
});

describe("an import that saves its mapping", () => {
  const mapping = JSON.stringify({ time: answers });

  test("keeps all of it with the header, and the next file of the layout needs nothing", async () => {
    const anna = await newSite();
    const query = { mapping, save_profile: "Stadtwerke" };
    const preview = await imported(anna, file(), { ...query, ...dryRun });
    expect(preview.saved_profile).toBeNull();
    // Each value has a comma before one digit; no cell tells what is between thousands.
    expect(preview).toMatchObject({ mapping: { thousands: "" }, profile_mapping: { decimal: ",", time: answers } });
    expect(preview.profile_mapping).not.toHaveProperty("thousands");
    expect(await operatorFor(anna).list()).toEqual([]);
    const stored = await imported(anna, file(), query);
    expect(stored).toMatchObject({ mapping_profile: null, saved_profile: "Stadtwerke" });
    expect(await operatorFor(anna).list()).toMatchObject([
      { header: stored.header, mapping: stored.profile_mapping, saved_by: "operator" },
    ]);
    const titled = ["Ein Titel", "", file("07.05.2026")].join("\n");
    expect(await imported(anna, titled)).toMatchObject({ mapping_profile: { name: "Stadtwerke" }, intervals: 3 });
  });
});

describe.each([
  ["the operator", async (anna: Participant) => operatorFor(anna)],
  ["a person of the account", personFor],
  ["a key of the account", async (anna: Participant) => ownKeeper(anna.call)],
] as const)("%s", (who, keeperOf) => {
  test("keeps, lists and deletes mappings, which is audited", async () => {
    const anna = await newSite();
    const keeper = await keeperOf(anna);
    const body = { name: "Portal", header: "0".repeat(32), mapping: { time: answers } };
    const { status, body: saved } = await keeper.save(body);
    expect(status).toBe(201);
    expect(saved).toEqual({ ...body, id: saved.id, saved_by: saved.saved_by, saved_at: "2026-06-10T12:00:00Z" });
    expect(await operatorFor(anna).list()).toEqual([saved]);
    expect(await keeper.list()).toEqual([saved]);
    expect((await keeper.save({ name: "portal ", mapping: { decimal: "," }, replace: true })).body).toMatchObject({
      id: saved.id,
      name: "portal ",
      header: null,
    });
    expect((await keeper.remove(saved.id)).status).toBe(204);
    expect(await keeper.list()).toEqual([]);
    const { items } = (await service.operator(operator.listAudit, { query: { subject: saved.id } })).body;
    expect(items).toMatchObject([
      { action: "mapping_profile.delete", before: { name: "portal " }, after: null },
      {
        action: "mapping_profile.change",
        before: { name: "Portal" },
        after: { mapping: { decimal: "," }, header: null },
      },
      { action: "mapping_profile.create", before: null, after: { name: "Portal", mapping: { time: answers } } },
    ]);
    expect(new Set(items.map(({ actor }) => actor))).toEqual(new Set([saved.saved_by]));
    expect(saved.saved_by).toMatch(
      who === "the operator" ? /^operator$/ : who.startsWith("a key") ? /^key:/ : /^user:/,
    );
  });
});

describe("an account", () => {
  test("that there is not has none, and its viewers only read", async () => {
    const params = { id: "acc_none" };
    const body = { name: "x", mapping: { decimal: "," as const } };
    expectError(await service.operator(operator.listAccountMappingProfiles, { params }), 404, /^No such account/);
    expectError(await service.operator(operator.saveAccountMappingProfile, { params, body }), 404, /^No such account/);
    const anna = await newSite();
    const { id } = await keep(anna, "Stadtwerke");
    const viewer = ownKeeper((await newBrowser(service, "participant-viewer", anna.accountId)).console);
    expect((await viewer.list()).map((each) => each.id)).toEqual([id]);
    expectError(await viewer.save(body), 404, /for the role participant-viewer/);
    expectError(await viewer.remove(id), 404, /for the role participant-viewer/);
    const own = { params: { id: firstOf(anna).siteId }, query: dryRun, body: file() };
    const admin = await newBrowser(service, "participant-admin", anna.accountId);
    expect((await admin.console(participantConsole.importOwnMeterData, own)).body.mapping_profile?.id).toBe(id);
  });
});
