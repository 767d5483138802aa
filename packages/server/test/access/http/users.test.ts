import { auth, operator, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import type { Answer } from "../../support/http-client.js";
import { type Browser, follow, newBrowser, newPerson, PASSWORD, trySignIn } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

interface Invited {
  readonly invitation_url: string;
}

let service: Running;
let anna: Participant;
let admin: Browser;
let theirAdmin: Browser;
let count = 0;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  service.clock.advance({ hours: 1 });
  anna = await service.newParticipant();
  admin = await newBrowser(service, "operator-admin");
  theirAdmin = await newBrowser(service, "participant-admin", anna.accountId);
});

const newEmail = (): string => `somebody${++count}@example.com`;
const operatorInvites = (
  email: string,
  role: (typeof operator.roles)[number] = "operator",
  accountId: string | null = null,
) => service.made(operator.createUser, { body: { email, name: "Invited", role, account_id: accountId } });
const invites = (by: Browser, email: string) =>
  by.console(participantConsole.createOwnUser, { body: { email, name: "Invited", role: "participant-viewer" } });
const accept = ({ invitation_url }: Invited, password = PASSWORD) => follow(service, invitation_url, { password });
const roleOf = async (email: string): Promise<string> =>
  (await trySignIn(service, { email, password: PASSWORD })).body.user?.role ?? "nobody";

const statusesOf = (answers: readonly Answer[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

const belongsToAnother = /belongs to another user now; ask for an invitation/;

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

  test("that accounts invite at once belongs to the first who accepts, and the others are told so", async () => {
    const email = newEmail();
    const others = await Promise.all([service.newParticipant(), service.newParticipant(), service.newParticipant()]);
    const links = await Promise.all(
      others.map(({ accountId }) => operatorInvites(email, "participant-viewer", accountId)),
    );
    const answers = await Promise.all(links.map((link) => accept(link)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 400, belongsToAnother);
    expect(await roleOf(email)).toBe("participant-viewer");
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

  test("is not changed into another's, not even by two at once, and not by participants", async () => {
    const people = [await newPerson(service, "operator"), await newPerson(service, "operator")];
    const taken = { email: admin.email.toUpperCase() };
    expectError(
      await service.operator(operator.changeUser, { params: { id: people[0]?.id ?? "" }, body: taken }),
      400,
      /already belongs to another user/,
    );
    const body = { email: newEmail() };
    const answers = await Promise.all(
      people.map(({ id }) => service.operator(operator.changeUser, { params: { id }, body })),
    );
    expect(statusesOf(answers)).toEqual([200, 400]);
    const kept = (await theirAdmin.console("PATCH", `/users/${theirAdmin.id}`, { email: newEmail(), name: "N" })).body;
    expect(kept).toMatchObject({ email: theirAdmin.email, name: "N" });
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

describe("an account", () => {
  test("has 50 users and no more, also of many who are invited at once", async () => {
    const more = Array.from({ length: 60 }, () => invites(theirAdmin, newEmail()));
    const answers: Answer[] = await Promise.all(more);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(49);
    const refused = answers.find(({ status }) => status === 400);
    expectError(refused as Answer, 400, /already has 50 users, the maximum/);
    const [, second] = (await theirAdmin.console(participantConsole.listOwnUsers, { query: { limit: 2 } })).body.items;
    await service.made(operator.deleteUser, { params: { id: second?.id ?? "" } });
    expect((await invites(theirAdmin, newEmail())).status).toBe(201);
  });
});

const activeAdmins = async (at: Running, role: string): Promise<number> => {
  const { items } = (await at.operator(operator.listUsers, { query: { limit: 500 } })).body;
  return items.filter((each) => each.role === role && !each.disabled).length;
};

describe("administrators", () => {
  let fresh: Running;
  let pair: readonly [Browser, Browser];

  beforeEach(async () => {
    fresh = await running();
    pair = [await newBrowser(fresh, "operator-admin"), await newBrowser(fresh, "operator-admin")];
  });

  test.each([
    ["disable", "PATCH", { disabled: true }],
    ["demote", "PATCH", { role: "operator" }],
    ["delete", "DELETE", undefined],
  ] as const)("who %s each other at once leave one", async (_, method, body) => {
    const [ann, ben] = pair;
    await Promise.all([ann.operator(method, `/users/${ben.id}`, body), ben.operator(method, `/users/${ann.id}`, body)]);
    expect(await activeAdmins(fresh, "operator-admin")).toBe(1);
  });

  test("of an account who disable each other at once leave one", async () => {
    const { accountId } = await fresh.newParticipant();
    const [ann, ben] = [
      await newBrowser(fresh, "participant-admin", accountId),
      await newBrowser(fresh, "participant-admin", accountId),
    ];
    const body = { disabled: true };
    await Promise.all([
      ann.console(participantConsole.changeOwnUser, { params: { id: ben.id }, body }),
      ben.console(participantConsole.changeOwnUser, { params: { id: ann.id }, body }),
    ]);
    expect(await activeAdmins(fresh, "participant-admin")).toBe(1);
  });

  test("of an account are removed by operators, even the last", async () => {
    const { accountId } = await fresh.newParticipant();
    const last = await newPerson(fresh, "participant-admin", accountId);
    const [ann] = pair;
    expect(
      (await ann.operator(operator.changeUser, { params: { id: last.id }, body: { role: "participant-viewer" } }))
        .status,
    ).toBe(200);
    expect((await ann.operator(operator.deleteUser, { params: { id: last.id } })).status).toBe(204);
  });

  test("do not delete themselves", async () => {
    const [ann] = pair;
    expectError(await ann.operator(operator.deleteUser, { params: { id: ann.id } }), 400, /cannot delete yourself/);
  });

  test("of the operator are all removed by the operator token alone, which can make others", async () => {
    const [ann, ben] = pair;
    for (const { id } of [ann, ben])
      expect((await fresh.operator(operator.deleteUser, { params: { id } })).status).toBe(204);
    expect(await activeAdmins(fresh, "operator-admin")).toBe(0);
  });
});
