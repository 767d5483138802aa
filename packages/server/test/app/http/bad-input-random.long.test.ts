import { operator } from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import { wireProgram } from "@curtail/testing/wire-forms";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type AnyRequest, anyRequest } from "../../support/any-request.js";
import { expectNoFailure } from "../../support/expect-error.js";
import type { Answer } from "../../support/http-client.js";
import { namesOf, servedEndpoints } from "../../support/participant-calls.js";
import { type Participant, type Running, running } from "../../support/running.js";

const RUNS = propertyRuns(400);

let service: Running;
let likely: string[];
let anna: Participant;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "1000000", CURTAIL_RATE_LIMIT_DISPATCHES: "1000000" });
  anna = await service.newParticipant();
  const program = await service.made(operator.createProgram, { body: wireProgram() });
  const [start_time, end_time, ago] = [1, 2, -1].map((hours) => inHours(hours));
  const dispatch = await service.made(operator.createDispatch, {
    body: {
      program_id: program.id,
      start_time: start_time ?? "",
      sites: anna.sites.map(({ id }) => ({ site_id: id })),
    },
  });
  const { siteId, meterId, dispatchId } = namesOf(anna, dispatch.id);
  likely = [siteId, meterId, dispatchId, program.id, anna.accountId, "UTC", "a@b.example"];
  likely.push(start_time ?? "", end_time ?? "", ago ?? "");
});

const inHours = (hours: number): string => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();

const judge = (endpoints: Parameters<typeof anyRequest>[0], send: (request: AnyRequest) => Promise<Answer>) => {
  const statuses = new Set<number>();
  const property = fc.asyncProperty(anyRequest(endpoints, likely), async (request) => {
    const answer = await send(request);
    statuses.add(answer.status);
    expectNoFailure(answer);
  });
  return fc.assert(property, { numRuns: RUNS }).then(() => statuses);
};

describe("no request whatever ends in a failure of ours", () => {
  test("from a participant", async () => {
    const statuses = await judge(servedEndpoints, ({ method, path, body }) => anna.call(method, path, body));
    // Some were accepted: not all requests fail at the first check.
    for (const status of [200, 400, 404]) expect(statuses).toContain(status);
  });

  test("from the operator", async () => {
    const { operatorEndpoints } = operator;
    const statuses = await judge(operatorEndpoints, ({ method, path, body }) => service.operator(method, path, body));
    for (const status of [200, 400, 404]) expect(statuses).toContain(status);
  });

  test("without a key, at any address", async () => {
    const path = fc.oneof(
      fc.webPath(),
      fc.constantFrom("/claim/x", "/claim/%00", "/reference/%00", "/metrics", "/docs"),
    );
    const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS");
    const property = fc.asyncProperty(method, path, async (method, path) => {
      const response = await fetch(service.url + (path.startsWith("/") ? path : `/${path}`), {
        method,
        redirect: "manual",
      });
      expect(response.status).toBeLessThan(500);
      await response.arrayBuffer();
    });
    await fc.assert(property, { numRuns: RUNS / 2 });
  });
});
