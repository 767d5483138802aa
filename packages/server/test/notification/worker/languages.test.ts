import { describe, expect, test } from "vitest";
import { chat } from "../../../src/notification/channels/chat/chat.js";
import { calendarEvents } from "../../../src/notification/domain/calendar-event.js";
import { noticeSaid, testSaid } from "../../../src/notification/domain/notice-said.js";
import { noticeSentence } from "../../../src/notification/domain/notice-sentence.js";
import { phoneText, SMS_CHARACTERS, testText } from "../../../src/notification/domain/phone-text.js";
import { toICalendar } from "../../../src/notification/http/icalendar.js";
import { dispatchMail } from "../../../src/notification/worker/dispatch-mail.js";
import { personalWords } from "../../../src/notification/worker/personal-words.js";
import { alarmKinds } from "../../../src/platform/alarm.js";
import type { Words } from "../../../src/platform/words.js";
import { dispatchSite, dispatchWith } from "../../support/domain-forms.js";
import { pseudoWords, unsaid } from "../../support/pseudo-words.js";

const NAMES = ["Nordwerk", "Spitze", "Werk 17", "kW", "dis_1", "UTC"];
const now = new Date("2026-07-14T20:05:00Z");
const program = { ...dispatchWith().program, name: "Spitze", timezone: "Europe/Berlin" };
const site = dispatchSite({ name: "Nordwerk", customerLocationId: "Werk 17", commitmentKw: 1250.5 });
const open = { ...site, commitmentKw: null };
const dispatch = dispatchWith({ program, sites: [site] });

/** Everything that a notice may have to say. */
const dispatches = [
  dispatch,
  { ...dispatch, test: true, end: null },
  { ...dispatch, end: new Date("2026-07-16T06:00:00Z"), sites: [site, open] },
  { ...dispatch, sites: Array.from({ length: 201 }, () => open) },
  { ...dispatch, authorized: false },
  { ...dispatch, authorized: false, voidReason: "twice" },
  { ...dispatch, start: new Date("2026-07-14T18:00:00Z"), end: new Date("2026-07-14T20:00:00Z") },
];

const contents = dispatches.flatMap((each) =>
  (["dispatch.create", "dispatch.update"] as const).map((event) => ({
    dispatch: each,
    event,
    now,
    service: "Nordwerk",
  })),
);

const saidWhole = (texts: readonly string[], data: readonly string[] = []): void => {
  for (const text of texts) {
    expect(unsaid(text, [...data, ...NAMES]), text).toBe("");
    expect(text).not.toMatch(/1,250|July|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b|Central European/);
  }
};

describe("every word to people is said in their language, with its numbers and dates", () => {
  test("of a mail", () => {
    const publicUrl = "https://curtail.example";
    const mails = contents.map((content) => dispatchMail(pseudoWords, { ...content, publicUrl, footer: [] }));
    saidWhole(mails.flatMap(({ subject, text }) => [subject, text]));
    expect(mails[0]?.subject).toContain("1.250,5 kW from ⟦Mittwoch, 15. Juli 2026, 00:00 Mitteleuropäische Sommerzeit");
    for (const { html } of mails) expect(html).toContain('<html lang="de">');
  });

  test("of a phone", () => {
    saidWhole(contents.map((content) => noticeSentence(pseudoWords, content)));
    saidWhole(contents.map((content) => phoneText(pseudoWords, content, "voice")));
    saidWhole([testText(pseudoWords, "voice", "Nordwerk")]);
    expect(phoneText(pseudoWords, { dispatch, event: "dispatch.create", now, service: "Nordwerk" }, "voice")).toContain(
      "⟦kilowatts⟧",
    );
  });

  test("of a chat room", () => {
    const said = [
      ...contents.map((content) => noticeSaid(pseudoWords, content, "https://c")),
      testSaid(pseudoWords, "X", "Nordwerk"),
    ];
    saidWhole(said.flatMap(({ title, lines, linkName }) => [title, ...lines, linkName]));
    const [notice] = said;
    if (notice === undefined) throw new Error("no notice");
    for (const form of ["slack", "teams"]) {
      const { body } = chat.requestOf(notice, { address: "https://chat.example/hook", form });
      expect(body).toContain("⟦Open the dispatch⟧");
    }
  });

  test("of a lock screen, also of each alarm", () => {
    for (const accountId of [null, "acc_1"]) {
      const reader = { accountId, timezone: "Europe/Berlin" };
      const notices = contents.map(({ dispatch: each, event }) =>
        personalWords(pseudoWords, { of: "dispatch", dispatchId: each.id, event, dispatch: each }, reader, now),
      );
      const alarms = [...alarmKinds, "of_tomorrow"].flatMap((kind) =>
        [true, false].map((isOver) => {
          const alarm = { id: "alm_1", kind, accountName: null, programName: null, isOver };
          return personalWords(pseudoWords, { of: "alarm", alarm }, reader, now);
        }),
      );
      saidWhole([...notices, ...alarms].flatMap(({ title, body }) => [title, body]));
    }
  });

  test("of a calendar", () => {
    const { sites: _, ...whole } = dispatch;
    const names = { siteCount: 30, siteNames: Array.from({ length: 20 }, () => "Nordwerk") };
    const shown = dispatches.map((each) => ({
      ...whole,
      ...each,
      ...names,
      commitmentKw: 1250.5,
      openSites: each.sites.length > 1 ? 1 : 0,
    }));
    const view = { side: "operators", pagesUrl: "https://c", words: pseudoWords, now } as const;
    const events = calendarEvents(shown, view);
    expect(events).toHaveLength(dispatches.length);
    saidWhole(
      events.flatMap(({ summary, location, description }) => [summary, location, description]),
      ["https://c/dis_1"],
    );
    expect(toICalendar(pseudoWords, "X", events)).toContain("PRODID:-//Curtail//Dispatches//DE\r\n");
  });
});

/** Says what is to be done by this alone. */
const sayingNotice = (say: (notice: string) => string): Words => ({
  ...pseudoWords,
  say: (text, values = {}) => {
    if (text.startsWith("{service}")) return String(values["notice"]);
    return text.startsWith("reduce") ? say("x") : "x";
  },
});

const smsOf = (words: Words): string =>
  phoneText(words, { dispatch, event: "dispatch.create", now, service: "Nordwerk" }, "sms");

const lengthWith = (letters: number) => smsOf(sayingNotice((notice) => `${"a".repeat(letters)} ${notice}`)).length;

describe("an SMS of another language", () => {
  test("keeps the letters with marks that all phones have", () => {
    expect(smsOf(sayingNotice(() => "¿Für „größer“ ê ç €? UTC−5"))).toBe('¿Für "größer" e c ?? UTC-5 Spitze');
  });

  test("takes a second message rather than lose its end, and never a third", () => {
    expect(lengthWith(SMS_CHARACTERS - 3)).toBe(SMS_CHARACTERS + " x Spitze".length - 3);
    expect(lengthWith(100)).toBe(100 + " x Spitze".length);
    expect(lengthWith(200)).toBe(200 + " x Spitze".length);
    expect(lengthWith(900)).toBe(306);
  });
});
