import { execFileSync, spawnSync } from "node:child_process";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { completionScript } from "../src/participant/completion.js";

const program = new Command("curtail");
program.command("status").option("--json", "Print JSON.");
const telemetry = program.command("telemetry");
telemetry.command("get").argument("[site]").option("--start <time>", "Start.").option("--end <time>", "End.");
program.command("trigger").argument("<scenario>");

const has = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

/** What bash offers when Tab is pressed after these words. */
const offered = (...words: string[]): string[] => {
  const line = words.map((word) => `'${word}'`).join(" ");
  const press = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _curtail; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${completionScript("bash", program)}\n${press}`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" })
    .split("\n")
    .filter((each) => each !== "");
};

describe.runIf(has("bash"))("bash completes", () => {
  test("commands, by their beginning", () => {
    expect(offered("curtail", "")).toEqual(expect.arrayContaining(["status", "telemetry", "trigger"]));
    expect(offered("curtail", "t")).toEqual(["telemetry", "trigger"]);
  });

  test("the commands of a noun, and then its options", () => {
    expect(offered("curtail", "telemetry", "g")).toEqual(["get"]);
    expect(offered("curtail", "telemetry", "get", "--")).toEqual(expect.arrayContaining(["--start", "--end"]));
  });

  test("after options and arguments", () => {
    expect(offered("curtail", "telemetry", "get", "site_1", "--start", "now", "--e")).toEqual(["--end"]);
    expect(offered("curtail", "status", "--js")).toEqual(["--json"]);
  });
});

test.skipIf(!has("zsh"))("zsh accepts its script", () => {
  expect(spawnSync("zsh", ["-n"], { input: completionScript("zsh", program) }).status).toBe(0);
});

test.skipIf(!has("fish"))("fish accepts its script", () => {
  expect(spawnSync("fish", ["-n"], { input: completionScript("fish", program) }).status).toBe(0);
});

test("each shell has every command", () => {
  for (const shell of ["bash", "zsh", "fish"] as const)
    expect(completionScript(shell, program)).toContain("telemetry get");
});
