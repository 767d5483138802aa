import { operator } from "@curtail/contract";
import { describe, expect, test } from "vitest";
import { clientOf, requestToken, runningVtn, tokenOf, type Vtn } from "../support/openadr-3.js";

const vtn: Vtn = await runningVtn();

const form = (id: string, secret: string, more: Readonly<Record<string, string>> = {}) => ({
  grant_type: "client_credentials",
  client_id: id,
  client_secret: secret,
  ...more,
});
const refusal = (status: number, error: string) => ({ status, body: { error, status, detail: expect.any(String) } });
const rotate = (id: string, previous_valid_hours?: number) =>
  vtn.made(operator.rotateOpenadrSecret, {
    params: { id },
    body: previous_valid_hours === undefined ? {} : { previous_valid_hours },
  });
const isServed = async (token: string): Promise<number> => (await clientOf(vtn.vtnUrl, token).programs.search()).status;

describe("a token", () => {
  test("is obtained where the VTN says, for a secret, and lasts an hour", async () => {
    const { id, secret } = await vtn.ven();
    const { body: server } = await vtn.anonymous.call({ id: "getAuthServerInfo", method: "GET", path: "/auth/server" });
    expect(server).toEqual({ tokenURL: `${vtn.vtnUrl}/auth/token` });
    const { status, body, headers } = await requestToken(vtn.vtnUrl, form(id, secret));
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        access_token: expect.any(String),
        token_type: "Bearer",
        expires_in: 3600,
        scope: "read_all read_targets read_ven_objects write_reports write_subscriptions write_vens",
      },
    });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(await isServed(body.access_token)).toBe(200);
    vtn.clock.advance({ minutes: 59 });
    expect(await isServed(body.access_token)).toBe(200);
    vtn.clock.advance({ minutes: 1 });
    const expired = await clientOf(vtn.vtnUrl, body.access_token).programs.search();
    expect(expired).toMatchObject({ status: 401, body: { title: "Unauthorized" } });
    expect(expired.headers.get("www-authenticate")).toBe('Bearer realm="OpenADR", error="invalid_token"');
  });

  test("may be asked for with HTTP basic authentication", async () => {
    const { id, secret } = await vtn.ven();
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
    expect(await requestToken(vtn.vtnUrl, { grant_type: "client_credentials" }, { authorization })).toMatchObject({
      status: 200,
    });
  });

  test("may be limited to some scopes, and then opens nothing else", async () => {
    const { id, secret } = await vtn.ven();
    const limited = clientOf(vtn.vtnUrl, await tokenOf(vtn.vtnUrl, { id, secret }, "read_targets"));
    expect(await limited.programs.search()).toMatchObject({ status: 200 });
    expect(await limited.vens.search()).toMatchObject({ status: 403, body: { detail: /read_ven_objects/ } });
    const asked = await requestToken(vtn.vtnUrl, form(id, secret, { scope: "write_events" }));
    expect(asked).toMatchObject(refusal(400, "invalid_scope"));
  });

  test("is refused for a request that is not one of RFC 6749", async () => {
    const { id, secret } = await vtn.ven();
    const ask = (given: Record<string, string> | string, headers = {}) => requestToken(vtn.vtnUrl, given, headers);
    expect(await ask({ client_id: id, client_secret: secret })).toMatchObject(refusal(400, "invalid_request"));
    expect(await ask({ grant_type: "client_credentials" })).toMatchObject(refusal(400, "invalid_request"));
    expect(await ask(form(id, ""))).toMatchObject(refusal(400, "invalid_request"));
    expect(await ask(form(id, secret, { grant_type: "password" }))).toMatchObject(
      refusal(400, "unsupported_grant_type"),
    );
    const twice = `${new URLSearchParams(form(id, secret)).toString()}&client_id=${id}`;
    expect(await ask(twice)).toMatchObject(refusal(400, "invalid_request"));
    const json = { "content-type": "application/json" };
    expect(await ask(JSON.stringify(form(id, secret)), json)).toMatchObject(refusal(400, "invalid_request"));
    expect(await ask("x".repeat(20_000))).toMatchObject({ status: 400 });
  });

  test("is refused for a wrong secret, without a word on whether the client exists", async () => {
    const { id } = await vtn.ven();
    const wrong = await requestToken(vtn.vtnUrl, form(id, "cta_wrong"));
    expect(wrong).toMatchObject(refusal(401, "invalid_client"));
    expect(wrong.headers.get("www-authenticate")).toBe('Basic realm="OpenADR"');
    const unknown = await requestToken(vtn.vtnUrl, form("oac_unknown\0", "cta_wrong"));
    expect(unknown.body).toEqual(wrong.body);
  });

  test("is needed: without one the answer is 401, with one that is none 403", async () => {
    const without = await vtn.anonymous.programs.search();
    expect(without).toMatchObject({ status: 401 });
    expect(without.headers.get("www-authenticate")).toBe('Bearer realm="OpenADR"');
    expect(await vtn.bad.programs.search()).toMatchObject({ status: 403, body: { title: "Forbidden" } });
  });

  test("that was changed, or signed by somebody else, is none", async () => {
    const { token } = await vtn.ven();
    const [head = "", claims = "", signature = ""] = String(token).split(".");
    const content = JSON.parse(Buffer.from(claims, "base64url").toString());
    const scope = `${content.scope} write_events`;
    const forged = Buffer.from(JSON.stringify({ ...content, scope })).toString("base64url");
    const unsigned = Buffer.from(JSON.stringify({ alg: "none", typ: "at+jwt" })).toString("base64url");
    expect(await isServed(`${head}.${forged}.${signature}`)).toBe(403);
    expect(await isServed(`${unsigned}.${claims}.`)).toBe(403);
    expect(await isServed(`${head}.${claims}.${signature.slice(0, -4)}AAAA`)).toBe(403);
  });

  test("is accepted by every process of the service", async () => {
    const { token } = await vtn.ven();
    await vtn.another();
    const other = await vtn.listenToOpenadr3();
    expect(await clientOf(other, token).programs.search()).toMatchObject({ status: 200 });
  });
});

