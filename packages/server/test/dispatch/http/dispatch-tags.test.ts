import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Polls are answered ahead of the framework, or by it: the key's first request, HEAD, and large answers.
let service: Running;
let anna: Participant;
let program: string;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
  program = await newProgram(service, [anna]);
  await newDispatch(service, program);
});

const asked = async (path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> => {
  const address = `${service.url}/2022-04-15${path}`;
  return fetch(address, {
    method,
    headers: { "x-service-api-key": anna.key, "accept-encoding": "identity", ...headers },
  });
};

const tagOf = ({ headers }: Response): string => headers.get("etag") ?? "no tag";

describe.each(["/dispatches", "/sites"])("GET %s (G74)", (path) => {
  test("answers 304 without a body to a client that has the answer, and 200 to any other", async () => {
    for (const _ of ["by the framework", "from memory"]) {
      const whole = await asked(path);
      expect(whole.status).toBe(200);
      const same = await asked(path, { "if-none-match": `"other", ${tagOf(whole)}` });
      expect([same.status, await same.text(), tagOf(same)]).toEqual([304, "", tagOf(whole)]);
      for (const header of ["cache-control", "vary", "x-ratelimit-limit"])
        expect(same.headers.get(header)).toBe(whole.headers.get(header));
      expect((await asked(path, { "if-none-match": '"other"' })).status).toBe(200);
    }
  });

  test("lets nobody but the key's holder reuse the answer, and that one only after asking", async () => {
    const { headers } = await asked(path);
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect(headers.get("vary")).toBe("x-service-api-key");
  });

  test("answers HEAD alike", async () => {
    const tag = tagOf(await asked(path));
    const head = await asked(path, {}, "HEAD");
    expect([head.status, tagOf(head)]).toEqual([200, tag]);
    expect((await asked(path, { "if-none-match": tag }, "HEAD")).status).toBe(304);
  });
});

test("the tag of the list changes with a change of a dispatch and with its leaving the list, at once", async () => {
  const { id } = await newDispatch(service, program, { start_time: ahead(service, { minutes: 5 }) });
  const tags = [tagOf(await asked("/dispatches"))];
  await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 3 }) } });
  tags.push(tagOf(await asked("/dispatches", { "if-none-match": tags[0] ?? "" })));
  service.clock.advance({ hours: 28 });
  tags.push(tagOf(await asked("/dispatches", { "if-none-match": tags[1] ?? "" })));
  expect(new Set(tags).size).toBe(3);
});

test("the tag of the sites changes with the name of a meter", async () => {
  const before = tagOf(await asked("/sites"));
  const id = anna.sites[0]?.meters[0] ?? "";
  await service.made(operator.changeMeter, { params: { id }, body: { name: "Roof" } });
  const after = await asked("/sites", { "if-none-match": before });
  expect([after.status, tagOf(after) === before]).toEqual([200, false]);
});

test.for(["by the framework", "from memory"])(
  "a 304 is the same evidence as the 200 that it confirms: %s",
  async (by) => {
    // The key's first request is answered by the framework.
    if (by === "from memory") await asked("/sites");
    const answer = await asked("/dispatches", { "if-none-match": "*" });
    expect(answer.status).toBe(304);
    const { items } = await service.made(operator.listAllDispatches, { query: { limit: 1 } });
    const id = items[0]?.id ?? "";
    const evidence = await service.operator("GET", `/dispatches/${id}/evidence`);
    expect(JSON.stringify(evidence.body)).toContain('"polled"');
  },
);
