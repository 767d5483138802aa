import { expect, test } from "vitest";
import { httpClient } from "../support/http-client.js";
import { newBrowser } from "../support/people.js";
import { type Running, running } from "../support/running.js";

const accountOf = async (service: Running) => {
  const participant = await service.newParticipant({ name: "Anna's works" });
  const viewer = await newBrowser(service, "participant-viewer", participant.accountId);
  return { participant, account: (await viewer.console("GET", "/account")).body };
};

test("an account's people learn where its systems connect to, which leads there", async () => {
  const service = await running({ CURTAIL_API_KEY_HEADER: "X-Our-Key" });
  const { participant, account } = await accountOf(service);
  expect(account).toEqual({
    id: participant.accountId,
    name: "Anna's works",
    rest_url: `${service.url}/2022-04-15`,
    sandbox_url: `${service.sandboxUrl}/2022-04-15`,
    openadr_url: null,
    api_key_header: "X-Our-Key",
  });
  const headers = { [account.api_key_header]: participant.key };
  expect((await httpClient(account.rest_url, headers)("GET", "/sites")).status).toBe(200);
});

test("behind a public address they are told that host with the ports, and the first name VENs are shown", async () => {
  const service = await running({
    CURTAIL_PUBLIC_URL: "http://dr.example.com",
    CURTAIL_OPENADR_HOSTNAMES: "ven.example.com,dr.example.com",
  });
  const port = await service.listenToVens();
  expect((await accountOf(service)).account).toMatchObject({
    rest_url: "http://dr.example.com/2022-04-15",
    sandbox_url: `http://dr.example.com:${new URL(service.sandboxUrl).port}/2022-04-15`,
    openadr_url: `https://ven.example.com:${port}`,
  });
});

test("what the operator set as addresses counts", async () => {
  const service = await running({
    CURTAIL_PUBLIC_URL: "http://dr.example.com",
    CURTAIL_SANDBOX_PUBLIC_URL: "https://sandbox.example.com/",
    CURTAIL_OPENADR_PUBLIC_URL: "https://ven.example.com:443",
  });
  expect((await accountOf(service)).account).toMatchObject({
    sandbox_url: "https://sandbox.example.com/2022-04-15",
    openadr_url: "https://ven.example.com:443",
  });
});
