import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { strangers } from "@curtail/testing/watch-replies";
import { expect, onTestFinished, test } from "vitest";
import { command, temporaryFolder } from "./support/service-process.js";

const KEY = "ctp_typed_by_a_person";

/** Answers every request as if the key were good. */
const service = async (): Promise<string> => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ page: 0, perPage: 0, sites: [] }));
  });
  strangers.add(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Types these characters into a terminal as soon as `curtail login` asks. */
const typed = async (characters: string) => {
  const home = await temporaryFolder();
  onTestFinished(home.remove);
  const login = `'${process.execPath}' '${command}' login --url ${await service()}`;
  const terminal = spawn("script", ["--quiet", "--return", "--command", login, "/dev/null"], {
    env: { PATH: process.env["PATH"], HOME: home.path },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let screen = "";
  terminal.stdout.on("data", (chunk: Buffer) => {
    const isAsked = screen.includes("not shown");
    screen += chunk.toString();
    if (!isAsked && screen.includes("not shown")) terminal.stdin.write(characters);
  });
  await once(terminal, "close");
  return { exitCode: terminal.exitCode, screen, profiles: join(home.path, ".config", "curtail", "profiles.json") };
};

const hasTerminal = spawnSync("script", ["--version"]).status === 0;

test.runIf(hasTerminal)("a key that is typed is never on the screen, however soon it is typed", async () => {
  const { exitCode, screen, profiles } = await typed(`${KEY}\r`);
  expect(screen).toContain("Logged in");
  expect(screen).not.toContain(KEY);
  expect(exitCode).toBe(0);
  expect(readFileSync(profiles, "utf8")).toContain(KEY);
});

test.runIf(hasTerminal)("Ctrl-C ends the question with the code of an interruption", async () => {
  const { exitCode, screen } = await typed("ctp_half\u0003");
  expect({ exitCode, screen }).toMatchObject({
    exitCode: 130,
    screen: expect.stringContaining("curtail: interrupted"),
  });
});

test.runIf(hasTerminal)("Ctrl-D answers nothing, which is no key", async () => {
  const { exitCode, screen } = await typed("\u0004");
  expect({ exitCode, screen }).toMatchObject({
    exitCode: 2,
    screen: expect.stringContaining("does not hold an API key"),
  });
});
