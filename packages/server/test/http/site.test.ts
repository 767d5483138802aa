import { beforeAll, describe, expect, test } from "vitest";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, endpoint 6: GET /sites.
let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ name: "Anna", sites: [["grid", "solar"], []] });
});

const sites = async (participant = anna) => (await participant.call("GET", "/sites")).body.sites;
const store = (index: number) => ({ name: `Store ${index}`, meters: [{ name: "main" }] });

describe("the list of sites", () => {
  test("has every site of the account with its meters, in the order of their creation", async () => {
    const [first, second] = anna.sites;
    expect((await anna.call("GET", "/sites")).body).toEqual({
      page: 0,
      perPage: 0,
      sites: [
        {
          id: first?.id,
          name: "Anna, site 1",
          customer_location_id: "",
          meters: [
            { id: first?.meters[0], name: "grid" },
            { id: first?.meters[1], name: "solar" },
          ],
        },
        { id: second?.id, name: "Anna, site 2", customer_location_id: "", meters: [] },
      ],
    });
  });

  test("is empty early in onboarding", async () => {
    const ben = await service.newParticipant({ sites: [] });
    expect((await ben.call("GET", "/sites")).body).toEqual({ page: 0, perPage: 0, sites: [] });
  });

  test("never shows a site of another account", async () => {
    const ben = await service.newParticipant({ sites: [["main"]] });
    expect((await sites(ben)).map((site: { id: string }) => site.id)).toEqual(ben.sites.map((site) => site.id));
  });

  test("shows a new name and a new meter at once, under the same id", async () => {
    const siteId = anna.sites[1]?.id;
    await service.made("PATCH", `/sites/${siteId}`, { name: "Café Ümläut 東京", customer_location_id: "0042" });
    const meter = await service.made("POST", `/sites/${siteId}/meters`, { name: "new" });
    expect((await sites())[1]).toEqual({
      id: siteId,
      name: "Café Ümläut 東京",
      customer_location_id: "0042",
      meters: [{ id: meter.id, name: "new" }],
    });
  });

  test("comes whole in one call, however many there are", async () => {
    const ben = await service.newParticipant({ sites: [] });
    for (let index = 0; index < 130; index++)
      await service.made("POST", `/accounts/${ben.accountId}/sites`, store(index));
    expect((await sites(ben)).map((site: { name: string }) => site.name)).toEqual(
      Array.from({ length: 130 }, (_, index) => `Store ${index}`),
    );
  });
});
