import { listSites, operator, VERSION } from "@curtail/contract";
import { expect, test } from "vitest";
import { basePaths, operatorClient, participantClient } from "../src/interfaces.js";

/** What a client would send. */
const recorded = () => {
  const sent: Array<{ readonly address: unknown; readonly init: RequestInit | undefined }> = [];
  const record: typeof fetch = async (address, init) => {
    sent.push({ address, init });
    return new Response("{}");
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

test("the participants' interface is the current version", () => {
  expect(basePaths.participant).toBe(`/${VERSION}`);
});
