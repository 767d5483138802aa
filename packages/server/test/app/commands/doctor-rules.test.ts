import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SeenAddress } from "../../../src/app/commands/doctor/ask-address.js";
import { folderCheck, stateCheck } from "../../../src/app/commands/doctor/backups.js";
import { brokerChecks } from "../../../src/app/commands/doctor/broker.js";
import { certificateCheck, venChecks } from "../../../src/app/commands/doctor/certificates.js";
import { clockCheck } from "../../../src/app/commands/doctor/clock.js";
import {
  connectionsCheck,
  schemaCheck,
  settingsCheck,
  standbyChecks,
} from "../../../src/app/commands/doctor/database.js";
import { diskCheck } from "../../../src/app/commands/doctor/disk.js";
import { hidden, secretsOf } from "../../../src/app/commands/doctor/hide-secrets.js";
import { keysCheck } from "../../../src/app/commands/doctor/keys.js";
import { mailCheck } from "../../../src/app/commands/doctor/mail.js";
import { addressChecks, addressesToAsk } from "../../../src/app/commands/doctor/public-address.js";
import { placesCheck } from "../../../src/app/commands/doctor/secrets.js";
import type { ListenerIdentity } from "../../../src/app/routes/identity.js";
import { mostConnections } from "../../../src/platform/database/database.js";
import { type Config, readConfig, type Variables } from "../../../src/platform/runtime/config.js";

const NOW = new Date("2026-07-01T18:00:00Z");
const DAY_MS = 86_400_000;
const afterDays = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS);

const configOf = (settings: Variables): Config => {
  const read = readConfig(settings);
  if ("faults" in read) throw new Error(read.faults.join());
  return read.config;
};

test.for([
  [true, 500, "ok"],
  [true, -3000, "warning"],
  [true, 31_000, "failed"],
  [false, 0, "warning"],
  [null, 0, "ok"],
  [true, null, "ok"],
  [null, null, "warning"],
] as const)(
  "a clock that is synchronised: %s, and %s ms ahead of the database, is %s",
  ([isSynchronised, aheadMs, result]) => {
    expect(clockCheck({ isSynchronised, aheadMs }).result).toBe(result);
  },
);

test.for([
  [50e9, 100e9, "ok"],
  [2.5e9, 100e9, "warning"],
  [0.9e9, 100e9, "failed"],
] as const)("%d of %d bytes free on the disk is %s", ([freeBytes, totalBytes, result]) => {
  expect(diskCheck({ freeBytes, totalBytes }, "/data").result).toBe(result);
});

