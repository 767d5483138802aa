import { listMappingLayouts, type MappingProfile, operator } from "@curtail/contract";
import { MAX_MAPPING_PROFILES, MAX_PROFILE_CHARACTERS } from "@curtail/contract/constants";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import {
  answers,
  dryRun,
  file,
  imported,
  inBerlin,
  keep,
  moveTo,
  newSite,
  operatorFor,
  ownKeeper,
  personFor,
  prepare,
  refused,
  type Saving,
  service,
} from "../../support/mapping-profiles.js";
import { firstOf } from "../../support/metering.js";
import type { Participant } from "../../support/running.js";

beforeAll(prepare);

describe("a file with the header of a kept profile", () => {
  test("has its columns guessed if the request says none, or states a mapping", async () => {
    const anna = await newSite();
    await keep(anna, "Stadtwerke");
    for (const query of [{ mapping_profile: "none" }, { mapping_profile: "None" }, { mapping: '{"decimal":","}' }]) {
      const open = await imported(anna, file(), { ...dryRun, ...query, timezone: "Europe/Berlin" });
      expect(open.mapping_profile).toBeNull();
      expect(open.doubts?.map(({ member }) => member)).toEqual(["time.format", "time.label"]);
    }
  });

  test("is read by the one that was saved last, and the others are named", async () => {
    const anna = await newSite();
    await keep(anna, "first");
    await keep(anna, "second", { ...answers, label: "end" });
    const chosen = async () => (await imported(anna, file(), dryRun)).mapping_profile;
    expect(await chosen()).toMatchObject({ name: "second", others: ["first"] });
    const [first] = await operatorFor(anna).list();
    const { id: _, saved_at: __, saved_by: ___, ...again } = first as MappingProfile;
    expect((await operatorFor(anna).save({ ...again, replace: true })).body.id).toBe(first?.id);
    expect(await chosen()).toMatchObject({ name: "first", others: ["second"] });
  });

  test("is guessed again once the profile is deleted, and what was imported stays", async () => {
    const anna = await newSite();
    const { id } = await keep(anna, "Stadtwerke");
    await imported(anna, file());
    expect((await operatorFor(anna).remove(id)).status).toBe(204);
    expect(await imported(anna, file(), inBerlin)).toMatchObject({ fault_count: 2, mapping_profile: null });
    await refused(anna, file(), {}, /^nothing was imported; .*is the day or the month first/);
    const { rows } = await service.database.pool.query(
      "select from telemetry_hours join sites on sites.key = telemetry_hours.site where sites.id = $1",
      [firstOf(anna).siteId],
    );
    expect(rows).toHaveLength(1);
  });

  test("goes to a meter that was renamed meanwhile, if its site has no other", async () => {
    const anna = await newSite();
    await keep(anna, "Stadtwerke");
    const { meterId } = firstOf(anna);
    await service.made(operator.changeMeter, { params: { id: meterId }, body: { name: "Hauptzähler" } });
    expect((await imported(anna, file())).series).toMatchObject([{ meter_id: meterId, meter_name: "Hauptzähler" }]);
  });

  test("asks for the meter again if a meter that its columns name was renamed", async () => {
    const anna = await newSite(["north", "south"]);
    const wide = ["Zeit;north (kWh);south (kWh)", "06.05.2026 00:00;1,5;2", "06.05.2026 00:15;1;2,5"].join("\n");
    const { header = null } = await imported(anna, wide, dryRun);
    await operatorFor(anna).save({ name: "wide", header, mapping: { time: answers } });
    expect(await imported(anna, wide, dryRun)).toMatchObject({ fault_count: 0, mapping_profile: { name: "wide" } });
    const [meterId = ""] = anna.sites[0]?.meters ?? [];
    await service.made(operator.changeMeter, { params: { id: meterId }, body: { name: "east" } });
    await refused(
      anna,
      wide,
      {},
      /^nothing was imported; line 2: the series "north": the site has no meter of this name.*read by the mapping profile "wide", which has its header; mapping_profile=none/,
    );
    expect(await imported(anna, wide, { series: [`north=${meterId}`] })).toMatchObject({
      mapping_profile: { name: "wide" },
    });
  });

  test("of a night whose clocks are set back is asked about as without it, unless the profile answers", async () => {
    const anna = await newSite();
    const night = [
      "Zeit;Verbrauch (kWh)",
      ...["01:00", "02:00", "03:00", "04:00"].map((time, at) => `26.10.2025 ${time};${at},5`),
    ].join("\n");
    await keep(anna, "Stadtwerke");
    const open = await imported(anna, night, dryRun);
    expect(open).toMatchObject({ mapping_profile: { name: "Stadtwerke" } });
    expect(open.faults.map(({ message }) => message)).toEqual([expect.stringMatching(/clocks show/)]);
    const { header = null } = open;
    const mapping = { time: answers, leave_out: { doubled_hour: true } };
    await operatorFor(anna).save({ name: "Stadtwerke", header, mapping, replace: true });
    expect(await imported(anna, night, dryRun)).toMatchObject({ fault_count: 0, intervals: 3 });
  });
});

