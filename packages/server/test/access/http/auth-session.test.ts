import { auth, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { browserWith, newBrowser, PASSWORD, signIn } from "../../support/people.js";
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

  test("ends when the user is disabled, and stays ended when that is taken back", async () => {
    await service.made(operator.changeUser, { params: { id: ann.id }, body: { disabled: true } });
    await expectEnded(ann);
    await service.made(operator.changeUser, { params: { id: ann.id }, body: { disabled: false } });
    await expectEnded(ann);
    await expectGoing(await signIn(service, ann));
  });

  test("has the rights that its user's role has now", async () => {
    expect((await ann.operator(operator.createAccount, { body: { name: "New" } })).status).toBe(201);
    await service.made(operator.changeUser, { params: { id: ann.id }, body: { role: "auditor" } });
    expectError(await ann.operator(operator.createAccount, { body: { name: "New" } }), 404, /role auditor/);
  });
});

describe("sessions", () => {
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

  test("is refused from elsewhere on the participants' and on the sessions' side too", async () => {
    const { accountId } = await service.newParticipant();
    const theirs = await newBrowser(service, "participant-admin", accountId);
    const elsewhere = { "sec-fetch-site": "cross-site" };
    const user = { email: "x@example.com", name: "X", role: "participant-viewer" };
    expectError(await theirs.console("POST", "/users", user, elsewhere), 400, /another site/);
    expectError(await theirs.auth(auth.signOut, { headers: elsewhere }), 400, /another site/);
    await expectGoing(theirs);
  });
});
