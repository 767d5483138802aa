import { operator } from "@curtail/contract";
import { describe, expect, test } from "vitest";
import { clientOf, requestToken, runningVtn, tokenOf } from "../support/openadr-3.js";
import { form, isServed, refusal, vtn } from "../support/tokens-of-clients.js";

const rotate = (id: string, previous_valid_hours?: number) =>
  vtn.made(operator.rotateOpenadrSecret, {
    params: { id },
    body: previous_valid_hours === undefined ? {} : { previous_valid_hours },
  });

const ask = (given: Record<string, string> | string, headers = {}) => requestToken(vtn.vtnUrl, given, headers);

describe("a token", () => {
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
