import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { uploadIntervals } from "../../support/measuring.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const firstSteps = () => service.made(operator.getFirstSteps, {});
const done = async () => (await firstSteps()).steps.filter((each) => each.done).map(({ step }) => step);

// In this order: the service begins empty.
describe("the first steps of a service", () => {
  let anna: Participant;
  let programId: string;

  test("are all open in an empty service", async () => {
    expect(await firstSteps()).toEqual({
      steps: operator.firstSteps.map((step) => ({ step, done: false })),
      account_id: null,
      site_id: null,
      program_id: null,
      hidden_sites: 0,
    });
  });

  test("turn done by what is stored, whoever stored it", async () => {
    const { id } = await service.made(operator.createAccount, { body: { name: "Bare" } });
    expect(await done()).toEqual(["account"]);
    await service.made(operator.createSite, { params: { id }, body: { name: "No meter" } });
    expect(await done()).toEqual(["account", "site"]);
    anna = await service.newParticipant();
    expect(await done()).toEqual(["account", "site", "meter", "key"]);
    programId = await newProgram(service, []);
    expect(await done()).toEqual(["account", "site", "meter", "program", "key"]);
  });

  test("continue with the site that is furthest", async () => {
    expect(await firstSteps()).toMatchObject({
      account_id: anna.accountId,
      site_id: anna.sites[0]?.id,
      program_id: programId,
    });
  });

  test("count sites that send readings which their users cannot see", async () => {
    const endMs = service.clock.now().getTime() - 60_000;
    await uploadIntervals(anna, anna.sites[0]?.meters[0] ?? "", [{ endMs, seconds: 60, kw: 412 }]);
    expect(await firstSteps()).toMatchObject({ hidden_sites: 1 });
    expect(await done()).toContain("reading");
    const params = { id: anna.sites[0]?.id ?? "" };
    await service.made(operator.changeSite, { params, body: { display_enabled: true } });
    expect(await firstSteps()).toMatchObject({ hidden_sites: 0 });
  });

  test("end with a dispatch", async () => {
    const params = { id: programId, site_id: anna.sites[0]?.id ?? "" };
    await service.made(operator.enrolSite, { params, body: { commitment: 10 } });
    await newDispatch(service, programId);
    // Nothing would notify the account yet.
    expect(await done()).toEqual(operator.firstSteps.filter((step) => step !== "channel"));
    const contact = { name: "Night shift", email: "night@example.com" };
    await service.made(operator.createContact, { params: { id: anna.accountId }, body: contact });
    expect(await done()).toEqual([...operator.firstSteps]);
  });

  test("do not count what belongs to a disabled account", async () => {
    const { items } = await service.made(operator.listAccounts, {});
    for (const { id } of items)
      await service.made(operator.changeAccount, { params: { id }, body: { disabled: true, confirm_running: true } });
    expect(await done()).toEqual(["program", "reading", "dispatch"]);
  });
});

test("operators are given the addresses that participants' systems connect to", async () => {
  expect(await service.made(operator.getAddresses, {})).toMatchObject({
    rest_url: `${service.url}/2022-04-15`,
    api_key_header: "X-Service-API-Key",
  });
});
