import { wireDispatch, wireSite } from "@curtail/testing/wire-forms";
import { describe, expect, test } from "vitest";
import { partSecondsOf } from "../src/part-seconds.js";
import { commitmentOf, stateOf } from "../src/participant/dispatch-form.js";
import { headersOf, isSecret, newSecret, noticeOf } from "../src/participant/listen-notice.js";
import { meterChoice, metersOf } from "../src/participant/meter-choice.js";
import { reasonOf } from "../src/participant/participant-failure.js";
import { serviceAddress } from "../src/service-address.js";

const site = wireSite("site_1", { name: "S", commitment: 5 });
const dispatch = wireDispatch("dis_1", { end_time: "2026-07-01T19:00:00Z", modification_number: 1, sites: [site] });

test.for([
  ["2026-07-01T17:59:59.999Z", {}, "upcoming"],
  ["2026-07-01T18:00:00Z", {}, "in_progress"],
  ["2026-07-01T19:00:00Z", {}, "in_progress"],
  ["2026-07-01T19:00:00.001Z", {}, "over"],
  ["2026-07-03T00:00:00Z", { end_time: null }, "in_progress"],
  ["2026-07-01T18:30:00Z", { authorized: false }, "cancelled"],
] as const)("at %s, %j is %s", ([at, change, state]) => {
  expect(stateOf({ ...dispatch, ...change }, Date.parse(at))).toBe(state);
});

test("a site without a commitment makes the sum unknown", () => {
  expect(commitmentOf({ sites: [site, site] })).toBe(10);
  expect(commitmentOf({ sites: [site, { ...site, commitment: null }] })).toBeNull();
});

test.for([
  [
    new TypeError("fetch failed", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) }),
    "ECONNREFUSED",
  ],
  [new DOMException("The operation timed out", "TimeoutError"), "no answer in time"],
  [
    new TypeError("fetch failed", {
      cause: new Error("cancelled", {
        cause: Object.assign(new Error("Proxy response (407)"), { code: "UND_ERR_ABORTED" }),
      }),
    }),
    "Proxy response (407)",
  ],
  [
    new TypeError("fetch failed", { cause: new DOMException("Request was cancelled.", "Error") }),
    "Request was cancelled.",
  ],
  ["words", "words"],
] as const)("the reason of the failure %s is %s", ([error, reason]) => {
  expect(reasonOf(error)).toBe(reason);
});

describe("a notice", () => {
  test("is a creation once, an update for each later modification, and nothing for a repetition", () => {
    expect(noticeOf(dispatch, {}, "t")).toMatchObject({ event: "dispatch.create" });
    expect(noticeOf(dispatch, { dis_1: 0 }, "t")).toMatchObject({ event: "dispatch.update" });
    expect(noticeOf(dispatch, { dis_1: 1 }, "t")).toBeNull();
    expect(noticeOf(dispatch, { dis_1: 2 }, "t")).toBeNull();
  });

  test("keeps its id over restarts; another modification or target has another", () => {
    const ids = [
      noticeOf(dispatch, {}, "t"),
      noticeOf({ ...dispatch, modification_number: 2 }, {}, "t"),
      noticeOf(dispatch, {}, "u"),
    ];
    expect(new Set(ids.map((each) => each?.id)).size).toBe(3);
    expect(noticeOf(dispatch, { dis_1: 0 }, "t")?.id).toBe(ids[0]?.id);
  });

  test("its signature is the example of Standard Webhooks 1.0", () => {
    const notice = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}' };
    const whole = { ...notice, event: "dispatch.create" as const, dispatchId: "dis_1", modification: 0, resend: null };
    const headers = headersOf(whole, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 1_614_265_330_000);
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  test("secrets are those of the service", () => {
    expect(isSecret(newSecret())).toBe(true);
    for (const wrong of ["", "whsec_", "whsec_abc", newSecret().slice(6)]) expect(isSecret(wrong)).toBe(false);
  });
});

test.for([
  [60, 60],
  [900, 300],
  [1800, 300],
  [420, 210],
  [450, 150],
  [45, 45],
] as const)("an interval of %d s is sent in parts of %d s", ([seconds, part]) => {
  expect(partSecondsOf(seconds)).toBe(part);
});

describe("the meter of a series", () => {
  const sites = [
    {
      id: "site_1",
      name: "A",
      customer_location_id: "",
      meters: [{ id: "mtr_1", name: "main", asset_type: "load" as const }],
    },
    {
      id: "site_2",
      name: "B",
      customer_location_id: "",
      meters: [
        { id: "mtr_2", name: "main", asset_type: "load" as const },
        { id: "mtr_3", name: "roof", asset_type: "load" as const },
      ],
    },
  ];
  const of = (series: string, ...given: string[]) => metersOf([{ name: series }], sites, meterChoice(given));

  test("is the one that is named for it, for the file, or by its own name", () => {
    expect(of("E1", "mtr_2")).toEqual(["mtr_2"]);
    expect(of("E1=B", "E1=B=mtr_1", "mtr_2")).toEqual(["mtr_1"]);
    expect(of("roof")).toEqual(["mtr_3"]);
    expect(of("mtr_1")).toEqual(["mtr_1"]);
    expect(metersOf([{ name: "E1" }], sites.slice(0, 1), meterChoice([]))).toEqual(["mtr_1"]);
  });

  test("is never guessed", () => {
    for (const name of ["main", "E1", ""]) expect(() => of(name)).toThrow("no meter of the account is clearly meant");
    expect(() => of("E1", "mtr_9")).toThrow("clearly meant");
    expect(() => meterChoice(["mtr_1", "mtr_2"])).toThrow("one --meter");
  });
});

test.for([
  ["https://curtail.example.com", "https://curtail.example.com"],
  ["https://curtail.example.com/", "https://curtail.example.com"],
  ["http://127.0.0.1:8081/2022-04-15", "http://127.0.0.1:8081"],
  ["https://example.com/curtail/2022-04-15/", "https://example.com/curtail"],
] as const)("the address %s, as it was copied, is the service at %s", ([copied, address]) => {
  expect(serviceAddress(copied)).toBe(address);
});
