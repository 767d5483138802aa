import { auth, operator } from "@curtail/contract";
import { type OidcProvider, oidcProvider } from "@curtail/testing/oidc-provider";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { type Answer, httpClient } from "../../support/http-client.js";
import { browserWith, newPerson, type Person } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

let provider: OidcProvider;
let service: Running;
let ann: Person;
let subjects = 0;

beforeAll(async () => {
  provider = await oidcProvider();
  service = await running(provider.settings);
});

beforeEach(async () => {
  ann = await newPerson(service, "operator");
});

const annsClaims = () => ({ sub: `subject${++subjects}`, email: ann.email, email_verified: true });
const cookieOf = (answer: Answer, name: string): string =>
  answer.headers
    .getSetCookie()
    .find((each) => each.startsWith(`${name}=`))
    ?.split(";")[0] ?? "";
const get = ({ url }: Running, path: string, headers = {}) => httpClient(url)("GET", path, undefined, headers);

const begin = async (at = service, search = "") => {
  const started = await get(at, `/auth/oidc/start${search}`);
  return { started, url: started.headers.get("location") ?? "", cookie: cookieOf(started, "curtail_oidc") };
};
const comeBack = (back: URL, cookie: string) =>
  httpClient(back.origin)("GET", back.pathname + back.search, undefined, { cookie });

/** The whole flow, as a browser follows it. */
const signOn = async (): Promise<Answer> => {
  const { url, cookie } = await begin();
  return comeBack(provider.authorize(url), cookie);
};

const expectSignedIn = async (answer: Answer, person: Person): Promise<void> => {
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `${service.url}/`]);
  const token = cookieOf(answer, "curtail_session").replace("curtail_session=", "");
  expect((await browserWith(service, person, token).auth(auth.getSession)).body.user.id).toBe(person.id);
};
const expectRefused = (answer: Answer, message: RegExp): void => {
  expectError(answer, 401, message);
  expect(cookieOf(answer, "curtail_session")).toBe("");
};

const failed = /Single sign-on failed; start again/;
const disabled = /Your user or its account is disabled/;
const linked = /is linked to another identity/;