describe("certificates", () => {
  const seen = { what: "the certificate", warnDays: 30, advice: "renew it" };

  test.for([
    [31, "ok"],
    [29, "warning"],
    [0, "failed"],
    [-1, "failed"],
  ] as const)("one that ends in %d days is %s", ([days, result]) => {
    expect(certificateCheck({ ...seen, endsAt: afterDays(days) }, NOW).result).toBe(result);
  });

  test("what is found never gets better as time passes", () => {
    const order = ["ok", "warning", "failed"];
    const moments = fc.integer({ min: -400, max: 400 });
    fc.assert(
      fc.property(moments, moments, fc.integer({ min: 0, max: 400 }), (end, now, later) => {
        const at = (days: number) =>
          order.indexOf(certificateCheck({ ...seen, endsAt: afterDays(end) }, afterDays(days)).result);
        expect(at(now + later)).toBeGreaterThanOrEqual(at(now));
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test("those of many VENs are one check that names three", () => {
    const [check] = venChecks(["A ends.", "B ends.", "C ends.", "D ends.", "E ends."]);
    expect(check).toMatchObject({ result: "warning", detail: "A ends. B ends. C ends. 2 more VENs." });
    expect(venChecks([])).toMatchObject([{ result: "ok" }]);
  });
});

describe("the database", () => {
  test.for([
    [{ version: "16.1", fullPageWrites: true, commit: "on" }, true, "ok"],
    [{ version: "16.1", fullPageWrites: false, commit: "on" }, false, "warning"],
    [{ version: "16.1", fullPageWrites: true, commit: "local" }, true, "warning"],
    [{ version: "16.1", fullPageWrites: true, commit: "local" }, false, "ok"],
  ] as const)("settings %o, with standbys: %s, are %s", ([seen, hasStandbys, result]) => {
    expect(settingsCheck(seen, hasStandbys).result).toBe(result);
  });

  test.for([
    [[], [], "ok", "that of this version"],
    [["0154_a.sql", "0155_b.sql"], [], "warning", "2 migrations are missing, from 0154_a.sql on"],
    [[], ["0200_c.sql"], "warning", "newer than this version by 1, but compatible"],
  ] as const)("a schema that lacks %j and has %j is %s", ([missing, newer, result, detail]) => {
    expect(schemaCheck(missing, newer)).toMatchObject({ result, detail });
  });

  test("connections fit, fit without those of others, or do not fit", () => {
    const use = { allowed: 97, ofService: 30, ofOthers: 10, processes: 2 };
    expect(connectionsCheck(use, 40).result).toBe("ok");
    expect(connectionsCheck({ ...use, ofOthers: 20 }, 40).result).toBe("warning");
    expect(connectionsCheck(use, 49).result).toBe("failed");
    // None runs: one is to start.
    expect(connectionsCheck({ ...use, processes: 0 }, 49).result).toBe("ok");
  });

  test("a process opens about twice the connections of its requests at most", () => {
    expect(mostConnections(16)).toBe(16 + 6 + 2 * 4 + 3 + 4);
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 1000 }), (max) => {
        expect(mostConnections(max)).toBeGreaterThan(2 * max);
        expect(mostConnections(max)).toBeLessThanOrEqual(2.2 * max + 9);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  const limits = { wanted: 1, lagBytes: 1e6, slotBytes: 1e6 };
  const standby = { name: "two", streams: true, isSynchronous: true, lagBytes: 0 };

  test.for([
    [{ asked: "*", standbys: [standby], slots: [], archiving: null }, ["ok"]],
    [{ asked: "", standbys: [], slots: [], archiving: null }, ["warning"]],
    [
      {
        asked: "*",
        standbys: [{ ...standby, lagBytes: 2e6 }],
        slots: [{ name: "two", keptBytes: 2e6 }],
        archiving: { file: "000000010000000000000007", seconds: 301 },
      },
      ["warning", "warning", "warning"],
    ],
    [null, ["warning"]],
  ] as const)("standbys %j are %j", ([state, results]) => {
    expect(standbyChecks(state, limits).map(({ result }) => result)).toEqual(results);
  });

  test("nothing is said of standbys where there is none and none is wanted", () => {
    expect(standbyChecks({ asked: "", standbys: [], slots: [], archiving: null }, { ...limits, wanted: null })).toEqual(
      [],
    );
  });
});

test.for([
  [{ fault: null, isEncrypted: true, isLocal: false }, "ok"],
  [{ fault: null, isEncrypted: false, isLocal: true }, "ok"],
  [{ fault: null, isEncrypted: false, isLocal: false }, "warning"],
  [{ fault: "Invalid login", isEncrypted: false, isLocal: false }, "failed"],
] as const)("a mail server that is seen as %o is %s", ([seen, result]) => {
  expect(mailCheck({ server: "mail.example.com:587", signsIn: true, ...seen }).result).toBe(result);
});

describe("an address", () => {
  const asked = { url: "https://dr.example.com", listener: "production" } as const;
  const identity: ListenerIdentity = { service: "ours", listener: "production", forwarding: "trusted" };
  const seen: SeenAddress = { status: 200, location: null, identity, apartMs: 1000 };
  const resultsOf = (found: Partial<SeenAddress>, url: string = asked.url) =>
    addressChecks({ ...asked, url }, { ...seen, ...found }, ["ours"]).map(({ name, result }) => `${name} ${result}`);

  test.for([
    [{}, ["address ok", "streams ok"]],
    [{ apartMs: 3 }, ["address ok", "streams warning"]],
    [{ apartMs: null }, ["address ok", "streams warning"]],
    [{ identity: { ...identity, forwarding: "untrusted" } }, ["address ok", "streams ok", "proxy warning"]],
    [{ identity: { ...identity, service: "theirs" } }, ["address failed"]],
    [{ identity: { ...identity, listener: "sandbox" } }, ["address failed"]],
    [{ identity: null, status: 404 }, ["address failed"]],
    [{ identity: null, status: 301, location: "https://www.example.com" }, ["address failed"]],
  ] as const)("that answers %o: %j", ([found, results]) => {
    expect(resultsOf(found)).toEqual(results);
  });

  test("that is not https is named, unless it is of this machine", () => {
    expect(resultsOf({}, "http://dr.example.com")).toEqual(["address ok", "address failed", "streams ok"]);
    expect(resultsOf({}, "http://127.0.0.1:8080")).toEqual(["address ok", "streams ok"]);
  });

  test("the addresses that are asked are those of the settings, and that of this machine without one", () => {
    expect(addressesToAsk(configOf({}))).toEqual([{ url: "http://127.0.0.1:8080", listener: "production" }]);
    expect(addressesToAsk(configOf({ CURTAIL_PORT: "0" }))).toEqual([]);
    const settings = {
      CURTAIL_PUBLIC_URL: "https://dr.example.com",
      CURTAIL_SANDBOX_PUBLIC_URL: "https://try.example.com",
      CURTAIL_OPERATOR_PORT: "8085",
      CURTAIL_OPERATOR_PUBLIC_URL: "https://desk.example.com",
    };
    expect(addressesToAsk(configOf(settings)).map(({ listener }) => listener)).toEqual([
      "production",
      "operators",
      "sandbox",
    ]);
  });
});

test("a broker that refuses fails, and what the alarms find is a warning", () => {
  const found = [{ kind: "broker_behind", subject: "broker", accountId: null, message: "Changes wait." }] as const;
  expect(brokerChecks("broker:8883", null, found).map(({ result }) => result)).toEqual(["ok", "warning"]);
  expect(brokerChecks("broker:8883", "Not authorized", []).map(({ result }) => result)).toEqual(["failed"]);
});

describe("backups", () => {
  const state = { madeAt: afterDays(-1), triedAt: afterDays(-1), failure: null, directory: "/backups" };

  test.for([
    [state, true, "ok"],
    [{ ...state, madeAt: afterDays(-2) }, true, "failed"],
    [{ ...state, failure: "no space left on device" }, true, "failed"],
    [null, true, "warning"],
    [null, false, "warning"],
  ] as const)("with the state %j, set here: %s, are %s", ([found, isSet, result]) => {
    expect(stateCheck(found, isSet, NOW).result).toBe(result);
  });

  const folder = { directory: "/backups", canWrite: true, free: 5e9, newestBytes: 1e9 };

  test.for([
    [folder, "ok"],
    [{ ...folder, free: null, newestBytes: null }, "ok"],
    [{ ...folder, free: 0.5e9 }, "warning"],
    [{ ...folder, canWrite: false }, "failed"],
  ] as const)("a directory that is seen as %j is %s", ([found, result]) => {
    expect(folderCheck(found).result).toBe(result);
  });
});

test("keys that nobody uses are named with their account, five at most", () => {
  const unused = Array.from({ length: 7 }, (_, at) => ({
    id: `key_${at}`,
    accountName: `Account ${at}`,
    lastUsedAt: at === 0 ? null : NOW,
  }));
  const { result, detail } = keysCheck(unused);
  expect(result).toBe("warning");
  expect(detail).toContain("key_0 of Account 0 (never), key_1 of Account 1 (last on 2026-07-01)");
  expect(detail).toMatch(/key_4 .* and 2 more$/);
  expect(keysCheck([]).result).toBe("ok");
});

test.for([
  [0o100600, 0o077, "ok"],
  [0o100640, 0o077, "failed"],
  [0o100640, 0o007, "ok"],
  [0o100604, 0o007, "failed"],
  [null, 0o077, "ok"],
] as const)("a file of mode %o, closed to %o, is %s", ([mode, closed, result]) => {
  expect(placesCheck([{ path: "/data/secrets.key", mode, closed }]).result).toBe(result);
});

describe("secrets", () => {
  test("of a receiver of traces are hidden, too", () => {
    const config = configOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://traces.example.com",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20token-of-traces",
    });
    expect(secretsOf(config)).toEqual(["Bearer token-of-traces"]);
  });

  test("of the settings are in no check, however a program repeats them", () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9!*_.@/:-]{16,24}$/);
    fc.assert(
      fc.property(secret, secret, fc.string(), (token, password, words) => {
        const config = configOf({
          CURTAIL_OPERATOR_TOKEN: token,
          CURTAIL_SMTP_URL: `smtp://us:${encodeURIComponent(password)}@mail.example.com`,
          DATABASE_URL: `postgresql://us:${encodeURIComponent(password)}x@db.example.com/curtail`,
        });
        const said = `${words} ${password} ${token} ${encodeURIComponent(password)} ${config.databaseUrl} ${words}`;
        const check = hidden({ name: "mail", result: "failed", detail: said, advice: said }, secretsOf(config));
        for (const text of [check.detail, check.advice ?? ""]) {
          expect(text.includes(password) && !words.includes(password)).toBe(false);
          expect(text.includes(token) && !words.includes(token)).toBe(false);
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
