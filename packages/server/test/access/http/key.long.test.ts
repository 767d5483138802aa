import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { claim, claimedKey, prepare, service, sitesWith } from "../../support/keys-of-accounts.js";
import { type Browser, newBrowser } from "../../support/people.js";
import type { Participant } from "../../support/running.js";

let anna: Participant;

beforeAll(prepare);

beforeEach(async () => {
  anna = await service.newParticipant();
});

const issue = (body: object = {}) =>
  service.made(operator.createKey, { params: { id: anna.accountId }, body: { environment: "production", ...body } });

describe("a one-time link", () => {
  test("pressed by many at once shows the key to one of them", async () => {
    const { claim_url } = await issue();
    const answers = await Promise.all(Array.from({ length: 10 }, () => claim(claim_url)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });
});

// Specification, "Authentication"; reliability: API keys and one-time links.

describe("a key", () => {
  test("is issued while fewer than 100 stand, links that wait to be opened included", async () => {
    const { rowCount } = await service.database.pool.query(
      `insert into api_keys (id, account_id, environment, claim_token_hash, claim_expires_at, created_at)
       select 'key_many_' || n, $1, 'production', sha256(('many' || n)::bytea), $2, now() from generate_series(1, 98) as n`,
      [anna.accountId, ahead(service, { hours: 24 })],
    );
    expect(rowCount).toBe(98);
    const path = `/accounts/${anna.accountId}/keys`;
    const answers = await Promise.all(
      [1, 2, 3].map(() => service.operator("POST", path, { environment: "production" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expectError(
      await service.operator("POST", path, { environment: "production" }),
      400,
      /100 production keys.*revoke/,
    );
    expect((await service.operator("POST", path, { environment: "sandbox" })).status).toBe(201);
  });

  test("of a disabled account is refused at once, and taken again when the account is enabled", async () => {
    expect((await sitesWith(anna.key)).status).toBe(200);
    await service.made(operator.changeAccount, {
      params: { id: anna.accountId },
      body: { disabled: true, confirm_running: true },
    });
    expectError(await sitesWith(anna.key), 401);
    await service.made(operator.changeAccount, { params: { id: anna.accountId }, body: { disabled: false } });
    expect((await sitesWith(anna.key)).status).toBe(200);
  });
});

describe("keys in the console", () => {
  let admin: Browser;

  beforeEach(async () => {
    anna = await service.newParticipant();
    admin = await newBrowser(service, "participant-admin", anna.accountId);
  });

  const issue = (body: object = {}) =>
    admin.console(participantConsole.createOwnKey, { body: { environment: "production", ...body } });
  const revoke = (id: string) => admin.console(participantConsole.revokeOwnKey, { params: { id } });

  describe("of keys of one environment there are two at most", () => {
    test("those that are revoked, expired or were never claimed not counted", async () => {
      const expiring = (await issue({ expires_at: ahead(service, { hours: 1 }) })).body;
      await claimedKey(expiring.claim_url);
      expectError(await issue(), 400);
      service.clock.advance({ hours: 1 });
      const link = (await issue()).body;
      expectError(await issue(), 400);
      await revoke(link.id);
      expect((await issue()).status).toBe(201);
      service.clock.advance({ hours: 24 });
      // The session ended with the day.
      const tomorrow = await newBrowser(service, "participant-admin", anna.accountId);
      expect(
        (await tomorrow.console(participantConsole.createOwnKey, { body: { environment: "production" } })).status,
      ).toBe(201);
    });

    test("also when several are asked for at once", async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => issue()));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    });
  });
});
