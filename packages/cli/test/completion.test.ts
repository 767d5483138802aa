import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Argument, Command, Option } from "commander";
import { describe, expect, onTestFinished, test } from "vitest";
import { completionScript } from "../src/participant/completion.js";

const program = new Command("curtail");
program.command("status").option("--json", "Print JSON.");
const telemetry = program.command("telemetry");
telemetry
  .command("get")
  .argument("[site]")
  .option("--start <time>", "Start.")
  .option("--end <time>", "End.")
  .addOption(new Option("--interval <seconds>", "Interval.").choices(["30", "60"]));
program.command("trigger").addArgument(new Argument("<scenario>").choices(["basic", "update"]));
program.command("upload").argument("[file]").option("--set-aside <file>", "File.").option("--restart", "Again.");

const has = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

/** A folder with one file, `readings.csv`. */
const folderWithFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-completion-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "readings.csv"), "");
  return folder;
};

const run = (shell: string, args: readonly string[]): string[] =>
  execFileSync(shell, args, {
    encoding: "utf8",
    cwd: folderWithFile(),
    env: { PATH: process.env["PATH"], HOME: "/" },
    // The pipe of Node is a socket, which fish does not take for standard input everywhere.
    stdio: ["ignore", "pipe", "pipe"],
  })
    .split("\n")
    .filter((each) => each !== "")
    .toSorted();

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");

/** What a shell offers when Tab is pressed after these words. */
const offeredBy: Readonly<Record<"bash" | "zsh" | "fish", (...words: readonly string[]) => readonly string[]>> = {
  bash(...words) {
    // Where the function leaves it to readline, its names of files are those of compgen.
    const press = `compopt() { IS_FILES=1; }
COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length - 1}; _curtail; printf '%s\\n' "\${COMPREPLY[@]}"
if [ -n "$IS_FILES" ]; then compgen -f -- '${words.at(-1)}'; fi`;
    return run("bash", ["-c", `${completionScript("bash", program)}\n${press}`]);
  },
  zsh(...words) {
    // Installed as a file of fpath, and called for the first time. compadd itself works in the line editor only.
    const folder = folderWithFile();
    writeFileSync(join(folder, "_curtail"), completionScript("zsh", program));
    const press = `fpath=('${folder}'); autoload -U _curtail
compadd() { shift; local each; for each in "$@"; do [[ $each == '${words.at(-1)}'* ]] && print -- $each; done; return 0 }
_files() { print -- readings.csv }
words=(${quoted(words)}); CURRENT=${words.length}; _curtail`;
    return run("zsh", ["-f", "-c", press]);
  },
  fish(...words) {
    return run("fish", ["--no-config", "-c", `${completionScript("fish", program)}\ncomplete -C '${words.join(" ")}'`]);
  },
};

describe.for(["bash", "zsh", "fish"] as const)("%s completes", (shell) => {
  const offered = offeredBy[shell];
  const isThere = { skip: !has(shell) };

  test("commands, by their beginning", isThere, () => {
    expect(offered("curtail", "")).toEqual(["status", "telemetry", "trigger", "upload"]);
    expect(offered("curtail", "t")).toEqual(["telemetry", "trigger"]);
  });

  test("the commands of a noun, and then its options", isThere, () => {
    expect(offered("curtail", "telemetry", "")).toEqual(["get"]);
    expect(offered("curtail", "telemetry", "get", "--")).toEqual(["--end", "--help", "--interval", "--start"]);
  });

  test("after options and arguments", isThere, () => {
    expect(offered("curtail", "telemetry", "get", "site_1", "--start", "now", "--e")).toEqual(["--end"]);
    expect(offered("curtail", "status", "--js")).toEqual(["--json"]);
  });

  test("what an argument or option may be, and no files there", isThere, () => {
    expect(offered("curtail", "trigger", "")).toEqual(["basic", "update"]);
    expect(offered("curtail", "telemetry", "get", "--interval", "")).toEqual(["30", "60"]);
    expect(offered("curtail", "telemetry", "get", "--start", "")).toEqual([]);
  });

  test("files where one is expected", isThere, () => {
    expect(offered("curtail", "upload", "")).toEqual(["readings.csv"]);
    expect(offered("curtail", "upload", "--set-aside", "re")).toEqual(["readings.csv"]);
    expect(offered("curtail", "upload", "readings.csv", "--re")).toEqual(["--restart"]);
  });
});

test("each shell has every command", () => {
  for (const shell of ["bash", "zsh", "fish"] as const)
    expect(completionScript(shell, program)).toContain("telemetry get");
});
