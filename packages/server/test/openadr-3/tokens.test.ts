import { operator } from "@curtail/contract";
import { describe, expect, test } from "vitest";
import { clientOf, requestToken } from "../support/openadr-3.js";
import { form, isServed, refusal, vtn } from "../support/tokens-of-clients.js";

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
});

describe("the secret of a client", () => {
  test("is stored as its hash only", async () => {
    const { secret } = await vtn.ven();
    const { rows } = await vtn.database.pool.query("select openadr3_clients::text as row from openadr3_clients");
    expect(rows.map(({ row }) => row).join()).not.toContain(secret);
    const { rows: audited } = await vtn.database.pool.query("select audit_log::text as row from audit_log");
    expect(audited.map(({ row }) => row).join()).not.toContain(secret);
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
});