describe("a profile by its name", () => {
  test("is used whatever the header is, and says that it differs", async () => {
    const anna = await newSite();
    await keep(anna, "Stadtwerke");
    const other = await imported(anna, file("06.05.2026", "Bezug"), { ...dryRun, mapping_profile: " stadtWERKE" });
    expect(other).toMatchObject({ fault_count: 0, mapping_profile: { name: "Stadtwerke", chosen_by: "name" } });
    expect(other.reasons).toContain("the header of the file is not that of the profile");
  });

  test("may have members of a mapping before its own", async () => {
    const anna = await newSite();
    await keep(anna, "Stadtwerke");
    const query = { mapping_profile: "Stadtwerke", mapping: '{"time":{"label":"end"}}' };
    const { mapping } = await imported(anna, file(), { ...dryRun, ...query });
    expect(mapping?.time).toMatchObject({ format: "day_first", label: "end" });
  });

  test("may be a layout that comes with the service", async () => {
    const anna = await newSite();
    const { items } = (await service.operator(operator.listAccountMappingLayouts)).body;
    expect(items.map(({ name }) => name)).toContain("compact-times");
    expect((await anna.call(listMappingLayouts)).body.items).toEqual(items);
    const compact = "Tijd;Verbruik\n202605060015;1.5\n202605060030;2.5\n";
    const query = { ...dryRun, mapping_profile: "compact-times", timezone: "Europe/Amsterdam" };
    expect(await imported(anna, compact, query)).toMatchObject({
      fault_count: 0,
      mapping_profile: { id: null, name: "compact-times", chosen_by: "name", others: [] },
    });
  });

  test("that is not there is refused with those that are", async () => {
    const anna = await newSite();
    await keep(anna, "Stadtwerke");
    await refused(
      anna,
      file(),
      { ...dryRun, mapping_profile: "Stadtwerk" },
      /^mapping_profile is "Stadtwerk"; the account keeps "Stadtwerke"\. Name one of them or a layout that comes with the service, or none/,
    );
  });

  test("whose column the file does not have is named with it", async () => {
    const anna = await newSite();
    const { header = null } = await imported(anna, file(), dryRun);
    await operatorFor(anna).save({
      name: "wide",
      header,
      mapping: { time: answers, values: [{ column: 5, unit: "kWh" }] },
    });
    await refused(
      anna,
      file(),
      {},
      /line 1: the profile "wide" takes the values of .* from column 5, and the file has 2 columns/,
    );
  });

  test("has its own time zone: another one is refused, and that of another site is noted", async () => {
    const anna = await newSite(["main"], "Europe/London");
    await keep(anna, "Stadtwerke");
    await refused(
      anna,
      file(),
      { timezone: "UTC" },
      /line 1: the profile "Stadtwerke" has times in "Europe\/Berlin", and the time zone "UTC" is stated/,
    );
    const named = { ...dryRun, mapping_profile: "Stadtwerke" };
    expect(await imported(anna, file(), named)).toMatchObject({
      fault_count: 0,
      notes: [
        {
          line: 1,
          message: 'times are read in Europe/Berlin, as the profile "Stadtwerke" says; the site is in Europe/London',
        },
      ],
    });
    await moveTo(anna, "Europe/Berlin");
    expect((await imported(anna, file(), named)).notes).toEqual([]);
  });
});

