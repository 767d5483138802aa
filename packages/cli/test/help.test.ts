import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { participantProgram, runParticipant } from "../src/participant/participant-program.js";

/** Runs a command whose output is all that matters. */
const run = async (args: readonly string[]) => {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({ write: (text: string) => void (written[name] += text) });
  const exitCode = await runParticipant(args, {
    ...nowhere,
    stdout: output("stdout"),
    stderr: output("stderr"),
  } as never);
  return { exitCode, ...written };
};

const nowhere = {
  environment: {},
  configFolder: "/nonexistent",
  stateFolder: "/nonexistent",
  runningCommands: () => [],
  now: () => new Date("2026-07-01T18:00:00Z"),
  leave: (exitCode: number) => {
    throw new Error(`left with ${exitCode}`);
  },
};

const program = participantProgram(nowhere as never);
const commandsOf = (command: Command, path: readonly string[] = []): ReadonlyArray<readonly [string, Command]> =>
  command.commands.flatMap((each) => {
    const own = [...path, each.name()];
    return [[own.join(" "), each] as const, ...commandsOf(each, own)];
  });
const commands = new Map(commandsOf(program));

describe.for([...commands.keys()])("curtail %s --help", (path) => {
  test("has examples, and no number where a person writes a duration", async () => {
    const { exitCode, stdout, stderr } = await run([...path.split(" "), "--help"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^Examples:\n( {2}.+\n)+/m);
    expect(stdout).not.toMatch(/default:\s+("?\d{4}|\[\])/);
  });

  test("has examples of commands and options that exist", async () => {
    const { stdout } = await run([...path.split(" "), "--help"]);
    const examples = stdout.slice(stdout.indexOf("Examples:")).match(/(?<=\bcurtail )[a-z][^|>;]*/g) ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const words = example.trim().split(/\s+/);
      const command = commands.get(words.slice(0, 2).join(" ")) ?? commands.get(words[0] ?? "");
      const options = words.filter((each) => each.startsWith("--"));
      const known = command?.options.map(({ long }) => long) ?? [];
      expect(
        options.filter((each) => !known.includes(each)),
        example,
      ).toEqual([]);
      expect(command, example).toBeDefined();
    }
  });
});

test("a word that is no command is wrong usage", async () => {
  const { exitCode, stdout, stderr } = await run(["dispatch"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain("Did you mean dispatches");
});
