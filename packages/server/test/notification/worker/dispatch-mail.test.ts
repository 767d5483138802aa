import { describe, expect, test } from "vitest";
import type { Dispatch, DispatchSite } from "../../../src/dispatch/domain/dispatch.js";
import { mailDelayAfterMs } from "../../../src/notification/domain/mail.js";
import { dispatchMail } from "../../../src/notification/worker/dispatch-mail.js";
import { serviceWords } from "../../../src/platform/words.js";
import { dispatchSite, dispatchWith } from "../../support/domain-forms.js";

const site = (more: Partial<DispatchSite> = {}): DispatchSite =>
  dispatchSite({ customerLocationId: "store 17", commitmentKw: 1250.5, ...more });

const dispatch = (more: Partial<Dispatch> = {}): Dispatch => dispatchWith({ sites: [site()], ...more });

const mailOf = (
  more: Partial<Dispatch> = {},
  event: "dispatch.create" | "dispatch.update" = "dispatch.create",
  footer: readonly string[] = [],
) =>
  dispatchMail(serviceWords("en"), {
    dispatch: dispatch(more),
    event,
    publicUrl: "https://curtail.example",
    now: new Date("2026-07-14T20:05:00Z"),
    footer,
  });

test("a mail ends with the footer and the links of the service, as text and escaped", () => {
  const { text, html } = mailOf({}, "dispatch.create", ["<b>Acme & Co</b>", "Imprint: https://acme.example/imprint"]);
  expect(text).toMatch(/\n\n<b>Acme & Co<\/b>\n\nImprint: https:\/\/acme\.example\/imprint\n$/);
  expect(html).toContain("<p>&lt;b&gt;Acme &amp; Co&lt;/b&gt;</p>");
});

test("a mail says where, when, by how much and how to acknowledge", () => {
  const { subject, text } = mailOf();
  const start = "Tuesday 14 July 2026, 17:00 Central Daylight Time (America/Chicago)";
  expect(subject).toBe(`Curtail 1,250.5 kW from ${start}: Summer Peak`);
  expect(text).toBe(`A dispatch of your sites has been issued. Please curtail manually.

Your systems may not know about it: automatic notification failed or has not been confirmed yet.

Dispatch: dis_1
Program: Summer Peak
Start: ${start} = 2026-07-14 22:00 UTC
End: Tuesday 14 July 2026, 18:30 Central Daylight Time (America/Chicago) = 2026-07-14 23:30 UTC
Reduction: 1,250.5 kW

Your site:
- Mill (customer id store 17): 1,250.5 kW

To acknowledge, reply to the operator or send GET https://curtail.example/2022-04-15/dispatches/dis_1 with your API key.
`);
});

const words = (from: string): string[] => from.split(/\s+|^- /m).filter((word) => word !== "" && word !== "-");

test("text and HTML say the same", () => {
  const { text, html } = mailOf({ end: null, sites: [site(), site({ name: "Pump", commitmentKw: null })] });
  const shown = html
    .replace(/<[^>]*>/g, " ")
    .replaceAll(" :", ":")
    .replaceAll(/: +/g, ": ");
  expect(words(shown)).toEqual(words(text));
});

const startOf = (start: string, timezone: string): string => {
  const { program } = dispatch();
  return (
    mailOf({ start: new Date(start), end: null, program: { ...program, timezone } })
      .text.split("\n")
      .find((line) => line.startsWith("Start: ")) ?? ""
  );
};

describe("times", () => {
  test("of one hour that the clocks go through twice differ by the zone's name", () => {
    const first = startOf("2026-11-01T06:30:00Z", "America/Chicago");
    const second = startOf("2026-11-01T07:30:00Z", "America/Chicago");
    expect(first).toContain("1 November 2026, 01:30 Central Daylight Time (America/Chicago) = 2026-11-01 06:30 UTC");
    expect(second).toContain("1 November 2026, 01:30 Central Standard Time (America/Chicago) = 2026-11-01 07:30 UTC");
  });

  test("name the day of the zone, midnight as 00:00, and seconds where there are any", () => {
    expect(startOf("2026-07-14T22:00:00Z", "Europe/Berlin")).toBe(
      "Start: Wednesday 15 July 2026, 00:00 Central European Summer Time (Europe/Berlin) = 2026-07-14 22:00 UTC",
    );
    expect(startOf("2026-01-05T10:00:07Z", "UTC")).toBe(
      "Start: Monday 5 January 2026, 10:00:07 Coordinated Universal Time (UTC) = 2026-01-05 10:00:07 UTC",
    );
  });
});

