import { auth, listDispatches, operator, uploadTelemetry } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { openStream } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { type Browser, newBrowser, newPerson } from "../../support/people.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let admin: Browser;
let dispatcher: Browser;
let auditor: Browser;
let participants: readonly Browser[];

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
  admin = await newBrowser(service, "operator-admin");
  dispatcher = await newBrowser(service, "operator");
  auditor = await newBrowser(service, "auditor");
  participants = [
    await newBrowser(service, "participant-admin", anna.accountId),
    await newBrowser(service, "participant-viewer", anna.accountId),
  ];
});

const endpoints = operator.operatorEndpoints.map((each) => [each.method, each.path] as const);
const writes = endpoints.filter(([method]) => method !== "GET");
const reads = endpoints.filter(([method]) => method === "GET");
const named = (path: string): string => path.replaceAll(/\{\w+\}/g, anna.accountId);
const newestEntry = async (): Promise<string> =>
  (await service.operator(operator.listAudit, { query: { limit: 1 } })).text;

describe("an auditor", () => {
  test.for(writes)("is refused %s %s before it looks at anything", async ([method, path]) => {
    const before = await newestEntry();
    for (const body of ["{", { name: "Changed" }, undefined])
      expectError(await auditor.operator(method, named(path), body), 404, /nothing .* for the role auditor/);
    expect(await newestEntry()).toBe(before);
  });

  test.for(reads)("reads what the operator reads at %s %s", async ([method, path]) => {
    const [theirs, ours] = [await auditor.operator(method, named(path)), await service.operator(method, named(path))];
    expect([theirs.status, theirs.text]).toEqual([ours.status, ours.text]);
  });
});

describe("a participant's person", () => {
  test.for(endpoints)("finds nothing at %s %s", async ([method, path]) => {
    for (const person of participants) {
      const answer = await person.operator(method, named(path), method === "GET" ? undefined : "{");
      expectError(answer, 404, /for the role participant-/);
    }
  });
});

