import { operator as contract, createTestDispatch, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { callOn } from "../../support/console-calls.js";
import { notRefused } from "../../support/every-route.js";
import { expectError } from "../../support/expect-error.js";
import { type Browser, follow, PASSWORD, trySignIn } from "../../support/people.js";
import {
  anna,
  bert,
  everyEndpoint,
  marksOf,
  operator,
  prepare,
  send,
  service,
  stateOf,
} from "../../support/two-accounts.js";

beforeAll(prepare);

const inHours = (hours: number): string => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();

describe("no address of the console", () => {
  test("reads or changes anything of another account", async () => {
    const [before, marks] = [await stateOf(anna), marksOf(anna)];
    const revealing: string[] = [];
    for (const [name, endpoint] of everyEndpoint) {
      const call = callOn(anna, endpoint, service.clock);
      const { status, text } = await send(bert.admin, call);
      const isFound = status !== 404 && marks.some((mark) => call.path.includes(mark));
      if (isFound || marks.some((mark) => text.includes(mark))) revealing.push(`${name}: ${status}`);
    }
    expect(revealing).toEqual([]);
    expect(await stateOf(anna)).toBe(before);
  });

  test("is for operators, nor changes anything for a viewer", async () => {
    const before = await stateOf(anna);
    const calls = everyEndpoint.map(([, endpoint]) => ({ ...callOn(anna, endpoint, service.clock), id: endpoint.id }));
    const refused = (person: Browser, which: typeof calls, message: RegExp) =>
      notRefused(which, (call) => send(person, call), { status: 404, message });
    expect(await refused(operator, calls, /for the role operator-admin/)).toEqual([]);
    // To read a page is no change.
    const changes = calls.filter(({ id, method }) => method !== "GET" && id !== "recordPageRead");
    expect(await refused(anna.viewer, changes, /for the role participant-viewer/)).toEqual([]);
    expect(await stateOf(anna)).toBe(before);
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

  test("takes no meter's telemetry", async () => {
    expectError(await bert.admin.console("POST", "/telemetry", { telemetry: [] }), 404);
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
});
