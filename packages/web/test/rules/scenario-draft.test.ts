import { describe, expect, test } from "vitest";
import { customExample, parsedScenario } from "../../src/rules/scenario-draft.js";

const NOW_MS = Date.parse("2026-11-24T12:00:00.123Z");

describe("the example of a custom scenario", () => {
  test("is a request whose states follow each other from now on", () => {
    const parsed = parsedScenario(customExample(NOW_MS));
    expect(parsed).toMatchObject({
      request: {
        scenario_type: "custom",
        speed: 120,
        dispatches: {
          first: {
            states: [
              { published_time: "2026-11-24T12:10:00Z", dispatch: { end_time: "2026-11-24T13:10:00Z" } },
              { published_time: "2026-11-24T12:20:00Z", dispatch: { end_time: "2026-11-24T13:30:00Z" } },
              { published_time: "2026-11-24T13:00:00Z", dispatch: { authorized: false } },
            ],
          },
        },
      },
    });
  });

  test("has a member a line, to edit it on a phone", () => {
    const lines = customExample(NOW_MS).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(60);
  });
});

describe("a text that is no scenario", () => {
  test.each(["[]", "null", "12", '"custom"'])("says of %s that an object is needed", (text) => {
    expect(parsedScenario(text)).toEqual({ fault: "Enter an object, in braces: { … }." });
  });

  test("names the line of a mistake", () => {
    const fault = /^This is not valid JSON in line 3: .*[^.]\.$/;
    expect(parsedScenario('{\n  "speed": 1,\n  "name" "x"\n}')).toEqual({ fault: expect.stringMatching(fault) });
  });

  test.each(["", "{", "{'a': 1}", '{"a": 1,}'])("is explained in one sentence: %j", (text) => {
    expect(parsedScenario(text)).toEqual({ fault: expect.stringMatching(/^This is not valid JSON.*: [^\n]+\.$/s) });
  });
});
