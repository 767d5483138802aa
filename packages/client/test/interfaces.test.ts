import { BASE_PATHS, listSites, operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { basePaths, operatorClient, participantClient } from "../src/interfaces.js";
import { claimKey, redeemLink } from "../src/links.js";

/** What a client would send. */
const recorded = (reply = "{}") => {
  const sent: Array<{ readonly address: unknown; readonly init: RequestInit | undefined }> = [];
  const record: typeof fetch = async (address, init) => {
    sent.push({ address, init });
    return new Response(reply);
  };
  return { sent, fetch: record };
};

test("the operator's client sends the token to the operator API", async () => {
  const { sent, fetch } = recorded();
  await operatorClient({ url: "http://curtail.example", token: "secret", fetch }).call(operator.listAccounts);
  expect(sent).toMatchObject([
    {
      address: "http://curtail.example/operator/v1/accounts",
      init: { method: "GET", headers: { authorization: "Bearer secret" } },
    },
  ]);
});

test("a participant's client sends the key in the header that the service is configured for", async () => {
  const { sent, fetch } = recorded();
  const access = { url: "http://curtail.example", key: "ctp_1", fetch };
  await participantClient(access).call(listSites);
  await participantClient({ ...access, keyHeader: "x-key" }).call(listSites);
  expect(sent).toMatchObject([
    { address: "http://curtail.example/2022-04-15/sites", init: { headers: { "x-service-api-key": "ctp_1" } } },
    { init: { headers: { "x-key": "ctp_1" } } },
  ]);
});

test("the interfaces are where the contract says", () => {
  expect(basePaths).toEqual(BASE_PATHS);
});

const gone = async () => new Response('{"message":"the link was used"}', { status: 404 });

test("a key is claimed at its link, and a failure does not show the link's secret", async () => {
  const { sent, fetch } = recorded('{"api_key":"ctp_1"}');
  const link = "http://curtail.example/claim/secret";
  expect(await claimKey(link, { fetch })).toEqual({ api_key: "ctp_1" });
  expect(sent).toMatchObject([{ address: link, init: { method: "POST" } }]);
  await expect(claimKey(link, { fetch: gone })).rejects.toThrow(
    /^POST \/claim\/\{token\} returned 404: the link was used$/,
  );
});

test("a link that asks for something is sent a body", async () => {
  const { sent, fetch } = recorded();
  await redeemLink("http://curtail.example/invitation/secret", { password: "long enough" }, { fetch });
  expect(sent).toMatchObject([{ init: { body: '{"password":"long enough"}' } }]);
});
