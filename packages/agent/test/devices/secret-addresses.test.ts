import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort } from "@curtail/testing/free-port";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { SourceConfig } from "../../src/config/config.js";
import { faultLine, parseConfig } from "../../src/config/read-config.js";
import { httpReader } from "../../src/devices/http.js";
import { placeOf } from "../../src/devices/place.js";
import { MeterSampler } from "../../src/readings/meter-sampler.js";

/** A configuration with one address of each kind, or its faults. */
const read = (addresses: { broker?: string; meter?: string; service?: string }, headers = "{}") =>
  parseConfig(
    `
service: { url: ${JSON.stringify(addresses.service ?? "http://127.0.0.1:9")}, key: key_1 }
state: /unused
connections: { broker: { mqtt: { url: ${JSON.stringify(addresses.broker ?? "mqtt://127.0.0.1")} } } }
sites:
  - id: site_1
    meters:
      - { id: mtr_1, unit: kW, range: [0, 100], source: { http: { url: ${JSON.stringify(addresses.meter ?? "http://127.0.0.1")}, path: kw, headers: ${headers} } } }
      - { id: mtr_2, unit: kW, range: [0, 100], source: { mqtt: { connection: broker, topic: kw } } }
`,
    { environment: {}, readText: () => "" },
  );

const httpSource = (meter: string, headers?: string) => {
  const found = read({ meter }, headers);
  if ("faults" in found) throw new Error(JSON.stringify(found.faults));
  const [config] = found.config.sites[0]?.meters ?? [];
  if (config?.source.protocol !== "http") throw new Error("there is no meter");
  return { source: config.source, sampler: new MeterSampler(config, 0, placeOf(config.source, new Map())) };
};

/** A device that answers with what it was sent. */
const device = async (status: number, body = '{"kw": 7}') => {
  const seen: { authorization: string | undefined; path: string | undefined } = { authorization: "", path: "" };
  const server = createServer(({ headers, url }, response) => {
    seen.authorization = headers.authorization;
    seen.path = url;
    response.writeHead(status).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { seen, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const readOne = async (source: Extract<SourceConfig, { protocol: "http" }>) => (await httpReader.read([source]))[0];

const secret = fc
  .constantFrom("", "@", ":", "%40", "%2F", "/", "?", "#", "/?", "@/", "%")
  .map((c) => `sesam${c}oeffne`);

test("whatever an address has of user, password, query and fragment, places and faults show none of it", () => {
  const parts = fc.record({
    user: fc.constantFrom("anna:", ":"),
    password: secret,
    query: secret,
    isQuery: fc.boolean(),
  });
  fc.assert(
    fc.property(parts, fc.constantFrom("mqtt", "wss", "http"), ({ user, password, query, isQuery }, protocol) => {
      const url = `${protocol}://${user}${password}@host.example:1883/status${isQuery ? `?auth_key=${query}` : `#${query}`}`;
      const found = read(protocol === "http" ? { meter: url } : { broker: url });
      const said =
        "faults" in found
          ? found.faults.map((fault) => faultLine("agent.yaml", fault))
          : found.config.sites.flatMap(({ meters }) =>
              meters.map(({ source }) => placeOf(source, found.config.connections)),
            );
      expect(said.join()).not.toMatch(/sesam|oeffne|anna/);
      expect(said.join()).toMatch("faults" in found ? "is not an address" : "host.example:1883/");
    }),
    { numRuns: propertyRuns(100) },
  );
});

test("user and password of an address reach the device as a header, and nothing else of it is said", async () => {
  const { seen, host } = await device(200);
  const { source } = httpSource(`http://anna:p%40ss@${host}/status?auth_key=sesam`);
  expect(await readOne(source)).toEqual({ value: 7 });
  expect(seen).toEqual({
    authorization: `Basic ${Buffer.from("anna:p@ss").toString("base64")}`,
    path: "/status?auth_key=sesam",
  });
});

test.each(["Authorization", "authorization", "AUTHORIZATION"])(
  "a configured header %s replaces user and password of the address",
  async (name) => {
    const { seen, host } = await device(200);
    const { source } = httpSource(`http://anna:sesam@${host}/status`, `{ ${name}: "Bearer oeffne" }`);
    expect(await readOne(source)).toEqual({ value: 7 });
    expect(seen.authorization).toBe("Bearer oeffne");
  },
);

test.each(["http", "mqtt"])("a user or password of %s with a bare %% is a fault of the configuration", (protocol) => {
  for (const pair of ["anna:100%", "an%na:sesam", "anna:%ff"]) {
    const url = `${protocol}://${pair}@host.example`;
    const found = read(protocol === "http" ? { meter: url } : { broker: url });
    expect(found).toMatchObject({ faults: [{ message: expect.stringContaining("and %25") }] });
  }
  const escaped = `${protocol}://anna:100%25@host.example/100%`;
  expect(read(protocol === "http" ? { meter: escaped } : { broker: escaped })).toHaveProperty("config");
});

test.each([
  ["refuses", 403],
  ["answers with something else", 200],
])("the fault of a device that %s names its address without what is secret in it", async (_, status) => {
  const { host } = await device(status, "{}");
  const { source, sampler } = httpSource(`http://anna:sesam@${host}/status?auth_key=sesam#sesam`);
  const result = await readOne(source);
  if (result === undefined || !("fault" in result)) throw new Error("there is no fault");
  sampler.miss(result.fault);
  expect(sampler.lastNote).toMatch(status === 200 ? "has no kw" : `http://${host}/status returned 403`);
  const gaps = sampler.settle(200_000).gaps.map(({ why }) => why);
  expect(`${sampler.lastNote} ${gaps.join()}`).not.toContain("sesam");
});

test("neither does the fault of a device that is not there", async () => {
  const host = `127.0.0.1:${await freePort()}`;
  const { source } = httpSource(`http://anna:sesam@${host}/status?auth_key=sesam`);
  const result = await readOne(source);
  expect(result).toEqual({ fault: expect.stringContaining(`http://${host}/status: connect ECONNREFUSED`) });
  expect(JSON.stringify(result)).not.toMatch(/sesam|anna/);
});

test("a header that cannot be sent is a fault of the configuration, which does not quote it", async () => {
  const found = read({}, String.raw`{ authorization: "Bearer sesam\noeffne" }`);
  expect(found).toMatchObject({ faults: [{ message: "must be one line of Latin characters" }] });
  const { seen, host } = await device(200);
  expect(await readOne(httpSource(`http://${host}`, String.raw`{ authorization: "Bearer sesam\n" }`).source)).toEqual({
    value: 7,
  });
  expect(seen.authorization).toBe("Bearer sesam");
});

test("the service's address has no user and password: they would be quoted by errors", () => {
  expect(read({ service: "https://anna:sesam@curtail.example.com" })).toMatchObject({
    faults: [{ path: "service.url", message: "must have no user and password: the service takes a key" }],
  });
  expect(read({ service: "https://curtail.example.com/@site" })).toHaveProperty("config");
});
