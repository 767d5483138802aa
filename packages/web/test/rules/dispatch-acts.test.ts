import { wordsIn } from "@curtail/words";
import { pageWords, speak } from "@curtail/words/page";
import { describe, expect, onTestFinished, test } from "vitest";
import { askedAct, dispatchActs } from "../../src/rules/dispatch-acts.js";
import { matching } from "../../src/rules/finding.js";

const running = [
  { id: "dis_1", program_name: "Peak relief", end_time: "2026-07-01T20:00:00Z" },
  { id: "dis_2", program_name: "Fast reserve", end_time: null },
];
const first = (typed: string) => matching(dispatchActs(running, typed), typed)[0];

describe("a text that acts on a dispatch in progress", () => {
  test.each([
    ["extend Peak relief by 30", "Extend Peak relief by 30 min…", "/operations/dispatches/dis_1?do=extend-30"],
    ["Extend peak relief by 45", "Extend Peak relief by 45 min…", "/operations/dispatches/dis_1?do=extend-45"],
    ["extend peak relief by 20 min", "Extend Peak relief by 20 min…", "/operations/dispatches/dis_1?do=extend-20"],
    ["end Fast reserve", "End Fast reserve…", "/operations/dispatches/dis_2?do=end"],
    ["who was not notified", "Who was not notified of Peak relief", "/operations/dispatches/dis_1?tab=evidence"],
    ["not notified of fast", "Who was not notified of Fast reserve", "/operations/dispatches/dis_2?tab=evidence"],
  ])("%s", (typed, label, to) => expect(first(typed)).toMatchObject({ label, to }));

  test("extends none that has no end, and by no time that is out of bounds", () => {
    expect(first("extend Fast reserve by 30")).toBeUndefined();
    for (const typed of ["extend peak relief by 0", "extend peak relief by 1441", "extend peak relief by 99999"])
      expect(dispatchActs(running, typed).map(({ label }) => label)).toContain("Extend Peak relief by 15 min…");
  });

  test("opens a confirmation by its address alone, and nothing by any other", () => {
    expect(askedAct("end")).toEqual({ end: true });
    expect(askedAct("extend-1440")).toEqual({ extendByMinutes: 1440 });
    for (const text of [
      undefined,
      "",
      "cancel",
      "extend",
      "extend-0",
      "extend-1441",
      "extend-1e3",
      "extend--5",
      "end ",
    ])
      expect(askedAct(text), text).toBeNull();
  });

  test("is understood in the language of the page, in any order of its words, and in English", () => {
    const english = pageWords();
    onTestFinished(() => speak(english));
    const context = "words that find a command";
    speak(
      wordsIn("de", "de-DE", {
        "Extend {program} by {minutes} min…": "{program} um {minutes} min verlängern…",
        [`extend {program} by {minutes} minutes; longer, later end [${context}]`]:
          "{program} um {minutes} Minuten verlängern; verlängere, länger",
        "End {program}… [verb]": "{program} beenden…",
        [`end {program} now; stop, cancel, change [${context}]`]: "beende {program} jetzt; abbrechen",
      }),
    );
    for (const typed of [
      "Peak relief um 45 verlängern",
      "verlängere Peak relief um 45 min",
      "extend peak relief by 45",
    ])
      expect(first(typed), typed).toMatchObject({
        label: "Peak relief um 45 min verlängern…",
        to: "/operations/dispatches/dis_1?do=extend-45",
      });
    expect(first("fast reserve beenden")?.to).toBe("/operations/dispatches/dis_2?do=end");
    expect(first("end fast reserve")?.to).toBe("/operations/dispatches/dis_2?do=end");
  });

  test("takes no number of a program's name for minutes", () => {
    const [act] = dispatchActs(
      [{ id: "dis_3", program_name: "Zone 45", end_time: "2026-07-01T20:00:00Z" }],
      "extend zone 45",
    );
    expect(act?.label).toBe("Extend Zone 45 by 15 min…");
  });
});
