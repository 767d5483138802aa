import {
  operator as contract,
  createTestDispatch,
  getDispatch,
  listDispatches,
  listSites,
  participantConsole,
} from "@curtail/contract";
import { gateway } from "@curtail/testing/gateway";
import { beforeAll, describe, expect, test } from "vitest";
import { callOn, newPeopledAccount, type PeopledAccount } from "../../support/console-calls.js";
import { expectError } from "../../support/expect-error.js";
import type { ParticipantCall } from "../../support/participant-calls.js";
import { needsVersions } from "../../support/participant-calls.js";
import { type Browser, follow, newBrowser, PASSWORD, trySignIn } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
let anna: PeopledAccount;
let bert: PeopledAccount;
let operator: Browser;

beforeAll(async () => {
  service = await running({ CURTAIL_SMS_URL: (await gateway()).url });
  anna = await newPeopledAccount(service, "Anna's works", "annas main");
  bert = await newPeopledAccount(service, "Bert's works", "berts main");
  operator = await newBrowser(service, "operator-admin");
});

const inHours = (hours: number): string => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();

const send = (browser: Browser, { method, path, body }: ParticipantCall) => browser.console(method, path, body);

/** Everything that identifies an account: ids, names and emails. */
const marksOf = ({ participant, names, admin, viewer }: PeopledAccount): string[] => [
  participant.accountId,
  participant.keyId,
  ...Object.values<string>({ ...names }),
  admin.id,
  admin.email,
  viewer.id,
  viewer.email,
  "annas main",
  "Anna's works",
];

/** What an account has, as the operator and the account itself see it. */
const stateOf = async ({ participant: { accountId }, names }: PeopledAccount): Promise<string> => {
  const { pool } = service.database;
  const { rows } = await pool.query(
    `select (select json_agg(u order by seq) from users u where account_id = $1) as users,
            (select json_agg(w order by seq) from webhooks w where account_id = $1) as webhooks,
            (select json_agg(b order by seq) from availability_blocks b where site_id = $2) as blocks,
            (select count(*) from audit_log where account_id = $1) as acts,
            (select json_agg(d order by position) from dispatch_sites d where account_id = $1) as dispatches,
            (select count(*) from user_invitations join users on users.id = user_id where account_id = $1) as links`,
    [accountId, names.siteId],
  );
  return JSON.stringify(rows[0]);
};

const everyEndpoint = participantConsole.consoleEndpoints.map((each) => [`${each.method} ${each.path}`, each] as const);

describe.each(everyEndpoint)("%s", (_, endpoint) => {
  test("reads and changes nothing of another account", async () => {
    const call = callOn(anna, endpoint, service.clock);
    const before = await stateOf(anna);
    for (const browser of [bert.admin, bert.viewer]) {
      const answer = await send(browser, call);
      for (const mark of marksOf(anna)) expect(answer.text).not.toContain(mark);
      if (marksOf(anna).some((mark) => call.path.includes(mark))) expectError(answer, 404);
    }
    expect(await stateOf(anna)).toBe(before);
  });

  test("is for those who are signed in as a participant's people", async () => {
    const call = callOn(anna, endpoint, service.clock);
    expectError(await send(operator, call), 404, /for the role operator-admin/);
    const { url } = service;
    const headers = { "content-type": "application/json", "x-service-api-key": anna.participant.key };
    const body = call.method === "GET" ? null : JSON.stringify(call.body ?? {});
    const answer = await fetch(`${url}/console/v1${call.path}`, { method: call.method, headers, body });
    expectError({ status: answer.status, body: await answer.json() }, 401, /sign in first/);
  });

  test("is only read by the viewer", async () => {
    const call = callOn(anna, endpoint, service.clock);
    const before = await stateOf(anna);
    const answer = await send(anna.viewer, call);
    if (needsVersions(endpoint.id)) expectError(answer, 404, /version/);
    else if (call.method === "GET") expect(answer.status).toBe(200);
    // To read a page is no change.
    else if (endpoint.id === "recordPageRead") expect(answer.status).toBe(204);
    else expectError(answer, 404, /for the role participant-viewer/);
    expect(await stateOf(anna)).toBe(before);
  });

  test("does for the administrator what the account's key does", async () => {
    const answer = await send(anna.admin, callOn(anna, endpoint, service.clock));
    if (needsVersions(endpoint.id)) expectError(answer, 404, /version/);
    else expect(answer.status).toBe("status" in endpoint ? endpoint.status : 200);
  });
});

