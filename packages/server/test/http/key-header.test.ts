import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { httpClient } from "../support/http-client.js";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, "Authentication"; G1, G7.
let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running({ CURTAIL_API_KEY_HEADER: "X-Brand-API-Key" });
  anna = await service.newParticipant();
});

const sitesWith = (headers: Record<string, string>) =>
  httpClient(`${service.url}/2022-04-15`, headers)("GET", "/sites");

describe("the header of the key", () => {
  test("has the name that the operator set, in any case", async () => {
    expect((await anna.call("GET", "/sites")).status).toBe(200);
    expect((await sitesWith({ "X-BRAND-api-KEY": anna.key })).status).toBe(200);
  });

  test("is not taken under its usual name, nor as a bearer token, once it has another", async () => {
    expectError(await sitesWith({ "x-service-api-key": anna.key }), 401, /permission denied/i);
    expectError(await sitesWith({ authorization: `Bearer ${anna.key}` }), 401, /permission denied/i);
  });
});