describe("a profile by the header, at a site of another time zone", () => {
  test("leaves the zone open until the request states it or names the profile", async () => {
    const anna = await newSite(["main"], "Europe/London");
    await keep(anna, "Stadtwerke");
    const open = await imported(anna, file(), dryRun);
    expect(open).toMatchObject({ mapping_profile: { name: "Stadtwerke", chosen_by: "header" } });
    expect(open.doubts?.map(({ member }) => member)).toEqual(["time.zone"]);
    expect(open.fault_count).toBeGreaterThan(0);
    expect(open.notes).toEqual([
      {
        line: 1,
        message:
          'the profile "Stadtwerke" has times in Europe/Berlin, and the site is in Europe/London; state the profile by its name to use its zone, or also the zone of this file with mapping {"time":{"zone":"Europe/London"}}',
      },
    ]);
    await refused(anna, file(), {}, /has no offset from UTC; add it, or state the file's time zone/);
    const london = { mapping_profile: "Stadtwerke", mapping: '{"time":{"zone":"Europe/London"}}' };
    const starts = [
      [{ timezone: "Europe/Berlin" }, "2026-05-05T22:00:00Z"],
      [{ mapping_profile: "Stadtwerke" }, "2026-05-05T22:00:00Z"],
      [london, "2026-05-05T23:00:00Z"],
    ] as const;
    for (const [query, start_time] of starts)
      expect(await imported(anna, file(), { ...dryRun, ...query })).toMatchObject({
        doubts: [],
        series: [{ start_time }],
      });
  });

  test("knows UTC by each of its names", async () => {
    const anna = await newSite(["main"], "Etc/UTC");
    await keep(anna, "Stadtwerke", { ...answers, zone: "UTC" });
    expect(await imported(anna, file(), dryRun)).toMatchObject({ fault_count: 0, doubts: [], notes: [] });
  });
});

describe("an import that saves its mapping", () => {
  const mapping = JSON.stringify({ time: answers });

  test("stores neither readings nor the mapping if one of them is refused", async () => {
    const anna = await newSite();
    await keep(anna, "Stadtwerke");
    const taken = /^the account has a mapping profile "Stadtwerke"; choose another name, or replace it/;
    await refused(anna, file(), { mapping, save_profile: "STADTWERKE" }, taken);
    await refused(anna, file(), { save_profile: "other", mapping_profile: "none" }, /^nothing was imported/);
    await refused(anna, "<feed/>", { save_profile: "other" }, /^nothing was imported/);
    expect((await operatorFor(anna).list()).map(({ name }) => name)).toEqual(["Stadtwerke"]);
    const { rows } = await service.database.pool.query(
      "select from telemetry_hours join sites on sites.key = telemetry_hours.site where sites.id = $1",
      [firstOf(anna).siteId],
    );
    expect(rows).toHaveLength(0);
    const replacing = { mapping, save_profile: "STADTWERKE", replace_profile: true };
    expect((await imported(anna, file(), replacing)).saved_profile).toBe("STADTWERKE");
    expect((await operatorFor(anna).list()).map(({ name }) => name)).toEqual(["STADTWERKE"]);
  });

  test("is refused for a file that has no mapping", async () => {
    const anna = await newSite();
    const nem12 = [
      "100,NEM12,202606020000,MDP1,Ret1",
      "200,NMI0000001,E1,E1,E1,N1,01009,kWh,30,",
      `300,20260601,${Array.from({ length: 48 }, () => "1").join(",")},A,,,20260602000000,`,
      "900",
    ].join("\n");
    const { meterId } = firstOf(anna);
    await refused(anna, nem12, { save_profile: "x", meter_id: meterId }, /^save_profile is for CSV files/);
  });
});

/** Values of a mapping whose last name has so many characters. */
const named = (last: number) => [
  ...Array.from({ length: 318 }, () => ({ name: "n".repeat(194) })),
  { name: "n".repeat(last) },
];

describe("the audit log", () => {
  const auditOf = async (subject: string) =>
    (await service.operator(operator.listAudit, { query: { subject } })).body.items as unknown as ReadonlyArray<{
      readonly action: string;
      readonly before: AuditedMapping | null;
      readonly after: AuditedMapping | null;
    }>;
  type AuditedMapping = { readonly mapping: object | null; readonly mapping_digest: string };

  test("has no entry for a profile that is saved again as it is, unless it becomes the newest", async () => {
    const anna = await newSite();
    const keeper = operatorFor(anna);
    const { id, saved_at } = await keep(anna, "first");
    const [first] = await keeper.list();
    const again = { name: "first", header: first?.header ?? null, mapping: { time: answers }, replace: true };
    service.clock.set(new Date(service.clock.now().getTime() + 60_000));
    expect((await keeper.save(again)).body).toMatchObject({ id, saved_at });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(["mapping_profile.create"]);
    await keep(anna, "second");
    await keeper.save(again);
    expect((await imported(anna, file(), dryRun)).mapping_profile?.name).toBe("first");
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      "mapping_profile.change",
      "mapping_profile.create",
    ]);
  });

  test("has the digest of a long mapping in place of it, the same for the same mapping", async () => {
    const keeper = operatorFor(await newSite());
    const long = { values: named(1) };
    const { id } = (await keeper.save({ name: "long", mapping: long })).body;
    await keeper.save({ name: "long", mapping: { decimal: "," }, replace: true });
    await keeper.save({ name: "long", mapping: long, replace: true });
    const [third, second, first] = await auditOf(id);
    expect(third?.after?.mapping).toBeNull();
    expect(third?.before).toMatchObject({ mapping: { decimal: "," } });
    expect(new Set([third?.after, second?.before, first?.after].map((state) => state?.mapping_digest)).size).toBe(1);
    expect(third?.before?.mapping_digest).toBe(second?.after?.mapping_digest);
    expect(third?.before?.mapping_digest).not.toBe(third?.after?.mapping_digest);
  });
});

