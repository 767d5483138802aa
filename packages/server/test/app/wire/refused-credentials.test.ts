import { expect, test } from "vitest";
import { noteRefusedOver } from "../../../src/app/wire/refused-credentials.js";
import { fakeClock } from "../../support/fake-clock.js";

test("refused credentials are logged with address and user, 60 lines a minute at most, and counted beyond", () => {
  const [lines, counted]: [unknown[][], string[]] = [[], []];
  const clock = fakeClock();
  const logger = { warn: (...line: unknown[]) => void lines.push(line) };
  const note = noteRefusedOver(logger as never, { countRefused: (kind) => void counted.push(kind) }, clock);
  const refused = { kind: "password", address: "192.0.2.1", userId: "usr_1" } as const;
  for (let index = 0; index < 100; index++) note(refused);
  expect(counted).toHaveLength(100);
  expect(lines).toHaveLength(60);
  expect(lines[0]).toEqual([refused, "credentials were refused"]);
  expect(lines.at(-1)?.[1]).toMatch(/further refusals in this minute are only counted/);
  clock.advance({ minutes: 1 });
  note(refused);
  expect(lines).toHaveLength(61);
});
