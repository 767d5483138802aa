import { auth, listSites, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { type Browser, browserWith, newBrowser, newPerson, PASSWORD, signIn, trySignIn } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
let ann: Browser;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  ann = await newBrowser(service, "operator");
});

const expectEnded = async (browser: Browser): Promise<void> =>
  expectError(await browser.auth(auth.getSession), 401, /sign in first/);
const expectGoing = async (browser: Browser): Promise<void> =>
  expect((await browser.auth(auth.getSession)).status).toBe(200);

const lastSeen = async (): Promise<string> => (await ann.auth(auth.getSession)).body.session.last_seen_at;
const write = (headers: Record<string, string>) =>
  ann.operator(operator.createAccount, { body: { name: "New" }, headers });

const endOf = async (browser: Browser): Promise<unknown> =>
  (await browser.auth(auth.getSignInOptions)).body.session_end;

describe("why a session ended", () => {
  test("is explained to the browser that had it: signed out, new password, or expired", async () => {
    expect(await endOf(ann)).toBeNull();
    const [elsewhere, revoked] = [await signIn(service, ann), await signIn(service, ann)];
    const { id } = (await revoked.auth(auth.getSession)).body.session;
    await ann.auth(auth.revokeSession, { params: { id } });
    expect(await endOf(revoked)).toBe("signed_out_elsewhere");
    await ann.auth(auth.changePassword, { body: { password: PASSWORD, new_password: `${PASSWORD} anew` } });
    expect(await endOf(elsewhere)).toBe("password_changed");
    await service.made(operator.signOutUser, { params: { id: ann.id } });
    expect(await endOf(ann)).toBe("signed_out_by_administrator");
    const idle = await newBrowser(service, "operator");
    service.clock.advance({ hours: 12 });
    expect(await endOf(idle)).toBe("expired");
  });

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
  test("returns its user", async () => {
    const { body } = await ann.auth(auth.getSession);
    expect(body).toMatchObject({
      user: { id: ann.id, email: ann.email, role: "operator", account_id: null, has_password: true, has_totp: false },
      session: { is_current: true, created_at: ahead(service, {}), expires_at: ahead(service, { days: 7 }) },
    });
    const anna = await service.newParticipant();
    const theirs = await newBrowser(service, "participant-viewer", anna.accountId);
    expect((await theirs.auth(auth.getSession)).body.user.account_id).toBe(anna.accountId);
  });

  test("ends when it is signed out of, and the browser forgets its cookie", async () => {
    const answer = await ann.auth(auth.signOut);
    expect(answer.status).toBe(204);
    expect(answer.headers.get("set-cookie")).toMatch(/^curtail_session=;.*Expires=Thu, 01 Jan 1970/);
    await expectEnded(ann);
  });

  test("ends 12 hours after its last use", async () => {
    service.clock.advance({ hours: 11, minutes: 59 });
    await expectGoing(ann);
    service.clock.advance({ hours: 11, minutes: 59 });
    await expectGoing(ann);
    service.clock.advance({ hours: 12 });
    await expectEnded(ann);
  });

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

  test("ends when the user is disabled, and stays ended when that is taken back", async () => {
    await service.made(operator.changeUser, { params: { id: ann.id }, body: { disabled: true } });
    await expectEnded(ann);
    await service.made(operator.changeUser, { params: { id: ann.id }, body: { disabled: false } });
    await expectEnded(ann);
    await expectGoing(await signIn(service, ann));
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

  test("has the rights that its user's role has now", async () => {
    expect((await ann.operator(operator.createAccount, { body: { name: "New" } })).status).toBe(201);
    await service.made(operator.changeUser, { params: { id: ann.id }, body: { role: "auditor" } });
    expectError(await ann.operator(operator.createAccount, { body: { name: "New" } }), 404, /role auditor/);
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

  test("are revoked one by one, on every process from the next request on", async () => {
    const other = await signIn(service, ann);
    const elsewhere = browserWith({ url: await service.another() }, ann, other.token);
    await expectGoing(elsewhere);
    const { session } = (await other.auth(auth.getSession)).body;
    expect((await ann.auth(auth.revokeSession, { params: { id: session.id } })).status).toBe(204);
    await expectEnded(elsewhere);
    await expectEnded(other);
    await expectGoing(ann);
  });

  test("of others are not there to be revoked", async () => {
    const ben = await newBrowser(service, "operator-admin");
    const { session } = (await ben.auth(auth.getSession)).body;
    const foreign = await ann.auth(auth.revokeSession, { params: { id: session.id } });
    expectError(foreign, 404);
    expect(foreign.text).toBe((await ann.auth(auth.revokeSession, { params: { id: "ses_0000000000000000" } })).text);
    await expectGoing(ben);
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
  const protectedEndpoints = auth.authEndpoints.filter((each) => !["signIn", "getSignInOptions"].includes(each.id));

  test.for(protectedEndpoints.map((each) => [each.method, each.path] as const))(
    "%s %s is for those who are signed in",
    async ([method, path]) => {
      const anyone = httpClient(`${service.url}/auth`);
      const body = method === "POST" ? {} : undefined;
      for (const headers of [{}, { authorization: "Bearer operator-token-of-the-tests" }])
        expectError(await anyone(method, path.replace("{id}", "ses_1"), body, headers), 401, /sign in first/);
    },
  );

  test("is served without the person's data being kept on the way", async () => {
    expect((await ann.auth(auth.getSession)).headers.get("cache-control")).toBe("no-store");
  });
});

describe("a request that changes something", () => {
  test.each([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "cross-site", origin: "http://127.0.0.1" },
    { origin: "https://evil.example.com" },
    { origin: "null" },
  ])("from a page of another site is refused (%j)", async (headers) => {
    const before = (await service.operator(operator.listAudit, { query: { limit: 1 } })).text;
    expectError(await write(headers), 400, /comes from a page of another site; open http:/);
    expect((await service.operator(operator.listAudit, { query: { limit: 1 } })).text).toBe(before);
  });

  test("from our own pages is taken, and so is one of no browser", async () => {
    for (const headers of [{ "sec-fetch-site": "same-origin" }, { origin: service.url }, {}])
      expect((await write(headers)).status).toBe(201);
  });

  test("is refused from elsewhere on the participants' and on the sessions' side too", async () => {
    const { accountId } = await service.newParticipant();
    const theirs = await newBrowser(service, "participant-admin", accountId);
    const elsewhere = { "sec-fetch-site": "cross-site" };
    const user = { email: "x@example.com", name: "X", role: "participant-viewer" };
    expectError(await theirs.console("POST", "/users", user, elsewhere), 400, /another site/);
    expectError(await theirs.auth(auth.signOut, { headers: elsewhere }), 400, /another site/);
    await expectGoing(theirs);
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
