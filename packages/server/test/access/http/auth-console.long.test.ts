import { operator as contract, getDispatch, listDispatches, listSites, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { callOn, newPeopledAccount } from "../../support/console-calls.js";
import { expectError } from "../../support/expect-error.js";
import { needsVersions } from "../../support/participant-calls.js";
import { newBrowser } from "../../support/people.js";
import { running } from "../../support/running.js";
import {
  anna,
  bert,
  everyEndpoint,
  marksOf,
  operator,
  prepare,
  send,
  service,
  stateOf,
} from "../../support/two-accounts.js";

beforeAll(prepare);

describe.each(everyEndpoint)("%s", (_, endpoint) => {
  test("reads and changes nothing of another account", async () => {
    const call = callOn(anna, endpoint, service.clock);
    const before = await stateOf(anna);
    for (const browser of [bert.admin, bert.viewer]) {
      const answer = await send(browser, call);
      for (const mark of marksOf(anna)) expect(answer.text).not.toContain(mark);
      if (marksOf(anna).some((mark) => call.path.includes(mark))) expectError(answer, 404);
    }
    expect(await stateOf(anna)).toBe(before);
  });

  test("is for those who are signed in as a participant's people", async () => {
    const call = callOn(anna, endpoint, service.clock);
    expectError(await send(operator, call), 404, /for the role operator-admin/);
    const { url } = service;
    const headers = { "content-type": "application/json", "x-service-api-key": anna.participant.key };
    const body = call.method === "GET" ? null : JSON.stringify(call.body ?? {});
    const answer = await fetch(`${url}/console/v1${call.path}`, { method: call.method, headers, body });
    expectError({ status: answer.status, body: await answer.json() }, 401, /sign in first/);
  });

  test("is only read by the viewer", async () => {
    const call = callOn(anna, endpoint, service.clock);
    const before = await stateOf(anna);
    const answer = await send(anna.viewer, call);
    if (needsVersions(endpoint.id)) expectError(answer, 404, /version/);
    else if (call.method === "GET") expect(answer.status).toBe(200);
    // To read a page is no change.
    else if (endpoint.id === "recordPageRead") expect(answer.status).toBe(204);
    else expectError(answer, 404, /for the role participant-viewer/);
    expect(await stateOf(anna)).toBe(before);
  });

  test("does for the administrator what the account's key does", async () => {
    const answer = await send(anna.admin, callOn(anna, endpoint, service.clock));
    if (needsVersions(endpoint.id)) expectError(answer, 404, /version/);
    else expect(answer.status).toBe("status" in endpoint ? endpoint.status : 200);
  });
});

describe("the console", () => {
  test("is no evidence that the participant's systems read a dispatch", async () => {
    const account = await newPeopledAccount(service, "Carl's works", "carls main");
    const { dispatchId } = account.names;
    await account.admin.console(listDispatches);
    await account.admin.console(getDispatch, { params: { id: dispatchId } });
    await account.participant.call(listDispatches);
    const { items } = (await service.operator(contract.listEvidence, { params: { id: dispatchId } })).body;
    const reads = items.filter((each) => ["polled", "fetched"].includes(each.what));
    expect(reads).toMatchObject([{ what: "polled" }]);
  });

  test("is limited for each person as the interface is for each key (G9)", async () => {
    const limited = await running({ CURTAIL_RATE_LIMIT: "5" });
    const { accountId } = await limited.newParticipant();
    const [first, second] = [
      await newBrowser(limited, "participant-viewer", accountId),
      await newBrowser(limited, "participant-viewer", accountId),
    ];
    for (let index = 0; index < 5; index++) expect((await first.console(listSites)).status).toBe(200);
    const refused = await first.console(listSites);
    expectError(refused, 429, /this user has sent 5 requests/);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect((await second.console(listSites)).status).toBe(200);
  });
});

describe("a participant's administrator", () => {
  test("does not disable herself", async () => {
    expectError(
      await bert.admin.console(participantConsole.changeOwnUser, {
        params: { id: bert.admin.id },
        body: { disabled: true },
      }),
      400,
      /yourself/,
    );
  });
});
