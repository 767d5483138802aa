import { listSites, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { kwReading, upload } from "../../support/metering.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { rowsOfBoth } from "../../support/table-rows.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const found = async (query = ""): Promise<string[]> =>
  (await service.operator("GET", `/sites?${query}`)).body.items.map((site: { id: string }) => site.id);

describe("the list of all sites", () => {
  let anna: Participant;
  let ben: Participant;

  beforeAll(async () => {
    [anna, ben] = [
      await service.newParticipant({ name: "Anna", sites: [["main"], ["main"]] }),
      await service.newParticipant({ name: "Ben" }),
    ];
    await service.made(operator.changeSite, {
      params: { id: anna.sites[0]?.id ?? "" },
      body: { customer_location_id: "Köln-4711", dispatch_group: "north" },
    });
    await service.made(operator.changeSite, {
      params: { id: ben.sites[0]?.id ?? "" },
      body: { name: "100% Mill", dispatch_group: "north" },
    });
  });

  test("has each as the account's own list has it, and the account's name", async () => {
    const [reading] = [kwReading(ben.sites[0]?.meters[0] ?? "", service.clock.now().toISOString(), 7)];
    await upload(ben, [reading]);
    const { items } = (await service.operator(operator.listAccountSites, { params: { id: ben.accountId } })).body;
    expect(items[0]?.meters[0]?.last_reading?.value).toBe(7);
    const all = (await service.operator(operator.listAllSites)).body.items;
    expect(all).toContainEqual({ ...items[0], account_name: "Ben" });
    expect(all).toHaveLength(3);
  });

  test("is narrowed to an account, a group, or what is searched for", async () => {
    const [first, second, third] = [anna.sites[0]?.id, anna.sites[1]?.id, ben.sites[0]?.id];
    expect(await found(`account_id=${anna.accountId}`)).toEqual([first, second]);
    expect(await found("dispatch_group=north")).toEqual([first, third]);
    expect(await found(`dispatch_group=north&account_id=${ben.accountId}`)).toEqual([third]);
    expect(await found("search=k%C3%96LN")).toEqual([first]);
    expect(await found("search=ANNA,")).toEqual([first, second]);
    expect(await found("search=0%25")).toEqual([third]);
    expect(await found("search=_%25")).toEqual([]);
    expect(await found(`search=${second?.slice(3).toUpperCase()}`)).toEqual([second]);
    expect(await found("search=nowhere")).toEqual([]);
    expect(await found("account_id=acc_%00")).toEqual([]);
  });

  test("is narrowed to sites with coordinates, or to those without", async () => {
    const [first, second, third] = [anna.sites[0]?.id ?? "", anna.sites[1]?.id ?? "", ben.sites[0]?.id ?? ""];
    await service.made(operator.changeSite, { params: { id: second }, body: { latitude: 0, longitude: 0 } });
    expect(await found("located=true")).toEqual([second]);
    expect(await found("located=false")).toEqual([first, third]);
    await service.made(operator.changeSite, { params: { id: second }, body: { latitude: null, longitude: null } });
    expect(await found("located=true")).toEqual([]);
  });

  test("is read by auditors, and refuses a search that no name could meet", async () => {
    const auditor = await newBrowser(service, "auditor");
    expect((await auditor.operator(operator.listAllSites, { query: { limit: 1 } })).body.next_cursor).not.toBeNull();
    expect((await auditor.operator(operator.listAllSites, { query: { search: "a".repeat(200) } })).status).toBe(200);
    expectError(await auditor.operator(operator.listAllSites, { query: { search: "a".repeat(201) } }), 400, /search/);
  });

  test("is not there for a participant's people", async () => {
    const person = await newBrowser(service, "participant-admin", anna.accountId);
    expectError(await person.operator(operator.listAllSites), 404, /for the role participant-admin/);
  });
});

describe("the coordinates of a site", () => {
  let siteId: string;

  beforeAll(async () => {
    const { accountId } = await service.newParticipant({ name: "Cora", sites: [] });
    const body = { name: "Rooftop", latitude: 52.5200066, longitude: -179.99999951 };
    siteId = (await service.made(operator.createSite, { params: { id: accountId }, body })).id;
  });

  const change = (body: object) => service.operator("PATCH", `/sites/${siteId}`, body);
  const stored = async () => {
    const { latitude, longitude } = (await service.operator(operator.getSite, { params: { id: siteId } })).body;
    return [latitude, longitude];
  };

  test("are kept to 6 decimals, stay unless they are given, and are audited", async () => {
    expect(await stored()).toEqual([52.520007, -180]);
    expect((await change({ name: "Roof" })).status).toBe(200);
    expect(await stored()).toEqual([52.520007, -180]);
    expect((await change({ latitude: -90, longitude: 180 })).status).toBe(200);
    const { items } = (await service.operator(operator.listAudit, { query: { subject: siteId, limit: 1 } })).body;
    expect(items[0]).toMatchObject({
      action: "site.change",
      before: { latitude: 52.520007, longitude: -180 },
      after: { latitude: -90, longitude: 180 },
    });
  });

  test("are both given or neither", async () => {
    await change({ latitude: 1, longitude: 2 });
    expectError(await change({ latitude: null }), 400, /give latitude with longitude, or null for both/);
    expectError(await change({ longitude: null }), 400, /give longitude with latitude/);
    expect((await change({ longitude: 3 })).body).toMatchObject({ latitude: 1, longitude: 3 });
    expect((await change({ latitude: null, longitude: null })).status).toBe(200);
    expectError(await change({ latitude: 1 }), 400, /give longitude with latitude/);
    expect(await stored()).toEqual([null, null]);
  });

  test.for([
    { latitude: 90.000001, longitude: 0 },
    { latitude: 0, longitude: -180.1 },
    { latitude: "1", longitude: 2 },
  ])("are refused beyond the earth: %o", async (body) => expectError(await change(body), 400, /latitude|longitude/));

  test("are in the downloaded file of sites", async () => {
    await change({ latitude: -33.8688197, longitude: 151.2092955 });
    const { csv, parquet } = await rowsOfBoth(service, "/operator/v1/sites/download?search=roof");
    for (const rows of [csv, parquet]) expect(rows).toMatchObject([{ latitude: -33.86882, longitude: 151.209296 }]);
    const { csv: without } = await rowsOfBoth(service, "/operator/v1/sites/download?located=false");
    expect(without.map(({ latitude }) => latitude)).toEqual([null, null, null]);
  });
});

// Specification, endpoint 6: GET /sites. Many of them: site.long.test.ts.
describe("the list of sites", () => {
  let anna: Participant;

  beforeAll(async () => {
    anna = await service.newParticipant({ name: "Anna", sites: [["grid", "solar"], []] });
  });

  const sites = async (participant = anna) => (await participant.call(listSites)).body.sites;

  test("has every site of the account with its meters, in the order of their creation", async () => {
    const [first, second] = anna.sites;
    expect((await anna.call(listSites)).body).toEqual({
      page: 0,
      perPage: 0,
      sites: [
        {
          id: first?.id,
          name: "Anna, site 1",
          customer_location_id: "",
          meters: [
            { id: first?.meters[0], name: "grid", asset_type: "load" },
            { id: first?.meters[1], name: "solar", asset_type: "load" },
          ],
        },
        { id: second?.id, name: "Anna, site 2", customer_location_id: "", meters: [] },
      ],
    });
  });

  test("is empty early in onboarding", async () => {
    const ben = await service.newParticipant({ sites: [] });
    expect((await ben.call(listSites)).body).toEqual({ page: 0, perPage: 0, sites: [] });
  });

  test("never shows a site of another account", async () => {
    const ben = await service.newParticipant({ sites: [["main"]] });
    expect((await sites(ben)).map((site) => site.id)).toEqual(ben.sites.map((site) => site.id));
  });

  test("shows a new name and a new meter at once, under the same id", async () => {
    const siteId = anna.sites[1]?.id;
    await service.made(operator.changeSite, {
      params: { id: siteId ?? "" },
      body: { name: "Café Ümläut 東京", customer_location_id: "0042" },
    });
    const meter = await service.made(operator.createMeter, { params: { id: siteId ?? "" }, body: { name: "new" } });
    expect((await sites())[1]).toEqual({
      id: siteId,
      name: "Café Ümläut 東京",
      customer_location_id: "0042",
      meters: [{ id: meter.id, name: "new", asset_type: "load" }],
    });
  });
});
