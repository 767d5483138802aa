import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { newPerson, PASSWORD, signIn, tokenOf, trySignIn } from "../../support/people.js";
import {
  ann,
  codeOf,
  prepare,
  prepareEach,
  secret,
  service,
  setUp,
  withCode,
  wrongPassword,
} from "../../support/signing-in.js";

beforeAll(prepare);

beforeEach(prepareEach);

describe("signing in", () => {
  test("answers who it is and sets the session's cookie, out of reach of scripts and other sites", async () => {
    const answer = await trySignIn(service, { email: ann.email.toUpperCase(), password: PASSWORD });
    expect(answer.body).toMatchObject({ state: "signed_in", user: { id: ann.id, email: ann.email, role: "operator" } });
    const [cookie = "", ...attributes] = answer.headers.getSetCookie()[0]?.split("; ") ?? [];
    expect(cookie).toMatch(/^curtail_session=[\w-]{43}$/);
    // A week longer than the session: until then its browser is told why it ended.
    const expires = new Date(service.clock.now().getTime() + 14 * 24 * 3_600_000).toUTCString();
    expect(attributes.toSorted()).toEqual([`Expires=${expires}`, "HttpOnly", "Path=/", "SameSite=Lax"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.text).not.toContain(tokenOf(answer));
  });

  test("keeps the password and the token as hashes only", async () => {
    const { token } = await signIn(service, ann);
    const { rows } = await service.database.pool.query(
      "select (select string_agg(users::text, '') from users) || (select string_agg(sessions::text, '') from sessions) as text",
    );
    const audit = (await service.operator(operator.listAudit, { query: { limit: 500 } })).text;
    for (const secret of [PASSWORD, token, Buffer.from(token).toString("hex")])
      for (const text of [rows[0].text, audit]) expect(text).not.toContain(secret);
  });

  test("has the same answer for a wrong password and for unknown, disabled and never invited users", async () => {
    const disabled = await newPerson(service, "operator");
    await service.made(operator.changeUser, { params: { id: disabled.id }, body: { disabled: true } });
    const fresh = { email: "fresh@example.com", name: "Fresh", role: "auditor" as const };
    await service.made(operator.createUser, { body: fresh });
    const cut = await service.newParticipant();
    const ofDisabledAccount = await newPerson(service, "participant-admin", cut.accountId);
    await service.made(operator.changeAccount, {
      params: { id: cut.accountId },
      body: { disabled: true, confirm_running: true },
    });
    const texts = [(await wrongPassword()).text];
    for (const email of [
      disabled.email,
      fresh.email,
      ofDisabledAccount.email,
      "nobody@example.com",
      "",
      "not an email",
    ]) {
      const answer = await trySignIn(service, { email, password: PASSWORD });
      expectError(answer, 401, /Email, password or code is wrong/);
      expect(answer.headers.get("set-cookie")).toBeNull();
      texts.push(answer.text);
    }
    expect(new Set(texts).size).toBe(1);
  });
});

describe("failed sign-ins", () => {
  test("bar an email after 10, even with the right password, until 15 minutes have passed", async () => {
    for (let index = 0; index < 10; index++) {
      expectError(await wrongPassword(), 401);
      service.clock.advance({ seconds: 1 });
    }
    const barred = await trySignIn(service, { email: ann.email, password: PASSWORD });
    expectError(barred, 429, /too many sign-ins have failed/);
    expect(barred.headers.get("retry-after")).toBe("890");
    service.clock.advance({ seconds: 890 });
    await signIn(service, ann);
  });
});

describe("a code of an authenticator app", () => {
  test("is asked for once it is confirmed, and only of those who know the password", async () => {
    await setUp();
    const needed = await withCode();
    expect([needed.body, needed.headers.get("set-cookie")]).toEqual([{ state: "totp_needed", user: null }, null]);
    expectError(await wrongPassword(), 401);
    expectError(await withCode("000000"), 401, /code is wrong/);
    expect((await withCode(codeOf(secret))).body).toMatchObject({ state: "signed_in", user: { has_totp: true } });
  });

  test("is taken once, also by many at the same time, and none of an earlier step after it", async () => {
    await setUp();
    const code = codeOf(secret);
    const answers = await Promise.all(Array.from({ length: 5 }, () => withCode(code)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expectError(await withCode(codeOf(secret, -1)), 401);
    service.clock.advance({ seconds: 30 });
    expect((await withCode(codeOf(secret))).body.state).toBe("signed_in");
  });

  test("counts as a failure when it is wrong, and being asked for it clears none", async () => {
    await setUp();
    for (let index = 0; index < 10; index++) {
      expect((await withCode()).body.state).toBe("totp_needed");
      expectError(await withCode("000000"), 401);
    }
    expectError(await withCode(), 429);
  });
});
