import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../support/dispatching.js";
import { type Client31, runningVtn, type Secret31, type Vtn } from "../support/openadr-3.js";
import type { Participant } from "../support/running.js";
import { faultyFront } from "./faulty-front.js";
import { follow, participantUser } from "./participant-run.js";

interface Posted {
  readonly headers: IncomingHttpHeaders;
  // A test looks into what was posted; each expectation is the check.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** A program that takes callbacks of OpenADR 3.1. */
const callbackProgram = async () => {
  const posted: Posted[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      posted.push({ headers: request.headers, body: JSON.parse(text) });
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`, posted };
};

let vtn: Vtn;
let bl: Client31 & Secret31;
let participant: Participant;
let ven: Client31 & Secret31;
let programId: string;
let program: Awaited<ReturnType<typeof callbackProgram>>;
let user: ReturnType<typeof participantUser>;

beforeAll(async () => {
  vtn = await runningVtn();
  bl = await vtn.bl();
});

beforeEach(async () => {
  participant = await vtn.newParticipant();
  ven = await vtn.ven({ participant });
  programId = await newProgram(vtn, [participant]);
  // The standing request for telemetry is there before anything is followed.
  await expect.poll(async () => (await ven.events.search()).body).toHaveLength(1);
  program = await callbackProgram();
  user = participantUser();
});

const clientOf = ({ id, secret }: Secret31) => ({
  CURTAIL_OPENADR3_CLIENT_ID: id,
  CURTAIL_OPENADR3_CLIENT_SECRET: secret,
});

const listen = async ({
  url = vtn.vtnUrl,
  args = [],
  speed = 20,
}: {
  url?: string;
  args?: readonly string[];
  speed?: number;
} = {}) => {
  const before = program.posted.length;
  const { said, printed, stop } = await follow(
    user.run,
    ["listen", "--forward-to", program.url, "--openadr3", url, "--every", "1s", ...args],
    { environment: clientOf(ven), now: () => vtn.clock.now(), speed },
  );
  return {
    said,
    async stop() {
      // What was answered is recorded when it is printed; an interruption before that repeats it.
      await expect.poll(() => printed().match(/ in \d+ ms/g)?.length ?? 0).toBe(program.posted.length - before);
      return stop();
    },
  };
};

const dispatched = async (): Promise<string> => {
  const times = { start_time: ahead(vtn, { minutes: 10 }), end_time: ahead(vtn, { hours: 1 }) };
  return (await newDispatch(vtn, programId, times)).id;
};
const change = (id: string, body: object) => vtn.made(operator.changeDispatch, { params: { id }, body });

/** `CREATE` and the like of the event of a dispatch, in the order in which they came. */
const operationsOn = (id: string): readonly string[] =>
  program.posted.filter(({ body }) => String(body.object.eventName).includes(id)).map(({ body }) => body.operation);
const untilOperations = (id: string, operations: readonly string[]) =>
  expect.poll(() => operationsOn(id)).toEqual(operations);

/** For the participant alone. */
const blEvent = async (more: object): Promise<string> => {
  const { id: programID } = await bl.programs.made({ programName: `Prices ${Math.random()}` });
  const intervals = [{ id: 0, payloads: [{ type: "PRICE", values: [0.2] }] }];
  return (await bl.events.made({ programID, intervals, targets: [participant.accountId], ...more })).id;
};

describe("curtail listen --openadr3", () => {
  test("forwards the creation, change and deletion of a dispatch's event as a callback gets them", async () => {
    const listening = await listen();
    const id = await dispatched();
    await untilOperations(id, ["CREATE"]);
    const [created] = program.posted;
    expect(created?.body).toEqual({ objectType: "EVENT", operation: "CREATE", object: expect.anything() });
    expect((await ven.events.get(created?.body.object.id)).body).toEqual(created?.body.object);
    const token = /Bearer token: (\S+)/.exec(listening.said())?.[1];
    expect(created?.headers).toMatchObject({ authorization: `Bearer ${token}`, "content-type": "application/json" });
    await change(id, { end_time: ahead(vtn, { hours: 2 }) });
    await untilOperations(id, ["CREATE", "UPDATE"]);
    expect(program.posted[1]?.body.object.intervalPeriod.duration).toBe("PT1H50M");
    await change(id, { authorized: false });
    await untilOperations(id, ["CREATE", "UPDATE", "DELETE"]);
    expect(program.posted).toHaveLength(3);
    const { exitCode, stdout } = await listening.stop();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^EVENT CREATE \S+ .*: 200 in \d+ ms\nEVENT UPDATE .*\nEVENT DELETE /);
  });

  test("forwards at its next start what happened while it was down, and nothing again", async () => {
    const first = await listen();
    const [kept, gone] = [await dispatched(), await dispatched()];
    await untilOperations(kept, ["CREATE"]);
    await untilOperations(gone, ["CREATE"]);
    await first.stop();
    await change(gone, { authorized: false });
    const missed = await dispatched();
    const second = await listen();
    await untilOperations(missed, ["CREATE"]);
    await untilOperations(gone, ["CREATE", "DELETE"]);
    expect(operationsOn(kept)).toEqual(["CREATE"]);
    expect(/Bearer token: (\S+)/.exec(second.said())?.[1]).toBe(/Bearer token: (\S+)/.exec(first.said())?.[1]);
    await second.stop();
    expect(program.posted).toHaveLength(4);
  });

  test("takes an event that is over for no deletion, and forwards each of more than a page once", async () => {
    const listening = await listen();
    const period = { start: ahead(vtn, { minutes: -1 }), duration: "PT10M" };
    const over = await blEvent({ intervalPeriod: period });
    const lasting: string[] = [];
    for (let count = 0; count < 60; count++) lasting.push(await blEvent({}));
    await expect.poll(() => program.posted.length).toBe(61);
    vtn.clock.advance({ minutes: 20 });
    const last = await blEvent({});
    await expect.poll(() => program.posted.length).toBe(62);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(program.posted.map(({ body }) => `${body.operation} ${body.object.id}`)).toEqual(
      [over, ...lasting, last].map((id) => `CREATE ${id}`),
    );
    await listening.stop();
  });

  test("begins with the events of --since, and gets a new token when its own has expired", async () => {
    const old = await dispatched();
    await expect.poll(async () => (await ven.events.search()).body.length).toBe(2);
    vtn.clock.advance({ hours: 2 });
    ven = await vtn.connected({ id: ven.id, secret: ven.secret });
    const id = await dispatched();
    await expect.poll(async () => JSON.stringify((await ven.events.search()).body)).toContain(id);
    const listening = await listen({ args: ["--since", "1h"] });
    await untilOperations(id, ["CREATE"]);
    vtn.clock.advance({ hours: 2 });
    const later = await dispatched();
    await untilOperations(later, ["CREATE"]);
    expect(operationsOn(old)).toEqual([]);
    await listening.stop();
  });

  test("waits for a VTN that is away, says so once, and goes on", async () => {
    const front = await faultyFront(vtn.vtnUrl.replace(/\/openadr3.*/, ""));
    const listening = await listen({ url: `${front.url}/openadr3/3.1.0` });
    front.isDown = true;
    await expect.poll(listening.said).toMatch(/no VTN answers at .*; trying again/);
    const id = await dispatched();
    front.isDown = false;
    await untilOperations(id, ["CREATE"]);
    expect(listening.said().match(/trying again/g)).toHaveLength(1);
    expect(listening.said()).toContain("the VTN answers again");
    await listening.stop();
  });

  test.for([
    ["an ingress without a backend", { status: 404, body: "default backend - 404" }],
    ["a gateway without a route", { status: 404, body: '{"message":"no Route matched with those values"}' }],
    ["a page of maintenance", { status: 200, body: "<html>We are back soon</html>" }],
    ["an answer that ends early", { status: 200, body: "[", isCut: true }],
    ["an error of a proxy", { status: 503, body: "{}", headers: { "retry-after": "2592000" } }],
  ] as const)("takes %s for an outage, and for no deletion of what runs", async ([, excuse]) => {
    const front = await faultyFront(vtn.vtnUrl.replace(/\/openadr3.*/, ""));
    const listening = await listen({ url: `${front.url}/openadr3/3.1.0`, speed: excuse.status === 503 ? 7200 : 20 });
    const id = await dispatched();
    await untilOperations(id, ["CREATE"]);
    front.excuse = excuse;
    await expect.poll(listening.said).toMatch(/; trying again/);
    await new Promise((resolve) => setTimeout(resolve, 200));
    front.excuse = null;
    const next = await dispatched();
    await untilOperations(next, ["CREATE"]);
    expect(operationsOn(id)).toEqual(["CREATE"]);
    expect(listening.said().match(/trying again/g)).toHaveLength(1);
    await listening.stop();
  });

  test("ends with code 4 and a message if the VTN is away at the first start", async () => {
    const front = await faultyFront(vtn.vtnUrl.replace(/\/openadr3.*/, ""));
    front.isDown = true;
    const args = ["listen", "--forward-to", program.url, "--openadr3", `${front.url}/openadr3/3.1.0`];
    const { exitCode, stderr } = await user.run(args, { environment: clientOf(ven) });
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/^curtail: no VTN answers at \S+ \(.*\); start again when it answers\n$/);
  });

  test("says what is wrong with the client, and is used once for a client and a target", async () => {
    const args = ["listen", "--forward-to", program.url, "--openadr3", vtn.vtnUrl];
    const none = await user.run(args);
    expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("CURTAIL_OPENADR3_CLIENT_SECRET") });
    const wrong = await user.run(args, { environment: clientOf({ ...ven, secret: "cta_wrong" }) });
    expect(wrong).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/responded with 401: /) });
    const listening = await listen();
    const second = await user.run(args, { environment: clientOf(ven) });
    expect(second.stderr).toContain(`process ${process.pid} forwards to ${program.url} for this client`);
    await listening.stop();
  });
});
