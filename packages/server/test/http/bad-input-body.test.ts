import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { goodCall, type Named, namesOf, servedEndpoints, unknownNames } from "../support/participant-calls.js";
import { type Participant, type Running, running } from "../support/running.js";

let service: Running;
let anna: Participant;
let named: Named;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
  named = namesOf(anna, unknownNames.dispatchId);
});

/** Its accents are bytes that UTF-8 has no use for. */
const latin1 = (json: string): Buffer => Buffer.from(json, "latin1");

const posts = servedEndpoints.filter((each) => each.method === "POST");

describe.for(posts.map((each) => [each.path, each] as const))("POST %s", ([, endpoint]) => {
  const post = (body: string | Buffer | undefined, type: string | undefined) => {
    const call = goodCall(endpoint, named, service.clock);
    const headers = { "x-service-api-key": anna.key, ...(type === undefined ? {} : { "content-type": type }) };
    // Bytes, so that the client adds no type of its own.
    const bytes = typeof body === "string" ? Buffer.from(body) : (body ?? null);
    return fetch(`${service.url}/2022-04-15${call.path}`, { method: "POST", headers, body: bytes }).then(
      async (response) => ({
        status: response.status,
        body: await response.json(),
      }),
    );
  };
  const good = () => JSON.stringify(goodCall(endpoint, named, service.clock).body);

  test.for([
    undefined,
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "x",
  ])("B11: refuses a body of type %s", async (type) => expectError(await post(good(), type), 400, /application\/json/));

  test("B11: refuses no body at all", async () => expectError(await post(undefined, undefined), 400));

  test.for(["", " ", '{"a":', "NaN", "{'a':1}", '{"a":1,}', "{a:1}", "undefined", '{"a":01}', "\u0000"])(
    "B12: refuses the body %s",
    async (body) => expectError(await post(body, "application/json"), 400),
  );

  test.for(["null", "[]", '"x"', "5", "true", "[{}]"])("B13: refuses %s at the top", async (body) =>
    expectError(await post(body, "application/json"), 400),
  );

  test.for(['"__proto__":{"polluted":1}', '"constructor":{"prototype":{"polluted":1}}', '"\\u005f_proto__":1'])(
    "B14: refuses %s and nothing is polluted",
    async (member) => {
      for (const body of [good().replace("{", `{${member},`), good().replace(/\{([^{]*)$/, `{${member},$1`)])
        expectError(await post(body, "application/json"), 400, /__proto__/);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  );

  test("B15: refuses bytes that are not UTF-8, wherever they stand", async () => {
    for (const body of [
      good().replace("{", '{"note":"Caf\u00e9",'),
      good().replace(/\{([^{]*)$/, '{"note":"\u00ff",$1'),
    ])
      expectError(await post(latin1(body), "application/json"), 400, /not UTF-8/);
  });

  test("B15: passes over a byte order mark", async () => {
    expect((await post(`\ufeff${good()}`, "application/json")).status).toBe(200);
    expectError(await post("\ufeff", "application/json"), 400);
  });

  test("takes JSON that names its charset, in any case", async () => {
    for (const type of ["application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
      expect((await post(good(), type)).status).toBe(200);
  });
});
