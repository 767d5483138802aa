import { describe, expect, test } from "vitest";
import { pressed, shortcutsOf } from "../../src/rules/shortcuts.js";

const ours = shortcutsOf("/operations", true);
const at = (key: string, atMs = 0) => ({ key, atMs });

describe("a shortcut", () => {
  test("of one key acts at once, where the role may", () => {
    expect(pressed(ours, null, at("n")).to).toBe("/operations/dispatches/new");
    expect(pressed(shortcutsOf("/operations", false), null, at("n")).to).toBeNull();
    expect(pressed(shortcutsOf("/dashboard", true), null, at("n")).to).toBeNull();
  });

  test("of two keys acts after the second, if that comes soon", () => {
    const { to, begun } = pressed(ours, null, at("g"));
    expect([to, begun]).toEqual([null, at("g")]);
    expect(pressed(ours, begun, at("a", 1400))).toEqual({ to: "/operations/alarms", begun: null });
    expect(pressed(ours, begun, at("a", 1600))).toEqual({ to: null, begun: null });
  });

  test("that is not finished gives way to the next key", () => {
    expect(pressed(ours, at("g"), at("n", 100)).to).toBe("/operations/dispatches/new");
    expect(pressed(ours, at("g"), at("g", 100)).begun).toEqual(at("g", 100));
    expect(pressed(ours, at("g"), at("x", 100))).toEqual({ to: null, begun: null });
  });

  test("has keys of its own on each side", () => {
    for (const side of ["/operations", "/dashboard"]) {
      const keys = shortcutsOf(side, true).map((each) => each.keys);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});
