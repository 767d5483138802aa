import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

describe("dispatch contacts", () => {
  test("an account has 200 contacts at most, the operator's included", async () => {
    const { accountId } = await service.newParticipant();
    await service.database.pool.query(
      `insert into contacts (id, account_id, name, email, created_at)
     select 'con_many_' || n, $1, 'Ann', 'ann@example.org', now() from generate_series(1, 199) as n`,
      [accountId],
    );
    const add = () =>
      service.operator(operator.createContact, {
        params: { id: accountId },
        body: { name: "Ben", email: "ben@example.org" },
      });
    expect((await add()).status).toBe(201);
    expectError(await add(), 400, /200 contacts.*remove one first/);
  });

  test("an account's people add 50 contacts and no more; the operator goes on", async () => {
    const { accountId } = await service.newParticipant();
    const admin = await newBrowser(service, "participant-admin", accountId);
    const contact = { name: "Ann", email: "ann@example.org" };
    for (let count = 0; count < 49; count++)
      await admin.console(participantConsole.createOwnContact, { body: contact });
    const answers = await Promise.all(
      [1, 2, 3].map(() => admin.console(participantConsole.createOwnContact, { body: contact })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expectError(
      await admin.console(participantConsole.createOwnContact, { body: contact }),
      400,
      /50 contacts.*remove one first/,
    );
    expect((await service.operator(operator.createContact, { params: { id: accountId }, body: contact })).status).toBe(
      201,
    );
  });
});
