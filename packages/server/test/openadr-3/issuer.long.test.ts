import { operator } from "@curtail/contract";
import { oidcProvider } from "@curtail/testing/oidc-provider";
import { describe, expect, test } from "vitest";
import { clientOf, runningVtn } from "../support/openadr-3.js";

const provider = await oidcProvider();
const ISSUER = {
  CURTAIL_OPENADR3_ISSUER: provider.issuer,
  CURTAIL_OPENADR3_AUDIENCE: "https://vtn.example.com",
};
const vtn = await runningVtn(ISSUER);
const seconds = () => Math.floor(vtn.clock.now().getTime() / 1000);
const token = (claims: Readonly<Record<string, unknown>>) =>
  provider.accessToken({ aud: "https://vtn.example.com", iat: seconds(), exp: seconds() + 600, ...claims });
const status = async (claims: Readonly<Record<string, unknown>>): Promise<number> =>
  (await clientOf(vtn.vtnUrl, token(claims)).programs.search()).status;

const anna = await vtn.newParticipant();
const created = await vtn.made(operator.createOpenadrClient, {
  params: { id: anna.accountId },
  body: { name: "Gateway", external_id: "gateway-7" },
});

describe("tokens of an outside issuer", () => {
  test("are obtained at its token endpoint", async () => {
    const { body } = await vtn.anonymous.call({ id: "getAuthServerInfo", method: "GET", path: "/auth/server" });
    expect(body).toEqual({ tokenURL: `${provider.issuer}/token` });
  });

  test("belong to a client that has no secret here, whichever claim names it", async () => {
    expect(created).toMatchObject({ external_id: "gateway-7", client_secret: null });
    for (const claim of ["client_id", "azp", "appid"]) expect(await status({ [claim]: "gateway-7" })).toBe(200);
    expect(await status({ sub: "somebody", client_id: "gateway-7" })).toBe(200);
  });

  test("of another client are not taken for that of their subject", async () => {
    for (const claims of [
      { sub: "gateway-7" },
      { sub: "gateway-7", client_id: "other" },
      { sub: "gateway-7", azp: "other" },
      { azp: "gateway-7", client_id: "other" },
      { sub: "gateway-7", client_id: 7 },
    ])
      expect(await status(claims)).toBe(403);
  });

  test("name their client in the subject if a setting says so, and nothing else names it", async () => {
    const trusting = await runningVtn({ ...ISSUER, CURTAIL_OPENADR3_TOKEN_SUBJECT: "client" });
    const { accountId } = await trusting.newParticipant();
    const body = { name: "Gateway", external_id: "gateway-7" };
    await trusting.made(operator.createOpenadrClient, { params: { id: accountId }, body });
    const answered = async (claims: Readonly<Record<string, unknown>>) =>
      (await clientOf(trusting.vtnUrl, token(claims)).programs.search()).status;
    expect(await answered({ sub: "gateway-7" })).toBe(200);
    expect(await answered({ sub: "gateway-7", azp: "other" })).toBe(403);
  });

  test("of a person's sign-in, or of the future, are refused", async () => {
    for (const claims of [{ nonce: "n" }, { at_hash: "h" }, { iat: seconds() + 60 }])
      expect(await status({ client_id: "gateway-7", ...claims })).toBe(403);
    expect(await status({ client_id: "gateway-7", iat: seconds() + 20 })).toBe(200);
  });

  test("have the scopes that they name of ours, or all of the client", async () => {
    const narrow = clientOf(vtn.vtnUrl, token({ client_id: "gateway-7", scope: "openid read_targets" }));
    expect(await narrow.programs.search()).toMatchObject({ status: 200 });
    expect(await narrow.vens.search()).toMatchObject({ status: 403 });
    const wide = clientOf(vtn.vtnUrl, token({ client_id: "gateway-7", scp: ["openid"] }));
    expect(await wide.vens.search()).toMatchObject({ status: 200 });
  });

  test("of another audience, another key or another time are refused", async () => {
    expect(await status({ client_id: "gateway-7", aud: "https://other.example.com" })).toBe(403);
    expect(await status({ client_id: "gateway-7", exp: seconds() - 1 })).toBe(401);
    expect(await status({ client_id: "gateway-7", nbf: seconds() + 60 })).toBe(403);
    expect(await status({ client_id: "gateway-7", exp: undefined })).toBe(403);
    expect(await status({ client_id: "gateway-7", iss: "https://other.example.com" })).toBe(403);
    provider.forges(true);
    expect(await status({ client_id: "gateway-7" })).toBe(403);
    provider.forges(false);
  });

  test("are accepted beside our own", async () => {
    expect(await (await vtn.ven()).programs.search()).toMatchObject({ status: 200 });
  });

  test("of a name that another client has are not given twice", async () => {
    const again = await vtn.operator("POST", `/accounts/${anna.accountId}/openadr3-clients`, {
      name: "Another",
      external_id: "gateway-7",
    });
    expect(again.status).toBe(400);
    const rotated = await vtn.operator("POST", `/openadr3-clients/${created.id}/rotate-secret`, {});
    expect(rotated.status).toBe(400);
  });

  test("cannot be checked while the issuer is away: our own are, and it recovers by itself", async () => {
    const other = await oidcProvider();
    other.isDown(true);
    const waiting = await runningVtn({
      CURTAIL_OPENADR3_ISSUER: other.issuer,
      CURTAIL_OPENADR3_AUDIENCE: "https://vtn.example.com",
    });
    const theirs = other.accessToken({
      aud: "https://vtn.example.com",
      iat: seconds(),
      exp: seconds() + 600,
      sub: "x",
    });
    expect(await clientOf(waiting.vtnUrl, theirs).programs.search()).toMatchObject({ status: 503 });
    expect(await (await waiting.ven()).programs.search()).toMatchObject({ status: 200 });
    other.isDown(false);
    expect(await clientOf(waiting.vtnUrl, theirs).programs.search()).toMatchObject({ status: 403 });
  });
});