describe("the console", () => {
  test("answers as the participants' interface does", async () => {
    const { participant, admin, names } = bert;
    for (const path of ["/dispatches", "/sites", "/webhooks", `/dispatches/${names.dispatchId}`])
      expect((await admin.console("GET", path)).text).toBe((await participant.call("GET", path)).text);
  });

  test("names the person in the audit log", async () => {
    await bert.admin.console(createTestDispatch, { body: { start_time: inHours(5), end_time: inHours(6) } });
    const { items } = (await service.operator(contract.listAudit, { query: { limit: 1 } })).body;
    const { accountId } = bert.participant;
    expect(items).toMatchObject([{ action: "dispatch.create", actor: `user:${bert.admin.id}`, account_id: accountId }]);
  });

  test("is no evidence that the participant's systems read a dispatch", async () => {
    const account = await newPeopledAccount(service, "Carl's works", "carls main");
    const { dispatchId } = account.names;
    await account.admin.console(listDispatches);
    await account.admin.console(getDispatch, { params: { id: dispatchId } });
    await account.participant.call(listDispatches);
    const { items } = (await service.operator(contract.listEvidence, { params: { id: dispatchId } })).body;
    const reads = items.filter((each) => ["polled", "fetched"].includes(each.what));
    expect(reads).toMatchObject([{ what: "polled" }]);
  });

  test("takes no meter's telemetry", async () => {
    expectError(await bert.admin.console("POST", "/telemetry", { telemetry: [] }), 404);
  });

  test("is limited for each person as the interface is for each key (G9)", async () => {
    const limited = await running({ CURTAIL_RATE_LIMIT: "5" });
    const { accountId } = await limited.newParticipant();
    const [first, second] = [
      await newBrowser(limited, "participant-viewer", accountId),
      await newBrowser(limited, "participant-viewer", accountId),
    ];
    for (let index = 0; index < 5; index++) expect((await first.console(listSites)).status).toBe(200);
    const refused = await first.console(listSites);
    expectError(refused, 429, /this user has sent 5 requests/);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect((await second.console(listSites)).status).toBe(200);
  });
});

describe("a participant's administrator", () => {
  test("invites people of the own account, who can sign in and see it", async () => {
    const body = {
      email: "dora@example.com",
      name: "Dora",
      role: "participant-viewer" as const,
      account_id: anna.participant.accountId,
    };
    const created = (await bert.admin.console("POST", "/users", body)).body;
    expect(created).toMatchObject({ account_id: bert.participant.accountId, has_password: false });
    expect((await follow(service, created.invitation_url, { password: PASSWORD })).status).toBe(200);
    expect((await trySignIn(service, { email: body.email, password: PASSWORD })).body.user?.id).toBe(created.id);
    const { items } = (await bert.admin.console(participantConsole.listOwnUsers)).body;
    const accounts = items.map((each) => each.account_id);
    expect(new Set(accounts)).toEqual(new Set([bert.participant.accountId]));
  });

  test("assigns no operator's role", async () => {
    const user = { email: "eve@example.com", name: "Eve", role: "operator-admin" };
    expectError(await bert.admin.console("POST", "/users", user), 400, /role is "operator-admin"/);
    expectError(
      await bert.admin.console("PATCH", `/users/${bert.viewer.id}`, { role: "operator" }),
      400,
      /role is "operator"/,
    );
  });

  test("does not disable herself", async () => {
    expectError(
      await bert.admin.console(participantConsole.changeOwnUser, {
        params: { id: bert.admin.id },
        body: { disabled: true },
      }),
      400,
      /yourself/,
    );
  });
});
