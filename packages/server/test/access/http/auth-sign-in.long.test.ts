import { auth } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { newPerson, PASSWORD, signIn, tokenOf, trySignIn } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";
import {
  ann,
  begun,
  codeOf,
  prepare,
  prepareEach,
  secret,
  service,
  setUp,
  withCode,
  wrongPassword,
} from "../../support/signing-in.js";

let guesses = 0;

beforeAll(prepare);

beforeEach(prepareEach);

/** A guess that, according to a proxy, comes from this address. */
const guessFrom = (at: Running, address: string) =>
  trySignIn(at, { email: `${++guesses}@example.com`, password: PASSWORD }, { "x-forwarded-for": address });

describe("signing in", () => {
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

  test("is taken one step early or late, not two", async () => {
    await setUp();
    expectError(await withCode(codeOf(secret, -2)), 401);
    expectError(await withCode(codeOf(secret, 2)), 401);
    expect((await withCode(codeOf(secret, -1))).body.state).toBe("signed_in");
    expect((await withCode(codeOf(secret, 1))).body.state).toBe("signed_in");
  });

  test("that confirmed the secret is spent", async () => {
    const { browser } = await begun();
    const code = codeOf(secret);
    await browser.auth(auth.setUpTotp, { body: { code } });
    expectError(await withCode(code), 401);
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
