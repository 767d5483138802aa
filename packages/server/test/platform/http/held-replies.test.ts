import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { atEnd } from "@curtail/testing/at-end";
import { checkedReplies } from "@curtail/testing/child-replies";
import { takeFaults } from "@curtail/testing/held-replies";
import { describe, expect, test } from "vitest";

interface Planted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const json = {
  "content-type": "application/json; charset=utf-8",
  etag: 'W/"ZK0Yq3mTn8bVx2Lr5cW7dA"',
  "x-ratelimit-limit": "60",
  "x-ratelimit-remaining": "59",
  "x-ratelimit-reset": "60",
};

/** The faults found in a reply planted at an address of the interfaces. */
const faultsOf = async (address: string, planted: Planted, method = "GET"): Promise<readonly string[]> => {
  const { status = 200, headers = json, body = "" } = planted;
  const isSent = typeof body === "string" || Buffer.isBuffer(body);
  const server = createServer((_request, response) =>
    response.writeHead(status, headers).end(isSent ? body : JSON.stringify(body)),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${address}`, { method, redirect: "manual" });
  await response.text();
  return takeFaults();
};

const meter = { id: "mtr_1t5y8u3i6o9p", name: "main", asset_type: "load" };
const site = { id: "site_9d4f7g2h5j8k", name: "Mill", customer_location_id: "", meters: [meter] };
const sitesWith = (member: object) => ({ page: 0, perPage: 0, sites: [{ ...site, ...member }] });
const block = {
  site_id: site.id,
  available: false,
  start_time: "2026-07-01T18:00:00Z",
  end_time: "2026-07-01T19:00:00Z",
};
const change = `/2022-04-15/schedule/sites/${site.id}`;

describe("a reply of any test is held against the OpenAPI documents:", () => {
  test("one that conforms passes", async () => {
    expect(await faultsOf("/2022-04-15/sites", { body: sitesWith({}) })).toEqual([]);
    expect(await faultsOf("/2022-04-15/sites?page=0", { body: sitesWith({}) })).toEqual([]);
    expect(await faultsOf(change, { body: block }, "POST")).toEqual([]);
  });

  test("an unknown member is found, with operation, status and path", async () => {
    const found = await faultsOf("/2022-04-15/sites", { body: sitesWith({ owner: "Ada" }) });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/GET \/2022-04-15\/sites \(listSites\) answered 200: \/sites\/0.*owner/);
  });

  test("a missing member is found", async () => {
    const found = await faultsOf("/2022-04-15/sites", { body: sitesWith({ name: undefined }) });
    expect(found).toEqual([expect.stringMatching(/listSites.*\/sites\/0 .*name/)]);
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const)("both are found in a reply compressed by %s", async (encoding, pack) => {
    const body = pack(JSON.stringify(sitesWith({ owner: "Ada" })));
    const found = await faultsOf("/2022-04-15/sites", { headers: { ...json, "content-encoding": encoding }, body });
    expect(found).toEqual([expect.stringContaining("owner")]);
  });

  test("an id of something else is found", async () => {
    const found = await faultsOf("/2022-04-15/sites", { body: sitesWith({ id: meter.id }) });
    expect(found).toEqual([expect.stringContaining("/sites/0/id")]);
  });

  test.each(["2026-07-01T18:00:00.000Z", "2026-07-01T18:00:00+00:00", "2026-07-01"])(
    "participants are not answered the time %s (G8, G58)",
    async (start) => {
      const found = await faultsOf(change, { body: { ...block, start_time: start } }, "POST");
      expect(found).toEqual([expect.stringContaining("/start_time")]);
    },
  );

  test("an undocumented status is found", async () => {
    const found = await faultsOf("/2022-04-15/sites", { status: 403, body: { message: "no", type: "Forbidden" } });
    expect(found).toEqual([
      expect.stringContaining("(listSites) answered 403: the contract does not have this status"),
    ]);
  });

  test("an error whose type is another status's is found (G2)", async () => {
    const body = { message: "no", type: "Bad Request" };
    expect(await faultsOf("/2022-04-15/sites", { status: 500, body })).toEqual([expect.stringContaining("(G2)")]);
  });

  test("a missing header is found", async () => {
    const headers = { "content-type": "application/json" };
    const found = await faultsOf("/2022-04-15/sites", { headers, body: sitesWith({}) });
    expect(found).toEqual([expect.stringContaining("X-RateLimit-Limit")]);
  });

  test("a body where none is due is found", async () => {
    const found = await faultsOf(`/operator/v1/sites/${site.id}/enrolments`, { status: 204, body: {} }, "DELETE");
    expect(found).toEqual([expect.stringContaining("DELETE")]);
    const sent = await faultsOf("/auth/sign-out", { headers: json, body: {} }, "POST");
    expect(sent).toEqual([expect.stringMatching(/signOut.*answered 200/)]);
  });

  test("another media type is found", async () => {
    const headers = { ...json, "content-type": "text/html" };
    const found = await faultsOf("/2022-04-15/sites", { headers, body: "<p>" });
    expect(found).toEqual([expect.stringContaining("text/html instead of application/json")]);
  });

  test("an undocumented route is found, but not an address that does not exist", async () => {
    expect(await faultsOf("/operator/v1/secrets", { body: {} })).toEqual([
      expect.stringContaining("a route that the contract does not have"),
    ]);
    const nothing = { message: "There is nothing here.", type: "Not Found" };
    expect(await faultsOf("/operator/v1/secrets", { status: 404, body: nothing })).toEqual([]);
  });

  test("an undocumented event, or one with other data, is found", async () => {
    const headers = { "content-type": "text/event-stream; charset=utf-8" };
    const stream = "/operator/v1/changes/stream";
    expect(await faultsOf(stream, { headers, body: "event: surprise\ndata: {}\n\n" })).toEqual([
      expect.stringContaining('does not have the event "surprise"'),
    ]);
    expect(await faultsOf(stream, { headers, body: 'id: 7\nevent: ready\ndata: {"extra":1}\n\n' })).toEqual([
      expect.stringMatching(/event ready: .*extra/),
    ]);
    expect(await faultsOf(stream, { headers, body: ": still here\n\n" })).toEqual([]);
  });

  test("addresses outside the interfaces are not checked, and neither are the documents", async () => {
    for (const address of ["/health", "/hook", "/2022-04-15/openapi.json", "/2022-04-15/docs"])
      expect(await faultsOf(address, { body: { any: "thing" } })).toEqual([]);
  });

  test("a service that runs as a process is checked, too", async () => {
    const script = `require("node:http").createServer((_, response) => {
      response.writeHead(200, ${JSON.stringify(json)}).end(${JSON.stringify(JSON.stringify(sitesWith({ owner: "Ada" })))});
    }).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;
    const child = spawn(process.execPath, ["-e", script], {
      env: { PATH: process.env["PATH"], ...checkedReplies },
      stdio: ["ignore", "pipe", "inherit"],
    });
    atEnd(async () => void child.kill());
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    await (await fetch(`http://127.0.0.1:${String(port).trim()}/2022-04-15/sites`)).text();
    expect(await takeFaults()).toEqual([expect.stringContaining("owner")]);
  });
});
