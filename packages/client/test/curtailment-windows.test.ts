import { wireDispatch, wireSite } from "@curtail/testing/wire-forms";
import { expect, test } from "vitest";
import { curtailmentWindows } from "../src/curtailment-windows.js";

const at = (time: string): string => `2026-07-01T${time}:00Z`;
const during = (id: string, start: string, end: string | null, sites = [wireSite("site_1")]) =>
  wireDispatch(id, { start_time: at(start), end_time: end === null ? null : at(end), sites });

/** Windows as `start-end kW ids`. */
const shown = (...args: Parameters<typeof curtailmentWindows>) =>
  curtailmentWindows(...args).map(({ site_id, start_time, end_time, commitment, dispatch_ids }) =>
    [site_id, `${start_time.slice(11, 16)}-${end_time?.slice(11, 16) ?? ""}`, commitment, dispatch_ids.join("+")].join(
      " ",
    ),
  );

test("a dispatch is one window for each of its sites", () => {
  expect(
    curtailmentWindows([during("a", "18:00", "20:00", [wireSite("site_1"), wireSite("site_2", { commitment: null })])]),
  ).toEqual([
    { site_id: "site_1", start_time: at("18:00"), end_time: at("20:00"), commitment: 100, dispatch_ids: ["a"] },
    { site_id: "site_2", start_time: at("18:00"), end_time: at("20:00"), commitment: null, dispatch_ids: ["a"] },
  ]);
});

const overlapping = [
  during("b", "19:00", "21:00", [wireSite("site_1", { commitment: 40 })]),
  during("a", "18:00", "20:00"),
];

test("while dispatches overlap, a site owes the sum of their commitments, or the largest", () => {
  expect(shown(overlapping)).toEqual([
    "site_1 18:00-19:00 100 a",
    "site_1 19:00-20:00 140 a+b",
    "site_1 20:00-21:00 40 b",
  ]);
  expect(shown(overlapping, { overlaps: "max" })).toEqual(["site_1 18:00-20:00 100 a+b", "site_1 20:00-21:00 40 b"]);
});

test("an overlap with a dispatch that asks for as much as possible asks for that", () => {
  const all = during("b", "19:00", "21:00", [wireSite("site_1", { commitment: null })]);
  for (const overlaps of ["sum", "max"] as const)
    expect(shown([during("a", "18:00", "20:00"), all], { overlaps })).toEqual([
      "site_1 18:00-19:00 100 a",
      "site_1 19:00-21:00  a+b",
    ]);
});

test("an open end stays open, whatever else ends meanwhile", () => {
  expect(shown([during("a", "18:00", null), during("b", "19:00", "20:00")])).toEqual([
    "site_1 18:00-19:00 100 a",
    "site_1 19:00-20:00 200 a+b",
    "site_1 20:00- 100 a",
  ]);
});

test("windows that touch are one if they ask for the same, else two", () => {
  expect(shown([during("a", "18:00", "19:00"), during("b", "19:00", "20:00")])).toEqual(["site_1 18:00-20:00 100 a+b"]);
  const less = during("b", "19:00", "20:00", [wireSite("site_1", { commitment: 50 })]);
  expect(shown([during("a", "18:00", "19:00"), less])).toEqual(["site_1 18:00-19:00 100 a", "site_1 19:00-20:00 50 b"]);
});

test("between dispatches that do not touch, nothing is asked for", () => {
  expect(shown([during("a", "18:00", "19:00"), during("b", "20:00", "21:00")])).toHaveLength(2);
});

test("cancelled dispatches, and those that end before they start, ask for nothing", () => {
  expect(shown([{ ...during("a", "18:00", "19:00"), authorized: false }, during("b", "18:00", "18:00")])).toEqual([]);
  expect(shown([])).toEqual([]);
});