describe("an operator", () => {
  test("does by session what the token does, and the audit log says who it was", async () => {
    const program = await newProgram(service, [anna]);
    const { id } = await newDispatch(service, program);
    const changed = await dispatcher.operator(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    expect(changed.status).toBe(200);
    const { items } = (await admin.operator(operator.listAudit, { query: { limit: 1 } })).body;
    expect(items).toMatchObject([{ action: "dispatch.cancel", actor: `user:${dispatcher.id}`, subject: id }]);
    const { revisions } = (await dispatcher.operator(operator.getAnyDispatch, { params: { id } })).body;
    expect(revisions.map((each) => each.actor)).toEqual(["operator", `user:${dispatcher.id}`]);
  });

  test("reads users and changes none, unless as operator-admin", async () => {
    const ben = await newPerson(service, "operator");
    expect((await dispatcher.operator(operator.getUser, { params: { id: ben.id } })).body.email).toBe(ben.email);
    const made = { email: "made@example.com", name: "Made", role: "operator-admin" };
    for (const [method, path, body] of [
      ["POST", "/users", made],
      ["PATCH", `/users/${dispatcher.id}`, { role: "operator-admin" }],
      ["POST", `/users/${admin.id}/invitation`, undefined],
    ] as const)
      expectError(await dispatcher.operator(method, path, body), 404, /for the role operator/);
    expect((await admin.operator("POST", "/users", made)).status).toBe(201);
  });

  test("watches a dispatch as long as the session lasts, and no longer", async () => {
    const watcher = await newBrowser(service, "auditor");
    const { id } = await newDispatch(service, await newProgram(service, [anna]));
    const path = `/dispatches/${id}/performance/stream`;
    const cookie = `curtail_session=${watcher.token}`;
    const stream = await openStream(service.url, path, { cookie });
    expect(await stream.next()).toMatchObject({ event: "snapshot" });
    await watcher.auth(auth.signOut);
    expect(await stream.next()).toBeNull();
    await expect(openStream(service.url, path, { cookie })).rejects.toThrow(/401/);
  });

  test("who brings a wrong token is refused, session or not", async () => {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}x` };
    expectError(await admin.operator(operator.listAccounts, { headers }), 401);
  });

  test("without either gets an answer that names both", async () => {
    expectError(await httpClient(`${service.url}/operator/v1`)("GET", "/accounts"), 401, /operator token, or sign in/);
  });
});

describe("the participants' interface", () => {
  test("knows no session", async () => {
    for (const { token } of [admin, ...participants]) {
      const call = httpClient(`${service.url}/2022-04-15`, { cookie: `curtail_session=${token}` });
      expectError(await call(listDispatches), 401, /valid API key/);
      expectError(await call(uploadTelemetry, { body: { telemetry: [] } }), 401, /valid API key/);
    }
  });
});

describe("users", () => {
  let user: { id: string; email: string };

  beforeEach(async () => {
    user = await newPerson(service, "operator");
  });

  test("are listed page by page, without secrets", async () => {
    const { body, text } = await service.operator(operator.listUsers, { query: { limit: 500 } });
    expect(body.items.at(-1)).toEqual({
      id: user.id,
      email: user.email,
      name: expect.stringMatching(/^Person/),
      role: "operator",
      account_id: null,
      has_password: true,
      has_totp: false,
      disabled: false,
      created_at: expect.any(String),
    });
    expect(text).not.toMatch(/argon2|hash|secret/);
    const first = (await service.operator(operator.listUsers, { query: { limit: 1 } })).body;
    expect(first.items).toEqual(body.items.slice(0, 1));
  });

  test("have a unique email, regardless of case", async () => {
    const body = { email: user.email.toUpperCase(), name: "Twin", role: "auditor" };
    expectError(await service.operator("POST", "/users", body), 400, /email already belongs to another user/);
  });

  test.each([
    [{ role: "participant-admin" }, /account_id is required for participant-admin/],
    [{ role: "operator", account_id: "acc_0000000000000000" }, /account_id is required for participant-admin/],
    [{ role: "participant-viewer", account_id: "acc_0000000000000000" }, /account_id does not exist/],
    [{ role: "root" }, /role is "root"; it must be one of operator-admin/],
    [{ role: "auditor", email: "no email" }, /email/],
    [{ role: "auditor", email: `${"a".repeat(250)}@b.org` }, /email is a long text/],
    [{ role: "auditor", name: "" }, /name is ""; it must not be empty/],
    [{ role: "auditor", name: "a\u0007" }, /name/],
  ])("are refused as %j", async (body, message) => {
    const whole = { email: "refused@example.com", name: "Refused", ...body };
    expectError(await service.operator("POST", "/users", whole), 400, message);
  });

  test("are renamed, and change roles on their own side only", async () => {
    const path = `/users/${user.id}`;
    expect(
      await service.made(operator.changeUser, { params: { id: user.id }, body: { name: "Renamed", role: "auditor" } }),
    ).toMatchObject({
      name: "Renamed",
      role: "auditor",
    });
    expectError(
      await service.operator("PATCH", path, { role: "participant-admin" }),
      400,
      /cannot become a participant/,
    );
    const theirs = participants[0];
    expectError(
      await service.operator(operator.changeUser, {
        params: { id: theirs?.id ?? "" },
        body: { role: "operator-admin" },
      }),
      400,
      /cannot become a participant/,
    );
  });

  test("cannot disable themselves or change their own role, which might leave nobody to undo it", async () => {
    const path = `/users/${admin.id}`;
    expectError(await admin.operator("PATCH", path, { disabled: true }), 400, /cannot disable yourself/);
    expectError(await admin.operator("PATCH", path, { role: "auditor" }), 400, /cannot disable yourself/);
    expect((await admin.operator("PATCH", path, { name: "Own name" })).status).toBe(200);
  });

  test("that are disabled get no link, and unknown ones are not found", async () => {
    await service.made(operator.changeUser, { params: { id: user.id }, body: { disabled: true } });
    expectError(await service.operator(operator.inviteUser, { params: { id: user.id } }), 400, /user is disabled/);
    for (const [method, path] of [
      ["GET", "/users/usr_0"],
      ["PATCH", "/users/usr_0"],
      ["POST", "/users/usr_0/invitation"],
    ] as const)
      expectError(await service.operator(method, path, method === "PATCH" ? {} : undefined), 404, /No such user/);
  });

  test("are in the audit log with every change, but not if nothing changed", async () => {
    await service.made(operator.changeUser, { params: { id: user.id }, body: { name: "Renamed" } });
    await service.made(operator.changeUser, { params: { id: user.id }, body: { name: "Renamed" } });
    await admin.operator(operator.inviteUser, { params: { id: user.id } });
    const { items } = (await service.operator(operator.listAudit, { query: { limit: 4 } })).body;
    expect(items).toMatchObject([
      { action: "user.invite", actor: `user:${admin.id}`, subject: user.id },
      { action: "user.change", actor: "operator", after: { name: "Renamed" } },
      { action: "user.set_password", actor: `user:${user.id}`, before: null, after: null },
      { action: "user.create", actor: "operator", before: null, after: { email: user.email } },
    ]);
  });
});
