import { operator } from "@curtail/contract";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import {
  example,
  file,
  header,
  imported,
  lines,
  none,
  prepare,
  send,
  service,
} from "../../support/imports-of-sites.js";

beforeAll(prepare);
const accountNames = async (): Promise<string[]> =>
  (await service.operator(operator.listAccounts, { query: { limit: 500 } })).body.items.map(({ name }) => name);

describe("the example of the documentation", () => {
  const all = { accounts: 2, sites: 4, meters: 6, enrolments: 4 };

  test("is tried without being written, imported, and nothing new the second time", async () => {
    const preview = await imported(example, true);
    expect(preview).toMatchObject({ dry_run: true, lines: 6, create: all, change: none, unchanged: none, faults: [] });
    expect(preview.preview).toHaveLength(6);
    expect(await accountNames()).toEqual([]);

    expect(await imported(example)).toEqual({ ...preview, dry_run: false });
    expect(await accountNames()).toEqual(["North Cold Storage", "Acme Stores"]);

    const again = await imported(example);
    expect(again).toMatchObject({ create: none, change: none, unchanged: all });
    expect(again.preview[0]).toEqual({
      line: 2,
      account_name: "North Cold Storage",
      account: "existing",
      site_name: "Warehouse 4711",
      site: "existing",
      meter_name: "main",
      meter: "existing",
      enrolment: "existing",
    });
  });

  test("is audited like what is made one by one", async () => {
    const { items } = (await service.operator(operator.listAudit, { query: { limit: 500 } })).body;
    const actions = items.map(({ action, actor }) => `${actor} ${action}`);
    const times = (action: string) => actions.filter((each: string) => each === `operator ${action}`).length;
    expect([times("account.create"), times("site.create"), times("program.enrol")]).toEqual([2, 4, 4]);
    expect(items[0]).toMatchObject({ at: ahead(service, {}) });
  });

  test("makes sites, meters and commitments as the file says", async () => {
    const [, acme] = (await service.operator(operator.listAccounts)).body.items;
    const { items } = (await service.operator(operator.listAccountSites, { params: { id: acme?.id ?? "" } })).body;
    expect(items).toMatchObject([
      { name: "Store 1, Main Street", customer_location_id: "S-001", dispatch_group: "stores" },
      { timezone: "America/New_York", meters: [{ name: "main", asset_type: "load" }, { asset_type: "battery" }] },
    ]);
    const [program] = (await service.operator(operator.listPrograms)).body.items;
    const enrolments = (await service.operator(operator.listEnrolments, { params: { id: program?.id ?? "" } })).body
      .items;
    expect(enrolments.map(({ commitment }) => commitment)).toEqual([120, 90, 50, 35.5]);
  });

  test("changes what a later file says otherwise, and nothing that it leaves open", async () => {
    const later = `meter,asset_type,account,site,customer_location_id,dispatch_group,timezone,program,commitment_kw
main,,North Cold Storage,Warehouse North,4711,,,Peak hours,125
chiller,poi,North Cold Storage,Warehouse North,4711,,,,
roof,battery,North Cold Storage,Warehouse North,4711,,,,`;
    const result = await imported(later);
    expect(result.change).toEqual({ accounts: 0, sites: 1, meters: 1, enrolments: 1 });
    expect(result.create).toEqual({ ...none, meters: 1 });
    expect(result.preview.map(({ meter }) => meter)).toEqual(["existing", "new", "changed"]);
    const [north] = (await service.operator(operator.listAccounts)).body.items;
    const [site] = (await service.operator(operator.listAccountSites, { params: { id: north?.id ?? "" } })).body.items;
    expect(site).toMatchObject({ name: "Warehouse North", dispatch_group: "cold stores", timezone: "America/Chicago" });
    expect(
      (await service.operator(operator.listAudit, { query: { limit: 4 } })).body.items.map(({ action }) => action),
    ).toEqual(["program.enrol", "meter.change", "meter.create", "site.change"]);
  });
});

