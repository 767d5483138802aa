import {
  MAX_IMPORT_LINES,
  MAX_SHELF_HOURS,
  MAX_SHIFT_HOURS,
  MIN_PASSWORD_CHARACTERS,
  MOST_HIDDEN_SITES,
  SECRET_OVERLAP_HOURS,
  SILENT_MINUTES,
  USUAL_SHIFT_HOURS,
} from "@curtail/contract/constants";
import { expect, test } from "vitest";
import * as user from "../../../src/access/domain/user.js";
import { CHANGE_OVER_MS } from "../../../src/notification/domain/delivery.js";
import * as alarmGroup from "../../../src/oversight/domain/alarm-group.js";
import * as firstSteps from "../../../src/oversight/domain/first-steps.js";
import * as lines from "../../../src/oversight/domain/import-lines.js";
import { FRESH_MS } from "../../../src/oversight/domain/overview.js";
import * as shift from "../../../src/oversight/domain/shift.js";

test("what the contract and the pages say of limits is what the service applies", () => {
  expect(MAX_IMPORT_LINES).toBe(lines.MAX_IMPORT_LINES);
  expect(MAX_SHELF_HOURS).toBe(alarmGroup.MAX_SHELF_HOURS);
  expect([MAX_SHIFT_HOURS, USUAL_SHIFT_HOURS]).toEqual([shift.MAX_SHIFT_HOURS, shift.USUAL_SHIFT_HOURS]);
  expect(MIN_PASSWORD_CHARACTERS).toBe(user.MIN_PASSWORD_CHARACTERS);
  expect(MOST_HIDDEN_SITES).toBe(firstSteps.MOST_HIDDEN_SITES);
  expect(SILENT_MINUTES * 60_000).toBe(FRESH_MS);
  expect(SECRET_OVERLAP_HOURS * 3_600_000).toBe(CHANGE_OVER_MS);
});
