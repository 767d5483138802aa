import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createParticipant, ErrorResponse } from "@curtail/client";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { ServiceKey } from "../../src/service/service-key.js";
import { SpoolingSink } from "../../src/service/spooling-sink.js";

/** A service that takes some keys, and confirms every upload; `down` is what a proxy answers in its place. */
const startService = async (...keys: readonly string[]) => {
  const service = { keys: new Set(keys), sent: [] as string[], url: "", down: null as number | null };
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const key = String(request.headers["x-service-api-key"]);
    service.sent.push(key);
    let text = "";
    for await (const part of request) text += String(part);
    const isTaken = service.keys.has(key);
    const received = text === "" ? 0 : (JSON.parse(text) as { telemetry: unknown[] }).telemetry.length;
    response.writeHead(service.down ?? (isTaken ? 200 : 401), { "content-type": "application/json" });
    response.end(JSON.stringify(isTaken ? { received, sites: [] } : { message: "the key is not known" }));
  };
  await once(server, "listening");
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  // Under a path of its own: the replies have only what the agent reads.
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/behind`;
  return { service, close, port: (server.address() as AddressInfo).port };
};

/** A key of a file whose text, or absence, tests set; and a clock that they move. */
const keyOf = (url: string, text: string | null = "key_1") => {
  const file = { text, reads: 0 };
  const read = (): string => {
    file.reads++;
    if (file.text === null) throw new Error("ENOENT: no such file");
    return file.text;
  };
  const time = { ms: 0 };
  const keyFile = { path: "agent.key", read };
  const config = { url, key: text?.trim() ?? "", keyFile, keyHeader: "X-Service-API-Key", pollMs: 1_000 };
  const key = new ServiceKey(config, () => time.ms);
  const participant = createParticipant({ ...key.access, retry: { attempts: 1 } });
  /** A minute later, so that nothing of before holds it up. */
  const ask = async (afterMs = 60_000): Promise<number> => {
    time.ms += afterMs;
    try {
      await participant.listSites();
      return 200;
    } catch (error) {
      return error instanceof ErrorResponse ? error.status : 0;
    }
  };
  return { key, file, time, ask };
};

test("after a 401 the file is read again, and the request is sent once more with the key that it has now", async () => {
  const { service } = await startService("key_1", "key_2");
  const { key, file, ask } = keyOf(service.url);
  expect(await ask()).toBe(200);
  file.text = "key_2\n";
  expect(await ask()).toBe(200);
  service.keys.delete("key_1");
  const { changed } = key;
  expect([await ask(), await ask()]).toEqual([200, 200]);
  expect(service.sent).toEqual(["key_1", "key_1", "key_1", "key_2", "key_2"]);
  expect([changed.aborted, key.fault]).toEqual([true, null]);
});

test.each([
  ["empty", "", "agent.key is empty; the key before is used"],
  ["not there", null, "agent.key cannot be read; the key before is used: ENOENT: no such file"],
  ["of several lines", "key_2\nkey_3", "agent.key holds more than a key; the key before is used"],
  ["longer than a key", "k".repeat(1_001), "agent.key holds more than a key; the key before is used"],
])("a file that is %s for a moment of the rotation leaves the key before in use", async (_, text, fault) => {
  const { service } = await startService("key_1", "key_2");
  const { key, file, ask } = keyOf(service.url);
  file.text = text;
  expect(key.reload()).toBe(true);
  expect([await ask(0), key.fault]).toEqual([200, fault]);
  file.text = "key_2";
  expect(await ask()).toBe(200);
  expect([service.sent.at(-1), key.fault]).toEqual(["key_2", null]);
});

test("a 401 while the file is empty is a 401; the key is found as soon as it is there", async () => {
  const { service } = await startService("key_2");
  const { key, file, ask } = keyOf(service.url);
  file.text = "";
  expect([await ask(), key.fault]).toEqual([401, "agent.key is empty; the key before is used"]);
  file.text = "key_2";
  expect([await ask(1_000), key.fault]).toEqual([200, null]);
});

test("while the service refuses the new key, the one before is used, and the fault says so", async () => {
  const { service } = await startService("key_1");
  const { key, file, ask } = keyOf(service.url);
  expect(await ask()).toBe(200);
  file.text = "key_2";
  key.reload();
  expect([await ask(), key.fault]).toEqual([200, "the service refuses the key in agent.key"]);
  expect(await ask(59_000)).toBe(200);
  expect(service.sent).toEqual(["key_1", "key_2", "key_1", "key_1"]);
  const { changed } = key;
  expect([await ask(1_000 + 5_000), changed.aborted]).toEqual([200, false]);
  expect(service.sent.slice(4)).toEqual(["key_2", "key_1"]);
  service.keys = new Set(["key_2"]);
  expect([await ask(), key.fault]).toEqual([200, null]);
});

test("without a file there is nothing to read again", async () => {
  const { service } = await startService("key_2");
  const config = { url: service.url, key: "key_1", keyFile: null, keyHeader: "X-Service-API-Key", pollMs: 1_000 };
  const key = new ServiceKey(config, () => 0);
  expect(key.reload()).toBe(false);
  const participant = createParticipant({ ...key.access, retry: { attempts: 1 } });
  await expect(participant.listSites()).rejects.toMatchObject({ status: 401 });
  expect(service.sent).toEqual(["key_1"]);
});

test.each([503, 502, 429, 404, 403])(
  "a key that was only answered with %i is not taken for a good one",
  async (down) => {
    const { service } = await startService("key_1");
    const { key, file, ask } = keyOf(service.url);
    expect(await ask()).toBe(200);
    service.down = down;
    file.text = "key_with_a_typing_error";
    key.reload();
    expect(await ask()).toBe(down);
    service.down = null;
    expect([await ask(), key.fault]).toEqual([200, "the service refuses the key in agent.key"]);
  },
);

test("a key that no answer has confirmed since the start is not forgotten either", async () => {
  const { service } = await startService("key_1");
  const { key, file, ask } = keyOf(service.url);
  service.down = 503;
  expect(await ask()).toBe(503);
  file.text = "key_2";
  key.reload();
  expect(await ask()).toBe(503);
  service.down = null;
  expect([await ask(), service.sent.at(-1)]).toEqual([200, "key_1"]);
});

test.each([
  ["with the key that the service does not know yet", "key_2", "key_2"],
  ["with the one in use", "key_1", "key_1"],
])("a file that is corrected %s ends the fault, while the key before works", async (_, text, sent) => {
  const { service } = await startService("key_1");
  const { key, file, ask } = keyOf(service.url);
  file.text = "key_3";
  key.reload();
  expect([await ask(), key.fault]).toEqual([200, "the service refuses the key in agent.key"]);
  service.keys.add("key_2");
  file.text = text;
  expect([await ask(6_000), key.fault, service.sent.at(-1)]).toEqual([200, null, sent]);
});

test("no error of a request quotes a key, and one that cannot be a header is healed by the file", async () => {
  const { service } = await startService("key_2");
  const { key, file, ask } = keyOf(service.url, "key_1\nkey_9");
  const participant = createParticipant({ ...key.access, retry: { attempts: 1 } });
  expect(JSON.stringify(key.access)).not.toContain("key_1");
  file.text = "key_2";
  expect(key.reload()).toBe(true);
  await participant.listSites();
  expect([await ask(), service.sent]).toEqual([200, ["key_2", "key_2"]]);
});

const KEYS = ["key_1", "key_2", "key_3"] as const;
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("ask"), ms: fc.constantFrom(0, 100, 1_000, 30_000, 61_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("write"), text: fc.constantFrom(...KEYS, "", null) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("take"), keys: fc.subarray([...KEYS]) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reload") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("down"), down: fc.constantFrom(503, 429, 404, 403, null) }) },
);

test("whatever is rotated when, a key that the service takes is used, and neither file nor service is hammered", async () => {
  const { service } = await startService();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      service.keys = new Set(["key_1"]);
      service.down = null;
      const { key, file, time, ask } = keyOf(service.url);
      expect(await ask(0)).toBe(200);
      let used = "key_1";
      let reloads = 0;
      for (const each of steps) {
        if (each.kind === "write") file.text = each.text;
        if (each.kind === "take") service.keys = new Set(each.keys);
        if (each.kind === "down") service.down = each.down;
        if (each.kind === "reload") {
          key.reload();
          reloads++;
        }
        if (each.kind !== "ask") continue;
        const from = service.sent.length;
        const status = await ask(each.ms);
        const sent = service.sent.slice(from);
        expect(sent.length).toBeLessThanOrEqual(3);
        if (service.down !== null) continue;
        // What was used before is good enough; what the file has must be found, but for a while after it was refused.
        const isWritten = file.text !== null && service.keys.has(file.text);
        if (service.keys.has(used) && each.ms > 60_000) expect(status).toBe(200);
        if (isWritten && each.ms > 60_000) expect([status, key.fault]).toEqual([200, null]);
        if (status === 200) used = sent.at(-1) ?? used;
      }
      expect(file.reads).toBeLessThanOrEqual(1 + reloads + time.ms / 1_000);
    }),
    { numRuns: propertyRuns(20) },
  );
}, 60_000);

test("readings that an outage kept are uploaded with the key that was rotated in the meantime", async () => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { service, close, port } = await startService("key_1");
  const { key, file, ask } = keyOf(service.url);
  expect(await ask()).toBe(200);
  close();
  const sink = await SpoolingSink.open(folder, createParticipant({ ...key.access, retry: { attempts: 1 } }));
  onTestFinished(() => sink.close());
  await sink.put([{ meterId: "mtr_1", endMs: 60_000, intervalMs: 60_000, kw: 1 }]);
  await expect.poll(() => sink.status.fault).not.toBeNull();
  file.text = "key_2";
  const again = createServer((request, response) => {
    request.resume().on("end", () => {
      const isTaken = request.headers["x-service-api-key"] === "key_2";
      response.writeHead(isTaken ? 200 : 401, { "content-type": "application/json" }).end('{"received": 1}');
    });
  }).listen(port, "127.0.0.1");
  onTestFinished(() => void again.close());
  await expect.poll(() => sink.status.waiting).toBe(0);
  expect(sink.status).toMatchObject({ refused: 0, dropped: 0, fault: null });
});
