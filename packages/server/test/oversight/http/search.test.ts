import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let harbor: Participant;
let other: Participant;
let user: Browser;
let program: string;
let dispatch: string;

beforeAll(async () => {
  service = await running();
  harbor = await service.newParticipant({ name: "Harbor Foods", sites: [["Main feed"], ["Solar"]] });
  other = await service.newParticipant({ name: "Hill 100% Steel_Works", sites: [["Harbor crane"]] });
  const [first, second] = harbor.sites;
  const name = (id: string | undefined, body: object) =>
    service.made(operator.changeSite, { params: { id: id ?? "" }, body });
  await name(first?.id, { name: "Cold Harbor", customer_location_id: "HF-01" });
  await name(second?.id, { name: 'Annex 🧊 O\'Brien "B"', customer_location_id: "HF-02" });
  await name(other.sites[0]?.id, { name: "Rolling mill", customer_location_id: "HILL-7" });
  program = await newProgram(service, [harbor, other]);
  const sites = [{ site_id: first?.id ?? "" }];
  const times = { start_time: ahead(service, { seconds: 60 }), end_time: ahead(service, { seconds: 3600 }) };
  dispatch = (await newDispatch(service, program, { ...times, sites })).id;
  await service.made(operator.createContact, {
    params: { id: harbor.accountId },
    body: { name: "Ana Lopez", email: "ana@harbor.example", phone: "+1 555 010 0200" },
  });
  user = await newBrowser(service, "participant-viewer", harbor.accountId);
});

const found = async (q: string) => (await service.made(operator.search, { query: { q } })).items;
const named = async (q: string) => (await found(q)).map(({ kind, name }) => `${kind} ${name}`);
const own = async (q: string) => (await user.console(participantConsole.searchOwn, { query: { q } })).body.items;

describe("the operators' search", () => {
  test("finds every kind by a part of its name, those that begin with it first", async () => {
    expect(await named("harbor")).toEqual([
      "account Harbor Foods",
      "site Cold Harbor",
      "meter Harbor crane",
      "contact Ana Lopez",
    ]);
    expect(await found("HF-01")).toMatchObject([{ kind: "site", detail: "HF-01", account_name: "Harbor Foods" }]);
    expect(await found("solar")).toMatchObject([{ kind: "meter", site_id: harbor.sites[1]?.id }]);
  });

  test("finds by identifier, mail, phone, and dispatches by the day on which they start", async () => {
    expect(await found(harbor.accountId)).toMatchObject([{ kind: "account", id: harbor.accountId }]);
    expect(await found(dispatch.toUpperCase())).toMatchObject([{ kind: "dispatch", id: dispatch }]);
    expect(await named("ana@harbor")).toEqual(["contact Ana Lopez"]);
    expect(await named("010 0200")).toEqual(["contact Ana Lopez"]);
    const [{ start_time, timezone } = { start_time: null, timezone: null }] = await found(dispatch);
    const day = new Date(start_time ?? "").toLocaleDateString("sv-SE", { timeZone: timezone ?? "" });
    expect((await found(day)).map(({ id }) => id)).toEqual([dispatch]);
  });

  test("takes wildcards, quotes, emoji and spaces literally", async () => {
    expect(await named("100%")).toEqual(["account Hill 100% Steel_Works"]);
    expect(await named("l_w")).toEqual(["account Hill 100% Steel_Works"]);
    expect(await named("%")).toEqual(["account Hill 100% Steel_Works"]);
    expect(await named(`O'Brien "b"`)).toEqual([`site Annex 🧊 O'Brien "B"`]);
    expect(await named("  🧊  o'b ")).toEqual([`site Annex 🧊 O'Brien "B"`]);
    expect(await named("\\")).toEqual([]);
    expect(await named("   ")).toEqual([]);
  });

  test("takes a text as long as a name, and no longer one", async () => {
    expect(await named("x".repeat(200))).toEqual([]);
    expectError(await service.operator("GET", `/search?q=${"x".repeat(201)}`), 400, /q/);
    expectError(await service.operator("GET", "/search?q="), 400, /q/);
    expectError(await service.operator("GET", "/search"), 400, /q/);
  });

  test("is open to auditors, and closed to participants", async () => {
    const auditor = await newBrowser(service, "auditor", null);
    const asked = { query: { q: "harbor" } };
    expect((await auditor.operator(operator.search, asked)).status).toBe(200);
    expect((await user.operator(operator.search, asked)).status).toBe(404);
  });
});

describe("a participant's search", () => {
  test("finds its own sites, meters and dispatches, and nothing of another account", async () => {
    expect((await own("harbor")).map(({ name }) => name)).toEqual(["Cold Harbor"]);
    expect((await own("solar")).map(({ kind }) => kind)).toEqual(["meter"]);
    expect((await own(dispatch)).map(({ id }) => id)).toEqual([dispatch]);
    for (const foreign of ["rolling", "HILL", "crane", other.accountId, other.sites[0]?.id ?? "", "ana"])
      expect(await own(foreign)).toEqual([]);
    const theirs = await newBrowser(service, "participant-viewer", other.accountId);
    const asked = await theirs.console(participantConsole.searchOwn, { query: { q: dispatch } });
    expect(asked.body.items).toEqual([]);
  });

  test("finds a dispatch from its notification on, and none that was cancelled before", async () => {
    const later = ahead(service, { seconds: 7200 });
    const hidden = async () =>
      newDispatch(service, program, {
        sites: [{ site_id: harbor.sites[0]?.id ?? "" }],
        start_time: later,
        end_time: ahead(service, { seconds: 9000 }),
        notification_time: ahead(service, { seconds: 600 }),
      });
    const [withdrawn, announced] = [await hidden(), await hidden()];
    await service.made(operator.changeDispatch, { params: { id: withdrawn.id }, body: { authorized: false } });
    expect(await own(announced.id)).toEqual([]);
    expect(await found(announced.id)).toHaveLength(1);
    service.clock.advance({ seconds: 601 });
    expect(await own(announced.id)).toHaveLength(1);
    expect(await own(withdrawn.id)).toEqual([]);
  });
});

test("of 10,000 sites has the five best", async () => {
  await service.database.pool.query(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select 'site_many' || n, $1, 'Store number ' || n, 'ST-' || n, '', 'UTC', now() from generate_series(1, 10000) as n`,
    [harbor.accountId],
  );
  const sites = (await found("number")).filter(({ kind }) => kind === "site");
  expect(sites).toHaveLength(5);
  expect((await found("ST-77")).map(({ detail }) => detail)).toEqual([
    "ST-77",
    "ST-770",
    "ST-7700",
    "ST-7701",
    "ST-7702",
  ]);
  expect(await own("store")).toHaveLength(5);
});
