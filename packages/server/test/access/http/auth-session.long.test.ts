import { auth, listSites, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { browserWith, newBrowser, newPerson, PASSWORD, signIn, trySignIn } from "../../support/people.js";
import { running } from "../../support/running.js";
import {
  ann,
  endOf,
  expectEnded,
  expectGoing,
  prepare,
  prepareEach,
  service,
  write,
} from "../../support/sessions-of-people.js";

beforeAll(prepare);

beforeEach(prepareEach);

const lastSeen = async (): Promise<string> => (await ann.auth(auth.getSession)).body.session.last_seen_at;

describe("why a session ended", () => {
  test("is that of a disabled user or account for as long as it lasts", async () => {
    await service.made(operator.changeUser, { params: { id: ann.id }, body: { disabled: true } });
    expect(await endOf(ann)).toBe("signed_out_by_administrator");
    const { accountId } = await service.newParticipant();
    const theirs = await newBrowser(service, "participant-admin", accountId);
    await service.made(operator.changeAccount, {
      params: { id: accountId },
      body: { disabled: true, confirm_running: true },
    });
    expect(await endOf(theirs)).toBe("signed_out_by_administrator");
  });

  test("is a new password, too, where a link to set one was used; and stays what it was first", async () => {
    const { invitation_url } = await service.made(operator.inviteUser, { params: { id: ann.id } });
    await httpClient(service.url)("POST", new URL(invitation_url).pathname, { password: `${PASSWORD} anew` });
    expect(await endOf(ann)).toBe("password_changed");
    await service.made(operator.signOutUser, { params: { id: ann.id } });
    expect(await endOf(ann)).toBe("password_changed");
  });

  test("is not explained without the session's cookie, or with any other", async () => {
    await service.made(operator.signOutUser, { params: { id: ann.id } });
    const options = { oidc: false, password: true, session_end: null };
    expect((await httpClient(service.url)("GET", "/auth/options")).body).toEqual(options);
    expect((await browserWith(service, ann, "x".repeat(43)).auth(auth.getSignInOptions)).body).toEqual(options);
  });
});

describe("a session", () => {
  test("ends after 7 days, however much it is used", async () => {
    for (let hours = 0; hours < 166; hours += 11) {
      service.clock.advance({ hours: 11 });
      if (hours < 154) await expectGoing(ann);
    }
    await expectEnded(ann);
  });

  test("has the last use noted to the minute", async () => {
    const start = await lastSeen();
    service.clock.advance({ seconds: 59 });
    await lastSeen();
    expect(await lastSeen()).toBe(start);
    service.clock.advance({ seconds: 1 });
    await lastSeen();
    expect(await lastSeen()).toBe(ahead(service, {}));
  });

  test("of an account's people is refused while the account is disabled", async () => {
    const { accountId } = await service.newParticipant();
    const theirs = await newBrowser(service, "participant-admin", accountId);
    await service.made(operator.changeAccount, {
      params: { id: accountId },
      body: { disabled: true, confirm_running: true },
    });
    await expectEnded(theirs);
    expectError(await theirs.console(listSites), 401);
    await service.made(operator.changeAccount, { params: { id: accountId }, body: { disabled: false } });
    await expectGoing(theirs);
  });

  test.each(["", "x", "x".repeat(43), "a=b", "%00", "\u00e9".repeat(10), "x".repeat(8000)])(
    "is not had by a made-up token (%j)",
    async (token) => expectEnded(browserWith(service, ann, encodeURIComponent(token))),
  );
});

describe("sessions", () => {
  test("are listed newest first, without those that are over and those of others", async () => {
    const headers = { "user-agent": "Firefox of the tests" };
    await trySignIn(service, { email: ann.email, password: PASSWORD }, headers);
    const out = await signIn(service, ann);
    await out.auth(auth.signOut);
    await newBrowser(service, "operator");
    const { items, next_cursor } = (await ann.auth(auth.listSessions)).body;
    expect(next_cursor).toBeNull();
    expect(items).toMatchObject([
      { user_agent: "Firefox of the tests", address: "127.0.0.1", is_current: false },
      { is_current: true },
    ]);
    const first = (await ann.auth(auth.listSessions, { query: { limit: 1 } })).body;
    expect(first.items).toEqual(items.slice(0, 1));
    expect((await ann.auth("GET", `/sessions?limit=1&cursor=${first.next_cursor}`)).body.items).toEqual(items.slice(1));
  });

  test("are in the audit log when they begin and when they are revoked, under the user's name", async () => {
    const { accountId } = await service.newParticipant();
    const theirs = await newBrowser(service, "participant-admin", accountId);
    await theirs.auth(auth.signOut);
    const { items } = (await service.operator(operator.listAudit, { query: { limit: 2 } })).body;
    const actor = `user:${theirs.id}`;
    expect(items).toMatchObject([
      { action: "session.revoke", actor, account_id: accountId },
      { action: "session.create", actor, account_id: accountId, subject: expect.stringMatching(/^ses_/) },
    ]);
  });
});

describe("every address below /auth", () => {
  test("is served without the person's data being kept on the way", async () => {
    expect((await ann.auth(auth.getSession)).headers.get("cache-control")).toBe("no-store");
  });
});

describe("a request that changes something", () => {
  test("from our own pages is taken, and so is one of no browser", async () => {
    for (const headers of [{ "sec-fetch-site": "same-origin" }, { origin: service.url }, {}])
      expect((await write(headers)).status).toBe(201);
  });

  test("is no matter of pages where the operator token proves it", async () => {
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await service.operator(operator.createAccount, { body: { name: "New" }, headers })).status).toBe(201);
  });

  test("reads are answered wherever a link to them stands", async () => {
    expect((await ann.operator(operator.listAccounts, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(
      200,
    );
  });
});

test("a person of the service's own people is not one of another service", async () => {
  const elsewhere = await running();
  const ben = await newPerson(elsewhere, "operator");
  expectError(await trySignIn(service, { email: "nobody-here@example.com", password: PASSWORD }), 401);
  await expectEnded(browserWith(service, ben, (await signIn(elsewhere, ben)).token));
});
