import { operator } from "@curtail/contract";
import { events, programs, reports, resources, subscriptions, vens } from "@curtail/openadr-3";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PROJECTION } from "../../src/openadr-3/domain/projection.js";
import { callbackReceiver } from "../support/callback-receiver.js";
import { caughtUp } from "../support/caught-up.js";
import { newDispatch } from "../support/dispatching.js";
import { clientOf, requestToken, runningVtn, type Vtn } from "../support/openadr-3.js";
import { type Equipped, equipped, eventOf, operates } from "../support/openadr3-vens.js";
import { claimedKey, OPERATOR_TOKEN } from "../support/running.js";

let vtn: Vtn;
let anna: Equipped;
let bert: Equipped;
/** What Anna has, by type of object. */
let annas: Record<Kind, string>;
let sandboxKey: string;

const kinds = { programs, events, reports, subscriptions, vens, resources } as const;
type Kind = keyof typeof kinds;

beforeAll(async () => {
  vtn = await runningVtn();
  [anna, bert] = [await equipped(vtn, { name: "Anna's works" }), await equipped(vtn, { name: "Bert's works" })];
  sandboxKey = (await claimedKey(vtn, anna.participant.accountId, "sandbox")).key;
  const { id } = await newDispatch(vtn, anna.programId);
  const event = await eventOf(vtn, anna, id);
  const report = await operates(anna, event.id, "NORMAL");
  const receiver = await callbackReceiver();
  const subscription = await anna.ven.subscriptions.made({
    clientName: "annas gateway",
    objectOperations: [{ objects: ["EVENT"], operations: ["CREATE"], callbackUrl: receiver.url }],
  });
  const bl = await vtn.bl();
  const targeted = await bl.programs.made({ programName: "Only Anna's", targets: [anna.participant.sites[0]?.id] });
  annas = {
    programs: targeted.id,
    events: event.id,
    reports: report.id,
    subscriptions: subscription.id,
    vens: anna.venId,
    resources: (await anna.ven.resources.search()).body[0].id,
  };
});

// Wrong tokens are limited to 100 a minute.
beforeEach(() => vtn.clock.advance({ minutes: 1 }));

/** Everything that identifies Anna. */
const marks = (): string[] => [
  ...Object.values(annas),
  anna.ven.id,
  anna.participant.accountId,
  anna.participant.sites[0]?.id ?? "",
  "Only Anna's",
  "annas gateway",
];

const stored = async (): Promise<unknown> =>
  (await vtn.database.pool.query("select json_agg(o order by seq) as objects from openadr3_objects as o")).rows[0];

/** Objects of the clients that the test before made are there. */
const followed = () => caughtUp(vtn.database.pool, PROJECTION);

/** What other credentials get for every way to name an object of Anna's. */
const answers = async (token: string | null, kind: Kind) => {
  const authorization = { authorization: `Bearer ${token}` };
  const { path } = kinds[kind].get;
  const own = `${vtn.vtnUrl}${path.replace("{id}", annas[kind])}`;
  const unknown = `${vtn.vtnUrl}${path.replace("{id}", `${annas[kind].slice(0, 4)}0000000000000000`)}`;
  const get = async (url: string, method: string) => {
    const answer = await fetch(url, { method, headers: authorization });
    return { method, status: answer.status, text: (await answer.text()).replaceAll(/"instance":"[^"]*",?/g, "") };
  };
  const pairs = [];
  for (const method of ["GET", "DELETE"]) pairs.push([await get(own, method), await get(unknown, method)] as const);
  return { pairs, list: await get(`${vtn.vtnUrl}${kinds[kind].search.path}`, "GET") };
};

describe.for(Object.keys(kinds) as Kind[])("another account's %s", (kind) => {
  test("are to a VEN like objects that do not exist, and in none of its lists", async () => {
    await followed();
    const before = await stored();
    const { pairs, list } = await answers(bert.ven.token, kind);
    for (const [foreign, unknown] of pairs) {
      expect(foreign).toEqual(unknown);
      for (const mark of marks()) expect(foreign.text).not.toContain(mark);
    }
    expect(list.status).toBe(200);
    for (const mark of marks()) expect(list.text).not.toContain(mark);
    expect(await stored()).toEqual(before);
  });

  test("are not shown to a VEN of the same account in the sandbox, nor those of the sandbox in production", async () => {
    const rehearsing = await vtn.ven({ participant: anna.participant, environment: "sandbox" });
    const { pairs, list } = await answers(rehearsing.token, kind);
    for (const [foreign, unknown] of pairs) expect(foreign).toEqual(unknown);
    for (const mark of Object.values(annas)) expect(list.text).not.toContain(mark);
    const [mine] = (await rehearsing.vens.search()).body;
    expect(await anna.ven.vens.get(mine.id)).toMatchObject({ status: 404 });
    expect((await anna.ven.vens.search()).text).not.toContain(mine.id);
  });

  test("are not shown to a key of REST, of any environment, nor to an operator", async () => {
    const credentials = [anna.participant.key, sandboxKey, OPERATOR_TOKEN];
    for (const token of credentials) {
      const { pairs, list } = await answers(token, kind);
      for (const { status, text } of [...pairs.flat(), list]) {
        expect(status).toBe(403);
        for (const mark of marks()) expect(text).not.toContain(mark);
      }
    }
  });

  test("are not shown to their own client once it is revoked", async () => {
    const gone = await vtn.ven({ participant: anna.participant });
    await vtn.made(operator.revokeOpenadrClient, { params: { id: gone.id } });
    const { pairs, list } = await answers(gone.token, kind);
    for (const { status } of [...pairs.flat(), list]) expect(status).toBe(403);
  });
});

test("a token of OpenADR 3 opens nothing of the REST interfaces", async () => {
  for (const path of ["/2022-04-15/dispatches", "/operator/v1/accounts"]) {
    for (const headers of [{ authorization: `Bearer ${anna.ven.token}` }, { "x-api-key": String(anna.ven.token) }])
      expect((await fetch(`${vtn.url}${path}`, { headers })).status).toBeGreaterThanOrEqual(401);
  }
});

test("a VEN cannot write what only business logic may, nor for another client", async () => {
  const forbidden = [
    await bert.ven.programs.create({ programName: "Bert's" }),
    await bert.ven.events.create({ programID: annas.programs }),
    await bert.ven.programs.remove(annas.programs),
  ];
  for (const answer of forbidden) expect(answer).toMatchObject({ status: 403 });
  const foreign = { objectType: "BL_RESOURCE_REQUEST", clientID: anna.ven.id, venID: anna.venId, resourceName: "x" };
  expect([403, 404]).toContain((await bert.ven.resources.create(foreign)).status);
  const own = { objectType: "VEN_RESOURCE_REQUEST", venID: anna.venId, resourceName: "x" };
  expect(await bert.ven.resources.create(own)).toMatchObject({ status: 404 });
  expect(await operatesFor(annas.events)).toMatchObject({ status: 400 });
});

const operatesFor = (eventID: string) => bert.ven.reports.create({ eventID, clientName: "bert", resources: [] });

test("a REST key is no secret of a client", async () => {
  const form = { grant_type: "client_credentials", client_id: anna.ven.id, client_secret: anna.participant.key };
  expect(await requestToken(vtn.vtnUrl, form)).toMatchObject({ status: 401 });
  expect(await clientOf(vtn.vtnUrl, anna.participant.key).events.search()).toMatchObject({ status: 403 });
});
