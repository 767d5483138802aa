import { describe, expect, test } from "vitest";
import { kindOfPage, seenFrom, withSeen } from "../../src/rules/recent.js";

const seen = (id: number) => ({ to: `/operations/sites/${id}`, label: `Site ${id}`, kind: "Site" });

describe("pages that were seen", () => {
  test("are those of one object", () => {
    expect(kindOfPage("/operations/sites/site_1")).toBe("Site");
    expect(kindOfPage("/dashboard/dispatches/dis_1")).toBe("Dispatch");
    for (const other of ["/operations", "/operations/sites", "/operations/dispatches/new", "/you", "/operations/wall"])
      expect(kindOfPage(other)).toBeNull();
  });

  test("are the last eight, the latest first, each once", () => {
    const all = Array.from({ length: 9 }, (_, id) => seen(id)).reduce<ReturnType<typeof seenFrom>>(withSeen, []);
    expect(all.map(({ label }) => label)).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((id) => `Site ${id}`));
    expect(
      withSeen(all, seen(3))
        .map(({ to }) => to)
        .slice(0, 2),
    ).toEqual([seen(3).to, seen(8).to]);
  });

  test("survive what something else has stored", () => {
    expect(seenFrom(JSON.stringify([seen(1)]))).toEqual([seen(1)]);
    for (const text of [null, "", "{}", "null", "[1, null]", '[{"to":"https://evil.example","label":"x","kind":"y"}]'])
      expect(seenFrom(text)).toEqual([]);
  });
});