describe("single sign-on", () => {
  test("sends the browser to the provider with state, nonce and PKCE, all fresh each time", async () => {
    const [{ started, url }, again] = [await begin(), await begin()];
    expect([started.status, new URL(url).origin]).toEqual([303, provider.issuer]);
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({
      response_type: "code",
      client_id: "curtail-client",
      redirect_uri: `${service.url}/auth/oidc/callback`,
      scope: "openid email",
      code_challenge_method: "S256",
    });
    const others = Object.fromEntries(new URL(again.url).searchParams);
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(asked[name]).toMatch(/^[\w-]{43}$/);
      expect(asked[name]).not.toBe(others[name]);
    }
    expect(started.headers.get("set-cookie")).toMatch(/; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(started.headers.get("cache-control")).toBe("no-store");
  });

  test("signs in the user whom a verified email names", async () => {
    provider.says(annsClaims());
    await expectSignedIn(await signOn(), ann);
  });

  test.each([
    ["/operations/dispatches/dis_1?tab=evidence&site=site_1#late", null],
    ["/dashboard", null],
    ["/operations/../operations/alarms", "/operations/alarms"],
    ["//evil.example/operations", "/"],
    ["/\\evil.example/operations", "/"],
    ["https://evil.example/operations", "/"],
    ["/operations@evil.example", "/"],
    ["/operations/..//evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["/auth/sign-out", "/"],
    ["/sign-in?next=/operations", "/"],
    ["/operations?long=" + "x".repeat(2000), "/"],
  ])("leads to the page that was asked for, of this service only: %s", async (next, to) => {
    provider.says(annsClaims());
    const { url, cookie } = await begin(service, `?next=${encodeURIComponent(next)}`);
    const answer = await comeBack(provider.authorize(url), cookie);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, service.url + (to ?? next)]);
  });

  test("keeps the page that was asked for when it fails, for the next try", async () => {
    const { cookie } = await begin(service, `?next=${encodeURIComponent("/operations/alarms?state=open#1")}`);
    const headers = { cookie, accept: "text/html" };
    const answer = await httpClient(service.url)("GET", "/auth/oidc/callback?error=denied", undefined, headers);
    const next = encodeURIComponent("/operations/alarms?state=open#1");
    expect(answer.headers.get("location")).toBe(`${service.url}/sign-in?failed=single-sign-on&next=${next}`);
  });

  test("binds the person at the provider: from then on the email there does not matter", async () => {
    const claims = annsClaims();
    provider.says(claims);
    await signOn();
    provider.says({ sub: claims.sub, email: "renamed@example.com", email_verified: false });
    await expectSignedIn(await signOn(), ann);
    provider.says(annsClaims());
    expectRefused(await signOn(), linked);
    const { items } = (await service.operator(operator.listAudit, { query: { limit: 500 } })).body;
    const ofAnn = items.filter((each) => each.actor === `user:${ann.id}`);
    expect(ofAnn).toMatchObject([
      { action: "session.create" },
      { action: "session.create" },
      { action: "user.bind_oidc", subject: ann.id },
      { action: "user.set_password" },
    ]);
  });

  test("takes the email from the provider's userinfo where the token has none", async () => {
    const other = await oidcProvider();
    other.says({ sub: "subject-0" });
    other.tells({ sub: "subject-0", email: "userinfo@example.com", email_verified: true });
    const elsewhere = await running(other.settings);
    await elsewhere.made(operator.createUser, {
      body: { email: "userinfo@example.com", name: "Ben", role: "auditor" },
    });
    const { url, cookie } = await begin(elsewhere);
    const answer = await comeBack(other.authorize(url), cookie);
    expect(cookieOf(answer, "curtail_session")).toMatch(/^curtail_session=[\w-]{43}$/);
  });

  test("lets no disabled user in, bound or not", async () => {
    const claims = annsClaims();
    provider.says(claims);
    await service.made(operator.changeUser, { params: { id: ann.id }, body: { disabled: true } });
    expectRefused(await signOn(), disabled);
    await service.made(operator.changeUser, { params: { id: ann.id }, body: { disabled: false } });
    await expectSignedIn(await signOn(), ann);
    await service.made(operator.changeUser, { params: { id: ann.id }, body: { disabled: true } });
    expectRefused(await signOn(), disabled);
  });

  test.each([
    ["of another issuer", { iss: "https://evil.example.com" }],
    ["for another client", { aud: "another-client" }],
    ["of another sign-on", { nonce: "another-nonce" }],
    ["without a nonce", { nonce: undefined }],
    ["that has expired", { exp: 1_600_000_000 }],
    ["without a subject", { sub: undefined }],
  ])("refuses a token %s", async (_, wrong) => {
    provider.says({ ...annsClaims(), ...wrong });
    expectRefused(await signOn(), failed);
  });

  test("refuses a token whose signature is not the provider's", async () => {
    provider.says(annsClaims());
    provider.forges(true);
    expectRefused(await signOn(), failed);
    provider.forges(false);
    await expectSignedIn(await signOn(), ann);
  });

  test("refuses who comes back to a browser that was not sent, with another's cookie, or none", async () => {
    provider.says(annsClaims());
    const [mine, other] = [await begin(), await begin()];
    for (const cookie of ["", other.cookie, "curtail_oidc=e30", "curtail_oidc=%00", "curtail_oidc=bnVsbA"])
      expectRefused(await comeBack(provider.authorize(mine.url), cookie), failed);
    await expectSignedIn(await comeBack(provider.authorize(mine.url), mine.cookie), ann);
  });

  test("refuses a changed state, a code of another's, a code a second time, and the provider's refusal", async () => {
    provider.says(annsClaims());
    const { url, cookie } = await begin();
    const other = provider.authorize((await begin()).url);
    const changed = (member: string, value: string | null): URL => {
      const back = provider.authorize(url);
      back.searchParams.set(member, value ?? "");
      return back;
    };
    for (const back of [
      changed("state", "x"),
      changed("code", other.searchParams.get("code")),
      changed("error", "access_denied"),
    ])
      expectRefused(await comeBack(back, cookie), failed);
    const back = provider.authorize(url);
    await expectSignedIn(await comeBack(back, cookie), ann);
    expectRefused(await comeBack(back, cookie), failed);
  });
});

describe("without a provider", () => {
  let plain: Running;

  beforeAll(async () => {
    plain = await running();
  });

  test.each(["/auth/oidc/start", "/auth/oidc/callback?code=x&state=x"])("%s is not there", async (path) =>
    expectError(await httpClient(plain.url)("GET", path), 404),
  );
});

test("a provider that is down fails its own sign-ons only, and they work once it is back", async () => {
  const other = await oidcProvider();
  const elsewhere = await running(other.settings);
  other.isDown(true);
  expectError(await get(elsewhere, "/auth/oidc/start"), 500, /Reference/);
  expect((await elsewhere.operator(operator.listUsers)).status).toBe(200);
  other.isDown(false);
  expect((await begin(elsewhere)).started.status).toBe(303);
});

test("whoever is not signed in can ask whether there is single sign-on, and learns nothing else", async () => {
  const answer = await get(service, "/auth/options");
  expect([answer.status, answer.body]).toEqual([200, { oidc: true, password: true, session_end: null }]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect((await get(await running(), "/auth/options")).body).toEqual({
    oidc: false,
    password: true,
    session_end: null,
  });
});
