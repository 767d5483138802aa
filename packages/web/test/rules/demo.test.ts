import { describe, expect, test } from "vitest";
import { askDemoEveryMs, type Demo, demoNews, demoWords, isDemoThere } from "../../src/rules/demo.js";

const demo = (state: Demo["state"]): Demo => ({
  state,
  can_start: state === "off",
  reason: null,
  progress: null,
  started_at: null,
  accounts: 0,
  sites: 0,
});

const states = ["off", "preparing", "on", "removing"] as const;

describe("the demo on the pages", () => {
  test("is watched closely only while it changes by itself", () => {
    const closely = states.filter((state) => askDemoEveryMs(demo(state)) < askDemoEveryMs(undefined));
    expect(closely).toEqual(["preparing", "removing"]);
  });

  test("is there from its start until it is removed, and then said on every page", () => {
    expect(isDemoThere(undefined)).toBe(false);
    const there = states.filter((state) => isDemoThere(demo(state)));
    expect(there).toEqual(["preparing", "on", "removing"]);
    expect(states.filter((state) => demoWords(demo(state)) !== null)).toEqual(there);
  });

  test("is announced when it is ready or gone, not when a page is opened", () => {
    expect(demoNews("preparing", "on")).toBe("The demo is ready.");
    expect(demoNews("removing", "off")).toBe("The demo was removed.");
    expect(states.map((state) => demoNews(undefined, state))).toEqual([null, null, null, null]);
    expect(demoNews("off", "preparing")).toBe(null);
  });
});
