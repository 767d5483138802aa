import { auth, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { type Browser, follow, newBrowser, newPerson, PASSWORD } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";
import {
  accept,
  activeAdmins,
  admin,
  anna,
  belongsToAnother,
  invites,
  newEmail,
  operatorInvites,
  prepare,
  prepareEach,
  roleOf,
  service,
  statusesOf,
  theirAdmin,
} from "../../support/users-of-accounts.js";

beforeAll(prepare);

beforeEach(prepareEach);

describe("an email", () => {
  test("belongs to nobody until an invitation is accepted: a participant's administrator cannot take an operator's", async () => {
    const email = newEmail();
    const squatted = (await invites(theirAdmin, email)).body;
    const ours = await operatorInvites(email.toUpperCase());
    expect((await accept(ours)).status).toBe(200);
    expect(await roleOf(email)).toBe("operator");
    expectError(await accept(squatted), 400, belongsToAnother);
    expect(await roleOf(email)).toBe("operator");
  });

  test("of another invitation is told of on the page, too", async () => {
    const email = newEmail();
    const [first, second] = [await operatorInvites(email), (await invites(theirAdmin, email)).body];
    // The operator's was created first, but this one is accepted first.
    expect((await accept(second)).status).toBe(200);
    const form = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
    const page = await follow(service, first.invitation_url, `password=${PASSWORD}`, form);
    expect([page.status, page.text]).toEqual([400, expect.stringMatching(belongsToAnother)]);
  });

  test("that belongs to a user elsewhere is not revealed to participants, but to the operator", async () => {
    const { email } = await newPerson(service, "operator");
    expect((await invites(theirAdmin, email)).status).toBe(201);
    const body = { email, name: "Twin", role: "auditor" };
    expectError(await service.operator("POST", "/users", body), 400, /email already belongs to another user/);
  });

  test("is invited once in an account", async () => {
    const email = newEmail();
    const answers = await Promise.all([invites(theirAdmin, email), invites(theirAdmin, email.toUpperCase())]);
    expect(statusesOf(answers)).toEqual([201, 400]);
    expectError(await invites(theirAdmin, email), 400, /create a new invitation link for that user/);
  });

  test("is changed by operators, with links to the one before void and the change in the audit log", async () => {
    const [email, right] = [newEmail(), newEmail()];
    const user = await operatorInvites(email);
    expect(await service.made(operator.changeUser, { params: { id: user.id }, body: { email: right } })).toMatchObject({
      email: right,
    });
    expectError(await accept(user), 404);
    const { items } = (await service.operator(operator.listAudit, { query: { limit: 1 } })).body;
    expect(items).toMatchObject([{ action: "user.change", before: { email }, after: { email: right } }]);
    const again = await service.made(operator.inviteUser, { params: { id: user.id } });
    expect((await accept(again)).status).toBe(200);
    expect(await roleOf(right)).toBe("operator");
  });
});

describe("a user that is deleted", () => {
  test("is signed out, gone from lists, and its email is free", async () => {
    const ben = await newBrowser(service, "operator");
    expect((await admin.operator(operator.deleteUser, { params: { id: ben.id } })).status).toBe(204);
    expectError(await ben.auth(auth.getSession), 401);
    expect(await roleOf(ben.email)).toBe("nobody");
    expectError(await service.operator(operator.getUser, { params: { id: ben.id } }), 404);
    const ids = (await service.operator(operator.listUsers, { query: { limit: 500 } })).body.items.map(({ id }) => id);
    expect(ids).not.toContain(ben.id);
    for (const [method, path] of [
      ["DELETE", ""],
      ["PATCH", ""],
      ["POST", "/invitation"],
    ] as const)
      expectError(await service.operator(method, `/users/${ben.id}${path}`, method === "PATCH" ? {} : undefined), 404);
    expect((await accept(await operatorInvites(ben.email, "auditor"))).status).toBe(200);
    expect(await roleOf(ben.email)).toBe("auditor");
  });

  test("cannot use a link that was open, and leaves nothing to sign in with", async () => {
    const user = await operatorInvites(newEmail());
    await service.made(operator.deleteUser, { params: { id: user.id } });
    expectError(await accept(user), 404);
    const columns = "password_hash, totp_secret, oidc_issuer, oidc_subject";
    const { rows } = await service.database.pool.query(`select ${columns} from users where id = $1`, [user.id]);
    expect(Object.values(rows[0])).toEqual([null, null, null, null]);
  });

  test("is named by the audit log and by what the person changed", async () => {
    const ben = await newBrowser(service, "operator");
    const { id: accountId } = (await ben.operator(operator.createAccount, { body: { name: "Made by Ben" } })).body;
    const { name } = (await service.operator(operator.getUser, { params: { id: ben.id } })).body;
    await service.made(operator.deleteUser, { params: { id: ben.id } });
    const entries = (await service.operator(operator.listAudit, { query: { subject: accountId } })).body.items;
    expect(entries).toMatchObject([{ actor: `user:${ben.id}`, actor_name: name }]);
    const [deletion] = (await service.operator(operator.listAudit, { query: { limit: 1 } })).body.items;
    expect(deletion).toMatchObject({ action: "user.delete", actor_name: null, before: { email: ben.email, name } });
  });

  test("is not deleted by participants, nor by operators who may not change users", async () => {
    const viewer = await newPerson(service, "participant-viewer", anna.accountId);
    expectError(await theirAdmin.console("DELETE", `/users/${viewer.id}`), 404);
    const dispatcher = await newBrowser(service, "operator");
    expectError(
      await dispatcher.operator(operator.deleteUser, { params: { id: viewer.id } }),
      404,
      /for the role operator/,
    );
  });
});

describe("administrators", () => {
  let fresh: Running;
  let pair: readonly [Browser, Browser];

  beforeEach(async () => {
    fresh = await running();
    pair = [await newBrowser(fresh, "operator-admin"), await newBrowser(fresh, "operator-admin")];
  });

  test("of the operator are all removed by the operator token alone, which can make others", async () => {
    const [ann, ben] = pair;
    for (const { id } of [ann, ben])
      expect((await fresh.operator(operator.deleteUser, { params: { id } })).status).toBe(204);
    expect(await activeAdmins(fresh, "operator-admin")).toBe(0);
  });
});
