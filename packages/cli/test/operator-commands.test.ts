import { operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { operatorCommands } from "../src/operator-commands.js";

test("every operation of the operator API has a command; a new one needs a line in operator-commands.ts", () => {
  const covered = new Set(operatorCommands.map(({ endpoint }) => endpoint.id));
  expect(operator.operatorEndpoints.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
});