describe("the secret of a client", () => {
  test("is stored as its hash only", async () => {
    const { secret } = await vtn.ven();
    const { rows } = await vtn.database.pool.query("select openadr3_clients::text as row from openadr3_clients");
    expect(rows.map(({ row }) => row).join()).not.toContain(secret);
    const { rows: audited } = await vtn.database.pool.query("select audit_log::text as row from audit_log");
    expect(audited.map(({ row }) => row).join()).not.toContain(secret);
  });

  test("is rotated with a change-over: for a day both get tokens", async () => {
    const { id, secret } = await vtn.ven();
    const { client_secret, previous_secret_until } = await rotate(id);
    expect(previous_secret_until).toBe(
      new Date(vtn.clock.now().getTime() + 24 * 3_600_000).toISOString().replace(".000", ""),
    );
    for (const each of [secret, String(client_secret)])
      expect(await requestToken(vtn.vtnUrl, form(id, each))).toMatchObject({ status: 200 });
    vtn.clock.advance({ hours: 24 });
    expect(await requestToken(vtn.vtnUrl, form(id, secret))).toMatchObject(refusal(401, "invalid_client"));
    expect(await requestToken(vtn.vtnUrl, form(id, String(client_secret)))).toMatchObject({ status: 200 });
  });

  test("that has leaked is replaced at once, and its tokens with it", async () => {
    const { id, secret, token } = await vtn.ven();
    vtn.clock.advance({ seconds: 1 });
    const { client_secret } = await rotate(id, 0);
    expect(await isServed(String(token))).toBe(403);
    expect(await requestToken(vtn.vtnUrl, form(id, secret))).toMatchObject(refusal(401, "invalid_client"));
    expect(await isServed(await tokenOf(vtn.vtnUrl, { id, secret: String(client_secret) }))).toBe(200);
  });

  test("and its tokens end with the client, also in other processes within a second", async () => {
    const { id, secret, token } = await vtn.ven();
    await vtn.another();
    const other = await vtn.listenToOpenadr3();
    expect(await clientOf(other, token).programs.search()).toMatchObject({ status: 200 });
    await vtn.made(operator.revokeOpenadrClient, { params: { id } });
    expect(await isServed(String(token))).toBe(403);
    expect(await requestToken(vtn.vtnUrl, form(id, secret))).toMatchObject(refusal(401, "invalid_client"));
    vtn.clock.advance({ seconds: 1 });
    expect(await clientOf(other, token).programs.search()).toMatchObject({ status: 403 });
  });

  test("and its tokens are refused while the account is disabled", async () => {
    const anna = await vtn.newParticipant();
    const { token } = await vtn.ven({ participant: anna });
    const disable = (disabled: boolean) =>
      vtn.made(operator.changeAccount, { params: { id: anna.accountId }, body: { disabled } });
    await disable(true);
    vtn.clock.advance({ seconds: 1 });
    expect(await isServed(String(token))).toBe(403);
    await disable(false);
    vtn.clock.advance({ seconds: 1 });
    expect(await isServed(String(token))).toBe(200);
  });

  test("lost scopes at once when they were taken from the client", async () => {
    const { id, token } = await vtn.ven();
    await vtn.made(operator.changeOpenadrClient, { params: { id }, body: { scopes: ["read_targets"] } });
    expect((await clientOf(vtn.vtnUrl, token).vens.search()).status).toBe(403);
  });
});

test("whoever guesses secrets has to wait, while a right secret still gets a token", async () => {
  const guessed = await runningVtn();
  const { id, secret } = await guessed.ven();
  const guess = () => requestToken(guessed.vtnUrl, form(id, "cta_guess"));
  for (let tries = 0; tries < 30; tries++) expect((await guess()).status).toBe(401);
  const barred = await guess();
  expect(barred).toMatchObject({ status: 429 });
  expect(Number(barred.headers.get("retry-after"))).toBeGreaterThan(0);
  const metrics = await (await fetch(`${guessed.url}/metrics`)).text();
  expect(metrics).toContain('curtail_refused_credentials_total{kind="client_secret"} 30');
  expect(metrics).toContain('curtail_refused_credentials_total{kind="client_secret_barred"} 1');
  expect(await requestToken(guessed.vtnUrl, form(id, secret))).toMatchObject({ status: 200 });
  guessed.clock.advance({ minutes: 1 });
  expect((await guess()).status).toBe(401);
});

test("whoever sends tokens that are none has to wait, too", async () => {
  const guessed = await runningVtn();
  for (let tries = 0; tries < 100; tries++) expect((await guessed.bad.programs.search()).status).toBe(403);
  expect((await guessed.bad.programs.search()).status).toBe(429);
  expect(await (await guessed.ven()).programs.search()).toMatchObject({ status: 200 });
});

test("a client may send as many requests a minute as the setting says", async () => {
  const limited = await runningVtn({ CURTAIL_RATE_LIMIT: "3" });
  const ven = await limited.ven();
  for (let sent = 0; sent < 3; sent++) expect((await ven.programs.search()).status).toBe(200);
  const refused = await ven.programs.search();
  expect(refused).toMatchObject({ status: 429 });
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
});
