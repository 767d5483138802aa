import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import type { Answer } from "../../support/http-client.js";
import { type Browser, newBrowser, newPerson } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";
import {
  accept,
  activeAdmins,
  admin,
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
});
