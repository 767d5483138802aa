import { auth, operator } from "@curtail/contract";
import { generateSync } from "otplib";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { newPerson, PASSWORD, type Person, signIn, tokenOf, trySignIn } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

let guesses = 0;
let service: Running;
let ann: Person;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  // Failures of the previous test no longer count.
  service.clock.advance({ minutes: 15 });
  ann = await newPerson(service, "operator");
});

const wrongPassword = () => trySignIn(service, { email: ann.email, password: "wrong horse battery" });
const codeOf = (secret: string, step = 0): string =>
  generateSync({ secret, epoch: Math.floor(service.clock.now().getTime() / 1000) + step * 30 });
const withCode = (totp?: string) =>
  trySignIn(service, { email: ann.email, password: PASSWORD, ...(totp === undefined ? {} : { totp }) });

/** A guess that, according to a proxy, comes from this address. */
const guessFrom = (at: Running, address: string) =>
  trySignIn(at, { email: `${++guesses}@example.com`, password: PASSWORD }, { "x-forwarded-for": address });

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

  test("sets cookies that no other host can set where the public address is https, and reads no others", async () => {
    const secure = await running({ CURTAIL_PUBLIC_URL: "https://curtail.example.com" });
    const ben = await newPerson(secure, "operator");
    const answer = await trySignIn(secure, { email: ben.email, password: PASSWORD });
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split("=")[0])).toEqual(["__Host-curtail_session", "__Host-curtail_device"]);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; Path=\/;.* Secure;/);
      expect(cookie).not.toMatch(/Domain/);
    }
    const session = (cookie: string) => httpClient(`${secure.url}/auth`)("GET", "/session", undefined, { cookie });
    const [own = ""] = cookies[0]?.split(";") ?? [];
    expect((await session(own)).status).toBe(200);
    expectError(await session(own.replace("__Host-", "")), 401);
  });

  test("issues a new token each time, and accepts none from the browser", async () => {
    const brought = "x".repeat(43);
    const headers = { cookie: `curtail_session=${brought}` };
    const tokens = [];
    for (let index = 0; index < 3; index++)
      tokens.push(tokenOf(await trySignIn(service, { email: ann.email, password: PASSWORD }, headers)));
    expect(new Set([...tokens, brought]).size).toBe(4);
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

  test.each([
    [{}, /email is missing; it must be given; password is missing/],
    [{ email: 5, password: PASSWORD }, /email is 5; it must be a text/],
    [{ email: "a".repeat(255), password: PASSWORD }, /email is a long text; it must have at most 254/],
    [{ email: "a@b", password: "p".repeat(401) }, /password is a long text/],
    [{ email: "a@b", password: PASSWORD, totp: "12345" }, /totp/],
    [{ email: "a@b", password: PASSWORD, totp: 123456 }, /totp is 123456; it must be a text/],
    [{ email: "a@b\u0000", password: PASSWORD }, /U\+0000/],
  ])("refuses %j", async (body, message) =>
    expectError(await httpClient(`${service.url}/auth`)("POST", "/sign-in", body), 400, message),
  );

  test("refuses a body larger than any that it needs, and says how large that is", async () => {
    const answer = await trySignIn(service, { email: "a@b", password: "p".repeat(20_000) });
    expectError(answer, 400, /larger than 16384 bytes/);
  });

  test.each(["cross-site", "same-site", "none"])("from a page elsewhere (%s) is refused", async (site) => {
    const answer = await trySignIn(service, { email: ann.email, password: PASSWORD }, { "sec-fetch-site": site });
    expectError(answer, 400, /comes from a page of another site/);
    expect(answer.headers.get("set-cookie")).toBeNull();
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

  test("bar an address after 30, whatever the emails, also when they come at once", async () => {
    const tries = Array.from({ length: 40 }, (_, index) =>
      trySignIn(service, { email: `guess${index}@example.com`, password: PASSWORD }),
    );
    const statuses = (await Promise.all(tries)).map((answer) => answer.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  test("are counted for the address that a trusted proxy names, and for nobody's word else", async () => {
    const proxied = await running({ CURTAIL_TRUSTED_PROXIES: "127.0.0.0/8" });
    for (const at of [proxied, service]) for (let index = 0; index < 30; index++) await guessFrom(at, "192.0.2.1");
    expectError(await guessFrom(proxied, "192.0.2.1"), 429);
    expectError(await guessFrom(proxied, "192.0.2.2"), 401);
    expectError(await guessFrom(service, "192.0.2.2"), 429);
  });

  test("are forgotten when the owner of the email signs in", async () => {
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 9; index++) expectError(await wrongPassword(), 401);
      await signIn(service, ann);
    }
  });
});

describe("a code of an authenticator app", () => {
  let secret: string;

  const begun = async () => {
    const browser = await signIn(service, ann);
    const { body } = await browser.auth(auth.setUpTotp, { body: { password: PASSWORD } });
    secret = body.secret ?? "";
    return { browser, uri: new URL(body.otpauth_uri ?? "") };
  };
  const setUp = async () => {
    const { browser } = await begun();
    const confirmed = (await browser.auth(auth.setUpTotp, { body: { code: codeOf(secret) } })).body;
    expect(confirmed).toMatchObject({ state: "confirmed", secret: null, otpauth_uri: null });
    // After the step whose code confirmed.
    service.clock.advance({ minutes: 2 });
    return browser;
  };

  test("is not asked for before the app has shown that it has the secret", async () => {
    const { browser, uri } = await begun();
    expect([uri.protocol, uri.host, uri.searchParams.get("secret")]).toEqual(["otpauth:", "totp", secret]);
    expectError(
      await browser.auth(auth.setUpTotp, { body: { code: "000000" } }),
      400,
      /code does not match the secret/,
    );
    expect((await withCode()).body.state).toBe("signed_in");
    expect((await browser.auth(auth.getSession)).body.user.has_totp).toBe(false);
  });

  test("is asked for once it is confirmed, and only of those who know the password", async () => {
    await setUp();
    const needed = await withCode();
    expect([needed.body, needed.headers.get("set-cookie")]).toEqual([{ state: "totp_needed", user: null }, null]);
    expectError(await wrongPassword(), 401);
    expectError(await withCode("000000"), 401, /code is wrong/);
    expect((await withCode(codeOf(secret))).body).toMatchObject({ state: "signed_in", user: { has_totp: true } });
  });

  test("is taken one step early or late, not two", async () => {
    await setUp();
    expectError(await withCode(codeOf(secret, -2)), 401);
    expectError(await withCode(codeOf(secret, 2)), 401);
    expect((await withCode(codeOf(secret, -1))).body.state).toBe("signed_in");
    expect((await withCode(codeOf(secret, 1))).body.state).toBe("signed_in");
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

  test("that confirmed the secret is spent", async () => {
    const { browser } = await begun();
    const code = codeOf(secret);
    await browser.auth(auth.setUpTotp, { body: { code } });
    expectError(await withCode(code), 401);
  });

  test("counts as a failure when it is wrong, and being asked for it clears none", async () => {
    await setUp();
    for (let index = 0; index < 10; index++) {
      expect((await withCode()).body.state).toBe("totp_needed");
      expectError(await withCode("000000"), 401);
    }
    expectError(await withCode(), 429);
  });

  test("is not exchanged by whoever has the session", async () => {
    const browser = await setUp();
    expectError(
      await browser.auth(auth.setUpTotp, { body: { password: PASSWORD } }),
      400,
      /already set up; remove it first/,
    );
    expectError(
      await browser.auth(auth.setUpTotp, { body: { code: codeOf(secret) } }),
      400,
      /already set up; remove it first/,
    );
  });

  test("needs a secret first, and somebody who is signed in", async () => {
    const browser = await signIn(service, ann);
    expectError(await browser.auth(auth.setUpTotp, { body: { code: "123456" } }), 400, /no secret was created yet/);
    expectError(await httpClient(`${service.url}/auth`)("POST", "/totp", {}), 401, /sign in first/);
  });
});