describe("an account", () => {
  test("has a bounded number of profiles; one of them can be replaced", async () => {
    const keeper = operatorFor(await newSite());
    for (let count = 0; count < MAX_MAPPING_PROFILES; count++)
      expect((await keeper.save({ name: `p${count}`, mapping: { decimal: "," } })).status).toBe(201);
    const more = { name: "more", mapping: { decimal: "," as const }, replace: true };
    expectError(await keeper.save(more), 400, /^the account already has 50 mapping profiles, the maximum/);
    expect((await keeper.save({ ...more, name: "P7" })).status).toBe(201);
    expect(await keeper.list()).toHaveLength(MAX_MAPPING_PROFILES);
  });

  test("keeps no mapping that is too long", async () => {
    const keeper = operatorFor(await newSite());
    const lengthOf = (last: number) => JSON.stringify({ values: named(last) }).length;
    const last = MAX_PROFILE_CHARACTERS - lengthOf(0);
    expect(last).toBeGreaterThan(0);
    expect((await keeper.save({ name: "long", mapping: { values: named(last) } })).status).toBe(201);
    expectError(
      await keeper.save({ name: "longer", mapping: { values: named(last + 1) } }),
      400,
      /^the mapping has 65537 characters as JSON; a profile has at most 65536/,
    );
  });

  test("keeps one of two mappings that are saved under one name at the same time", async () => {
    const anna = await newSite();
    const keepers = [operatorFor(anna), ownKeeper(anna.call), await personFor(anna)];
    const saved = await Promise.all(
      keepers.flatMap((keeper) => ["Portal", "portal"].map((name) => keeper.save({ name, mapping: { decimal: "," } }))),
    );
    expect(saved.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await operatorFor(anna).list()).toHaveLength(1);
  });

  test("has no profiles in the sandbox", async () => {
    const anna = await newSite();
    await keep(anna, "Stadtwerke");
    const call = await service.sandboxCall(anna);
    expect((await call("GET", "/mapping-profiles")).status).toBe(404);
  });
});

describe.each([
  ["the operator", async (anna: Participant) => operatorFor(anna)],
  ["a person of the account", personFor],
  ["a key of the account", async (anna: Participant) => ownKeeper(anna.call)],
] as const)("%s", (who, keeperOf) => {
  test.for([
    [{ name: "none" }, /^"none" means no mapping profile/],
    [{ name: "Compact-Times" }, /^"Compact-Times" is a layout that comes with the service/],
    [{ name: " \u00a0 " }, /^the name of a mapping profile is blank/],
    [{ name: "" }, /^name is ""/],
    [{ name: "x".repeat(101) }, /^name/],
    [{ name: "tab\t" }, /^name/],
    [{ header: "3f8a" }, /^header is "3f8a"/],
    [{ mapping: {} }, /^mapping states nothing/],
    [{ mapping: { colunm: 1 } }, /^mapping has the unknown member "colunm"/],
    [{ mapping: { time: { formt: "day_first" } } }, /^mapping has the unknown member "time.formt"/],
    [{ mapping: { time: { format: "us" } } }, /^mapping.time.format is "us"/],
    [{ mapping: { values: Array.from({ length: 501 }, () => ({})) } }, /^mapping.values/],
  ] as const)("is refused %o", async ([wrong, message]) => {
    const keeper = await keeperOf(await newSite());
    expectError(
      await keeper.save({ name: "x", mapping: { decimal: "," }, ...wrong } as unknown as Saving),
      400,
      message,
    );
    expect(await keeper.list()).toEqual([]);
  });
});