test("an open end is until further notice", () => {
  expect(mailOf({ end: null }).text).toContain("\nEnd: until further notice\n");
});

test("a site without a commitment curtails as agreed, and the sum says so", () => {
  const { text } = mailOf({ sites: [site(), site({ name: "Pump", customerLocationId: "", commitmentKw: null })] });
  expect(text).toContain("\n- Pump: as agreed with the operator\n");
  expect(text).toContain("\nReduction: 1,250.5 kW, and 1 site as agreed with the operator\n");
  expect(mailOf({ sites: [site({ commitmentKw: null })] }).subject).toMatch(
    /^Curtail as agreed with the operator from /,
  );
});

test("a commitment of 0 kW is a commitment", () => {
  expect(mailOf({ sites: [site({ commitmentKw: 0 })] }).text).toContain("\nReduction: 0 kW\n");
});

test("an operator's test dispatch says TEST in the subject and first of all", () => {
  const { subject, text, html } = mailOf({ test: true });
  expect(subject).toMatch(/^\[TEST\] Curtail /);
  expect(text).toMatch(/^This is a TEST by the operator/);
  expect(html).toContain("<p>This is a TEST by the operator");
});

describe("what changed", () => {
  test("new times replace the earlier ones", () => {
    const { subject, text } = mailOf({}, "dispatch.update");
    expect(subject).toMatch(/^Dispatch changed, curtail 1,250\.5 kW from Tuesday 14 July 2026, 17:00 /);
    expect(text).toContain("The times below replace the earlier ones.");
  });

  test("a cancelled dispatch can stop, whatever event the webhooks were to receive", () => {
    for (const event of ["dispatch.create", "dispatch.update"] as const) {
      const { subject, text } = mailOf({ authorized: false }, event);
      expect(subject).toBe("Dispatch cancelled, stop curtailing: Summer Peak");
      expect(text).toMatch(/^A dispatch of your sites was cancelled\. You can stop curtailing\.\n/);
      expect(text).not.toContain("curtail manually");
    }
  });

  test("a voided dispatch asks for nothing", () => {
    const { subject, text } = mailOf({ authorized: false, voidReason: "A mistake" }, "dispatch.update");
    expect(subject).toBe("Dispatch voided, no action needed: Summer Peak");
    expect(text).toMatch(/^A past dispatch of your sites was voided and no longer counts\./);
    expect(text).not.toMatch(/Please curtail|A mistake/);
  });

  test("a dispatch that ended before the mail could leave is over", () => {
    const { subject, text } = mailOf({ end: new Date("2026-07-14T20:04:00Z") });
    expect(subject).toBe("Dispatch ended, stop curtailing: Summer Peak");
    expect(text).not.toContain("curtail manually");
  });
});

test("names are escaped in HTML and left alone in text", () => {
  const name = `<img src=x onerror="a('b')"> & Sons`;
  const { text, html } = mailOf({ sites: [site({ name, customerLocationId: "<b>" })] });
  expect(text).toContain(name);
  expect(html).toContain("&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt; &amp; Sons (customer id &lt;b&gt;)");
  expect(html).not.toContain("<img");
});

test("of very many sites the first 200 are listed, and the rest counted", () => {
  const { text } = mailOf({ sites: Array.from({ length: 201 }, () => site({ commitmentKw: 1 })) });
  expect(text.match(/^- Mill/gm)).toHaveLength(200);
  expect(text).toContain("Your 201 sites:");
  expect(text).toContain("- and 1 more; fetch the dispatch for the full list");
  expect(text).toContain("Reduction: 201 kW");
});

test("a mail is tried again after 10, 30 and 60 s, then every 5 minutes for a day", () => {
  const hour = 3_600_000;
  expect([1, 2, 3, 4, 5].map((failures) => mailDelayAfterMs(failures, 0))).toEqual([
    10_000, 30_000, 60_000, 300_000, 300_000,
  ]);
  expect(mailDelayAfterMs(288, 24 * hour - 1)).toBe(300_000);
  expect(mailDelayAfterMs(288, 24 * hour)).toBeNull();
});
