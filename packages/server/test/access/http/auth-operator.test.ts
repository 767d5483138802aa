import { auth, type Endpoint, listDispatches, operator, uploadTelemetry } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { openStream } from "../../support/event-stream.js";
import { notRefused } from "../../support/every-route.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { type Browser, newBrowser, newPerson } from "../../support/people.js";
import {
  admin,
  anna,
  auditor,
  dispatcher,
  named,
  newestEntry,
  participants,
  prepare,
  prepareUser,
  service,
  user,
} from "../../support/roles-of-operators.js";
import { OPERATOR_TOKEN } from "../../support/running.js";

beforeAll(prepare);
const asking =
  (person: Browser) =>
  ({ method, path }: Endpoint) =>
    person.operator(method, named(path), method === "GET" ? undefined : "{");

test("an auditor changes nothing at any address", async () => {
  const before = await newestEntry();
  const writes = operator.operatorEndpoints.filter(({ method }) => method !== "GET");
  const refusal = { status: 404, message: /nothing .* for the role auditor/ } as const;
  expect(await notRefused(writes, asking(auditor), refusal)).toEqual([]);
  expect(await newestEntry()).toBe(before);
});

test("a participant's administrator finds nothing at any address", async () => {
  const refusal = { status: 404, message: /for the role participant-admin/ } as const;
  expect(await notRefused(operator.operatorEndpoints, asking(participants[0] ?? auditor), refusal)).toEqual([]);
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
  beforeEach(prepareUser);

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

  test("cannot disable themselves or change their own role, which might leave nobody to undo it", async () => {
    const path = `/users/${admin.id}`;
    expectError(await admin.operator("PATCH", path, { disabled: true }), 400, /cannot disable yourself/);
    expectError(await admin.operator("PATCH", path, { role: "auditor" }), 400, /cannot disable yourself/);
    expect((await admin.operator("PATCH", path, { name: "Own name" })).status).toBe(200);
  });
});
