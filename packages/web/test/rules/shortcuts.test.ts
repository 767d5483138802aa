import { describe, expect, test } from "vitest";
import { shortcutsOf } from "../../src/rules/shortcuts.js";
import { isCharacter, keyOf, pressed, printedKeys } from "../../src/ui/key-press.js";

const ours = shortcutsOf("/operations", true);
const at = (key: string, atMs = 0) => ({ key, atMs });

describe("a shortcut", () => {
  test("of one key acts at once, where the role may", () => {
    expect(pressed(ours, null, at("n")).found?.to).toBe("/operations/dispatches/new");
    expect(pressed(shortcutsOf("/operations", false), null, at("n")).found).toBeNull();
    expect(pressed(shortcutsOf("/dashboard", true), null, at("n")).found).toBeNull();
  });

  test("of two keys acts after the second, if that comes soon", () => {
    const { found, begun } = pressed(ours, null, at("g"));
    expect([found, begun]).toEqual([null, at("g")]);
    expect(pressed(ours, begun, at("a", 1400))).toMatchObject({ found: { to: "/operations/alarms" }, begun: null });
    expect(pressed(ours, begun, at("a", 1600))).toEqual({ found: null, begun: null });
  });

  test("that is not finished gives way to the next key", () => {
    expect(pressed(ours, at("g"), at("n", 100)).found?.to).toBe("/operations/dispatches/new");
    expect(pressed(ours, at("g"), at("g", 100)).begun).toEqual(at("g", 100));
    expect(pressed(ours, at("g"), at("x", 100))).toEqual({ found: null, begun: null });
  });

  test("of the page acts before one of the frame, but not in the middle of two keys", () => {
    const page = { keys: "a", label: "Acknowledge", to: "" };
    expect(pressed([page, ...ours], null, at("a")).found).toBe(page);
    expect(pressed([page, ...ours], at("g"), at("a", 100)).found?.to).toBe("/operations/alarms");
  });

  test("is the same with Caps Lock, and not with Shift", () => {
    expect(keyOf({ key: "A", shiftKey: false })).toBe("a");
    expect(keyOf({ key: "A", shiftKey: true })).toBe("A");
    expect(keyOf({ key: "?", shiftKey: true })).toBe("?");
    expect(keyOf({ key: " ", shiftKey: false })).toBe("Space");
  });

  test("of a character can be switched off, one of a named key not", () => {
    expect(["a", "[", "ä", "Space", "Escape", "ArrowLeft"].map(isCharacter)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test("is shown as it is printed on a keyboard", () => {
    expect(printedKeys("g b")).toEqual(["G", "B"]);
    expect(printedKeys("ArrowLeft ArrowRight Escape [ Enter")).toEqual(["←", "→", "Esc", "[", "Enter"]);
  });

  test("has keys of its own on each side", () => {
    for (const side of ["/operations", "/dashboard"]) {
      const keys = shortcutsOf(side, true).map((each) => each.keys);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});
