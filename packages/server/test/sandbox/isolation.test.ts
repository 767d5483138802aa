import { listDispatches, listSites, listWebhooks, operator } from "@curtail/contract";
import { beforeAll, expect, test } from "vitest";
import { httpClient } from "../support/http-client.js";
import { goodCall, servedEndpoints } from "../support/participant-calls.js";
import {
  anna,
  both,
  leaks,
  prepare,
  production,
  rowsOf,
  sandbox,
  sandboxKey,
  service,
} from "../support/two-environments.js";

beforeAll(prepare);

test("the marks are there to be seen on their own side", async () => {
  for (const { call, marks } of [production, sandbox]) {
    const lists = [await call(listDispatches), await call(listWebhooks), await call(listSites)];
    const text = lists.map((answer) => answer.text).join("");
    expect(marks.filter((mark) => text.includes(mark)).length).toBeGreaterThanOrEqual(4);
  }
});

test("no list or object of the operator shows the sandbox unless asked for", async () => {
  const shown: string[] = [];
  for (const { method, path } of operator.operatorEndpoints) {
    if (method !== "GET" || path.includes("scenarios")) continue;
    for (const id of path.includes("{") ? [anna.accountId, sandbox.named.dispatchId] : [""]) {
      const answer = await service.operator("GET", path.replaceAll(/\{\w+\}/g, id));
      shown.push(...leaks(answer, sandbox, id).map((mark) => `${path}: ${mark}`));
    }
  }
  expect(shown).toEqual([]);
});

test("no endpoint of one side takes a key of the other, finds what is there or changes it", async () => {
  const keys = [anna.key, await sandboxKey()] as const;
  for (const [here, there] of both()) {
    const [before, wrong]: [object, string[]] = [await rowsOf(there), []];
    const stranger = httpClient(`${here.url}/2022-04-15`, { "x-service-api-key": keys[there === production ? 0 : 1] });
    for (const endpoint of servedEndpoints) {
      const { method, path, body } = goodCall(endpoint, there.named, service.clock);
      const [denied, own] = [await stranger(method, path, body), await here.call(method, path, body)];
      const isNaming = path.includes(there.named.siteId) || path.includes(there.named.dispatchId);
      if (denied.status !== 401) wrong.push(`${endpoint.id} takes the key: ${denied.status}`);
      if (isNaming && ![400, 404].includes(own.status)) wrong.push(`${endpoint.id} finds it: ${own.status}`);
      wrong.push(...leaks(own, there).map((mark) => `${endpoint.id} shows ${mark}`));
    }
    expect(wrong).toEqual([]);
    expect(await rowsOf(there)).toEqual(before);
  }
});

test("the webhooks of each side are notified only of its own dispatches", async () => {
  for (const [{ hook, named }, there] of both()) {
    const [first] = await hook.notices(1);
    expect(first?.resource).toBe(`/2022-04-15/dispatches/${named.dispatchId}`);
    expect(hook.received.flatMap(({ text }) => leaks({ text }, there))).toEqual([]);
  }
});