describe("a file", () => {
  test("puts sites on the map, and a later one without coordinates leaves them there", async () => {
    const located = `${header},latitude,longitude\nMaps,Pin,,,,a,load,+41.8781141,-87.6297982\nMaps,Pin,,,,b,load,,`;
    expect(await imported(located)).toMatchObject({ create: { sites: 1, meters: 2 } });
    expect(await imported(file("Maps,Pin,,,,a,load"))).toMatchObject({ unchanged: { sites: 1 } });
    const { items } = (await service.operator(operator.listAllSites, { query: { located: true } })).body;
    expect(items).toMatchObject([{ name: "Pin", latitude: 41.878114, longitude: -87.629798 }]);
    expect(await imported(located.replace("-87.6297982", "-87.6"))).toMatchObject({ change: { sites: 1 } });
  });

  test("of a spreadsheet is read: byte order mark, semicolons, CRLF, quotes, empty lines", async () => {
    const csv = `\ufeff${header.replaceAll(",", ";")}\r\nKühl AG;"Haus; ""Nord""";;;Europe/Berlin;m;load\r\n\r\n;;;;;;\r\n`;
    expect(await imported(csv)).toMatchObject({ lines: 1, create: { accounts: 1, sites: 1, meters: 1 } });
    const result = await imported(csv, true);
    expect(result.preview).toMatchObject([{ account_name: "Kühl AG", site_name: 'Haus; "Nord"', meter: "existing" }]);
  });

  test("with faults writes nothing: a dry run lists them, an import names the first", async () => {
    const bad = `${header},colour\nNew,S,,,,m,load,red`;
    const worse = `${header}\nNew,S,,,,m,load\nNew,T,,,Mars/Base,m,load\nNew,U,,,,m,lamp`;
    expect(await imported(bad, true)).toMatchObject({ faults: [{ line: 1, column: "colour" }], create: none });
    const { faults, fault_count } = await imported(worse, true);
    expect(fault_count).toBe(2);
    expect(faults).toMatchObject([
      { line: 3, column: "timezone" },
      { line: 4, column: "asset_type" },
    ]);
    expectError(await send(bad), 400, /^nothing was imported; line 1, colour: unknown column/);
    expectError(await send(worse), 400, /line 3, timezone: .*; line 4, asset_type: .*dry_run true for the whole list$/);
    expectError(await send(`${header}\nNew,S,,,,m,load\nNew,"S"x,,,,n,load`), 400, /line 3: the line is not valid CSV/);
    expectError(await send(""), 400, /line 1: the file is empty; it must begin with a header/);
    expectError(await send(`${header},program\nNew,S,,,,m,load,Other`), 400, /there is no program "Other"/);
    const near = `${header},program\nNew,S,,,,m,load,peak\u00a0IMPORT`;
    await service.made(operator.createProgram, {
      body: wireProgram({ name: "Peak import" }),
    });
    expectError(await send(near), 400, /there is no program "peak.IMPORT"; did you mean "Peak import"\?/);
    expect(await accountNames()).not.toContain("New");
  });

  test.each([
    ["of a million cells", ",".repeat(1_000_000)],
    ["of one long cell", "L".repeat(1_000_000)],
    ["that goes on in quotes", `"${"\n".repeat(1_000_000)}"`],
  ])("with a line %s names it, and is read no further", async (_, line) => {
    const { faults } = await imported(line, true);
    expect(faults.map(({ message }) => message)).toEqual([
      "the line has more than 16384 characters; shorten its cells",
    ]);
  });

  test.each(["\n", "\r\n", "\r"])(
    "names the number of a line that is too long, whatever ends the lines: %j",
    async (end) => {
      const { faults } = await imported([header, "New,S,,,,m,load", "L".repeat(20_000)].join(end), true);
      expect(faults.map(({ line }) => line)).toEqual([3]);
    },
  );

  test("sent twice at the same time makes everything once", async () => {
    const csv = `${header}\n${Array.from({ length: 50 }, (_, at) => `Twin,S${at},,,,m,load`).join("\n")}`;
    const results = await Promise.all([imported(csv), imported(csv)]);
    expect(results.map((result) => result.create.sites).toSorted((a, b) => a - b)).toEqual([0, 50]);
    expect((await accountNames()).filter((name) => name === "Twin")).toHaveLength(1);
  });

  test("is taken with 2,000 lines, and refused with one more", async () => {
    expect(await imported(lines(2000, "m"), true)).toMatchObject({ lines: 2000, fault_count: 0 });
    for (const count of [2001, 3000]) expectError(await send(lines(count, "m")), 400, /more than 2000 lines/);
  });

  test("must be there, and whether it is a trial too", async () => {
    expectError(await service.operator("POST", "/import", { csv: header }), 400, /^dry_run is missing/);
    expectError(await service.operator("POST", "/import", { dry_run: true }), 400, /^csv is missing/);
  });
});

const sent = (csv: string, confirm_near_matches?: boolean) =>
  service.operator(operator.importSites, {
    body: { csv, dry_run: false, ...(confirm_near_matches === undefined ? {} : { confirm_near_matches }) },
  });

describe("what is almost the same as something else", () => {
  const composed = "Caf\u00e9 X";

  beforeAll(async () => {
    await imported(file(`${composed},Hall,0001,,,Main meter,load`, `${composed},Yard,,,,Main meter,load`));
  });

  test.each([
    ["an account in decomposed letters", "Cafe\u0301 X,Hall,0001,,,Main meter,load", "account"],
    ["an account with a no-break space", "Caf\u00e9\u00a0X,Hall,0001,,,Main meter,load", "account"],
    ["an account in other case", "CAF\u00c9 X,Hall,0001,,,Main meter,load", "account"],
    ["an account with more spaces", "Caf\u00e9  X,Hall,0001,,,Main meter,load", "account"],
    ["an identifier without its leading zeros", `${composed},Hall,1,,,Main meter,load`, "customer_location_id"],
    ["a site in other case", `${composed},yard,,,,Main meter,load`, "site"],
    ["a site with an identifier, in other case", `${composed},YARD,y-1,,,Main meter,load`, "site"],
    ["a meter with a no-break space", `${composed},Hall,0001,,,Main\u00a0meter,load`, "meter"],
  ])("%s is shown by a dry run and refused until it is confirmed", async (_, row, column) => {
    const before = await accountNames();
    const [first, ...others] = (await imported(file(row), true)).near_matches;
    expect(first).toMatchObject({ line: 2, column, message: expect.stringContaining("almost the same as") });
    expect(others).toEqual([]);
    expectError(await sent(file(row)), 400, /^nothing was imported; line 2, .* confirm_near_matches true/);
    expect(await accountNames()).toEqual(before);
  });

  test("a confirmed import creates it", async () => {
    const csv = file("CAF\u00c9 X,Other hall,9,,,Main meter,load");
    expect((await sent(csv, true)).status).toBe(200);
    expect(await accountNames()).toContain("CAF\u00c9 X");
    expect((await imported(csv, true)).near_matches).toEqual([]);
  });
});
