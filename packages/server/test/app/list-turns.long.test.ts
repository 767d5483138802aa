import { type Endpoint, operator } from "@curtail/contract";
import { type HostileFile, hostileJson } from "@curtail/testing/hostile-files";
import { hostileLists, hostileSites } from "@curtail/testing/hostile-lists";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, describe, expect, test } from "vitest";
import { fleetOf } from "../support/fleet.js";
import { leastWatched, watchedRequest } from "../support/main-thread.js";
import { firstOf } from "../support/metering.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../support/running.js";

// Whatever an operator's list repeats, long, deep, wide or many: others have their turn.
let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
  anna = await service.newParticipant({ name: "Fleet" });
  await fleetOf(service, anna.accountId);
}, 120_000);

/** Processor time of the main thread in one turn of the event loop. */
const MOST_MS = 50;

const watched = (method: string, path: string, body: string) =>
  watchedRequest(`${service.url}/operator/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      "content-type": "application/json",
      // The body's hash is a step, too.
      "idempotency-key": crypto.randomUUID(),
    },
    body,
  });

const sent = (method: string, path: string, body: string) => leastWatched(MOST_MS, () => watched(method, path, body));

const expectShort = async (method: string, path: string, body: string): Promise<void> => {
  const answer = await sent(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(500);
  expect(answer.longestMs).toBeLessThan(MOST_MS);
};

const byName = (files: readonly HostileFile[]) => files.map((file) => [file.name, file] as const);

/** Just below the limits of bodies. */
const LIST_BYTES = 4_190_000;
const USUAL_BYTES = 260_000;

/** The body of an import whose escapes and letters of several bytes fit, too. */
const importOf = ({ text }: HostileFile): string => {
  const bodyOf = (bytes: number): string => JSON.stringify({ csv: text(bytes), dry_run: true });
  const growth = Buffer.byteLength(bodyOf(100_000)) / 100_000;
  return bodyOf(Math.floor(LIST_BYTES / Math.max(1, growth)));
};

describe("an import of", () => {
  test.for(byName(hostileSites("Fleet", "Fleet")))("%s is answered", ([, file]) =>
    expectShort("POST", "/import", importOf(file)),
  );
});

const long = (start: string, at: number) => `${start} ${at} `.padEnd(200, "x");

describe("what is written for each line or site in turns:", () => {
  let tries = 0;
  const fresh = (): string => {
    const account = `Fresh ${++tries}`;
    const line = (at: number) => [account, long("S", at), long("i", at), long("g", at), "UTC", long("m", at), "load"];
    const lines = Array.from({ length: 2000 }, (_, at) => `${line(at).join(",")},Fleet program,${at}`);
    const header = "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type,program,commitment_kw";
    return JSON.stringify({ csv: [header, ...lines].join("\n"), dry_run: false });
  };

  test("an import of the most lines, with the longest texts", { timeout: 60_000 }, async () => {
    await service.made(operator.createProgram, { body: wireProgram({ name: "Fleet program" }) });
    const answer = await leastWatched(MOST_MS, () => watched("POST", "/import", fresh()));
    expect(answer.status, answer.text).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ create: { sites: 2000, meters: 2000, enrolments: 2000 } });
    expect(answer.longestMs).toBeLessThan(MOST_MS);
  });

  test("enrolments of the most sites", { timeout: 60_000 }, async () => {
    const { rows } = await service.database.pool.query("select id from sites where account_id = $1 limit 1000", [
      anna.accountId,
    ]);
    const answer = await leastWatched(MOST_MS, async () => {
      const { id } = await service.made(operator.createProgram, { body: wireProgram({ name: `Other ${++tries}` }) });
      const site_ids = rows.map((row) => row.id);
      return watched("POST", `/programs/${id}/enrolments`, JSON.stringify({ site_ids, commitment: 1 }));
    });
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(JSON.parse(answer.text).enrolled).toHaveLength(rows.length);
    expect(answer.longestMs).toBeLessThan(MOST_MS);
  });
});

/** Name and bound of each list that is a member of a body. */
const listsIn = ({ body }: Endpoint): ReadonlyArray<readonly [string, number]> => {
  const { properties = {} } = (body ?? {}) as { readonly properties?: Readonly<Record<string, Schema>> };
  return Object.entries(properties).flatMap(([name, member]) => {
    const list = [member, ...(member.anyOf ?? [])].find(({ type }) => type === "array");
    return list === undefined ? [] : [[name, list.maxItems ?? Number.POSITIVE_INFINITY] as const];
  });
};

interface Schema {
  readonly type?: string;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
}

const lists = operator.operatorEndpoints.flatMap((endpoint) =>
  listsIn(endpoint).map(([list, most]) => {
    const { method, path } = endpoint;
    return [`${list} of ${method} ${path}`, { method, path, list, most }] as const;
  }),
);

const idIn = (path: string): string => {
  if (path.startsWith("/accounts/")) return anna.accountId;
  if (path.startsWith("/sites/")) return firstOf(anna).siteId;
  return path.startsWith("/programs/") ? "prg_fleet" : "unknown";
};

test("every list has a bound", () => {
  expect(lists.length).toBeGreaterThan(20);
  expect(lists.filter(([, { most }]) => most > 50_000)).toEqual([]);
});

describe.for(lists)("%s with", ([, { method, path, list, most }]) => {
  const isLong = path.startsWith("/dispatches");
  const files = [...hostileLists(list, most), ...(isLong ? hostileJson(list) : [])];
  test.for(byName(files))("%s is answered", ([, file]) =>
    expectShort(method, path.replace("{id}", idIn(path)), file.text(isLong ? LIST_BYTES : USUAL_BYTES)),
  );
});
