import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { measuredProgram } from "../../support/measuring.js";
import { newBrowser } from "../../support/people.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;

const locate = (id: string, latitude: number | null, longitude: number | null) =>
  service.made(operator.changeSite, { params: { id }, body: { latitude, longitude } });
const asked = (tag = "") =>
  fetch(`${service.url}/operator/v1/sites/map`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, ...(tag === "" ? {} : { "if-none-match": tag }) },
  });
const map = () => service.made(operator.getSiteMap);

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ name: "Anna", sites: [["main"], ["main"], []] });
});

describe("the map of sites", () => {
  test("has no points before sites have coordinates, and no background unless one is set", async () => {
    expect(await map()).toEqual({ sites: [], without_coordinates: 3, tiles: null });
  });

  test("has each site with coordinates, its largest commitment, and counts the others", async () => {
    const [first, second] = [anna.sites[0]?.id ?? "", anna.sites[1]?.id ?? ""];
    await locate(first, 30.2672, -97.7431);
    await locate(second, 0, 0);
    await measuredProgram(service, [anna], { commitment: 40 });
    await measuredProgram(service, [anna], { commitment: 55.5 });
    await service.made(operator.createSite, { params: { id: anna.accountId }, body: { name: "Depot" } });
    const { sites, without_coordinates } = await map();
    expect(sites[0]).toEqual({
      id: first,
      account_id: anna.accountId,
      name: "Anna, site 1",
      latitude: 30.2672,
      longitude: -97.7431,
      commitment_kw: 55.5,
      simulated: false,
    });
    expect(sites.map(({ id }) => id)).toEqual([first, second]);
    expect(without_coordinates).toBe(2);
  });

  test("is not sent again while it is the same", async () => {
    const tag = (await asked()).headers.get("etag") ?? "";
    expect((await asked(tag)).status).toBe(304);
    await locate(anna.sites[0]?.id ?? "", 30.2673, -97.7431);
    const changed = await asked(tag);
    expect([changed.status, changed.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
    expect(changed.headers.get("vary")).toMatch(/authorization, cookie/);
  });

  test("is read by auditors, and is not there for a participant's people", async () => {
    const auditor = await newBrowser(service, "auditor");
    expect((await auditor.operator(operator.getSiteMap)).body.sites).toHaveLength(2);
    const person = await newBrowser(service, "participant-admin", anna.accountId);
    expectError(await person.operator(operator.getSiteMap), 404, /for the role participant-admin/);
  });
});
