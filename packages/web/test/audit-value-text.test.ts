import { describe, expect, test } from "vitest";
import { changeTexts, valueText } from "../src/pages/operations/audit/value-text.js";

const text = (path: string, value: unknown) =>
  valueText(value, path.split("."), "America/Chicago")?.replaceAll("\u00a0", " ");

describe("a value in the audit log", () => {
  test("is shown in the words of the pages", () => {
    expect([text("user.disabled", true), text("user.disabled", false)]).toEqual(["yes", "no"]);
    expect(text("user.role", "operator-admin")).toBe("Administrator");
    expect(text("openadr3_client.role", "bl")).toBe("Business logic");
    expect(text("program.openadr.level", 2)).toBe("2: long event");
    expect(text("openadr3_client.sites", "all")).toBe("all of the account");
    expect(text("alarm.kind", "notice_failed")).toBe("Account not notified");
  });

  test("is nothing where there is none", () => {
    for (const nothing of [null, undefined, "", []]) expect(text("site.dispatch_group", nothing)).toBeUndefined();
  });

  test("of a time is in the zone of the page", () => {
    expect(text("phone_call.at", "2026-07-01T18:00:00.5Z")).toMatch(/Jul.*2026.*(1:00:00 pm|13:00:00)/);
  });

  test("of a number is never rounded", () => {
    expect(text("enrolment.commitment", 12_345.678)).toBe("12,345.678");
    expect(text("terms.terms.capacity.price_per_kw", "1234.567891")).toBe("1,234.567891");
  });

  test("of a share is in percent, and of a length in hours and minutes if that is exact", () => {
    expect(text("program.status_limits.amber_from", 0.755)).toBe("75.5%");
    expect(text("terms.terms.penalty.below", "0.8")).toBe("80%");
    const lengths = [0, 45, 90, 300, 5400, 90_000, 90_060].map((value) => text("ven.poll_interval_seconds", value));
    expect(lengths).toEqual(["0 s", "45 s", "90 s", "5 min", "1 h 30 min", "1 d 1 h", "90,060 s"]);
  });

  test("of a list has the members of each element in a row", () => {
    const meters = [
      { id: "mtr_1", name: "main", asset_type: "battery", kwh_means: "charge" },
      { id: "mtr_2", name: "roof", asset_type: "generator" },
    ];
    expect(text("site.meters", meters)).toBe("mtr_1 main Battery kWh: state of charge; mtr_2 roof Generator");
    const pass = { scenario_type: "basic", channels: ["webhook", "polling"], key_id: null };
    expect(text("integration_certificate.passes", [pass])).toBe("One dispatch webhook, polling or stream –");
    expect(text("webhook.events", ["dispatch.create", "site.relocate"])).toBe("new dispatches; site.relocate");
  });

  test("that people wrote stays as it is", () => {
    expect(text("dispatch.metadata.below", "0.8")).toBe("0.8");
    expect(text("dispatch.metadata.at", "2026-07-01T18:00:00Z")).toBe("2026-07-01T18:00:00Z");
    expect(text("site.name", "capacity")).toBe("capacity");
  });
});

const texts = (before: unknown, after: unknown) => {
  const { from, to } = changeTexts({ path: ["commitment"], before, after }, "enrolment", "UTC");
  return [from, to];
};

test("a change has a dash for nothing, and no text where there was no such member", () => {
  expect(texts(250, null)).toEqual(["250", "–"]);
  expect(texts(null, 250)).toEqual(["–", "250"]);
  expect(texts(250, undefined)).toEqual(["250", null]);
  expect(texts(undefined, 250)).toEqual([null, "250"]);
  for (const [before, after] of [
    [undefined, null],
    [null, ""],
  ])
    expect(texts(before, after)).toEqual([null, null]);
});
