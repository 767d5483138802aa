import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSpool } from "@curtail/spool";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/run/clock.js";
import { runAgent } from "../../src/run/run-agent.js";

test("a second agent on the same state folder ends with one line", async () => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = join(folder, "agent.yaml");
  const outputs = `[{ name: relay, to: { command: { file: /bin/true } }, curtail: true, normal: false }]`;
  writeFileSync(
    config,
    `
service: { url: "http://127.0.0.1:9", key: key_1 }
state: ${folder}
sites: [{ id: site_1, name: Mill, outputs: ${outputs} }]
`,
  );
  const first = await openSpool(join(folder, "spool"));
  onTestFinished(() => first.close());
  const lines: string[] = [];
  const code = await runAgent(
    { config },
    {
      environment: {},
      clock: systemClock,
      print: (line) => lines.push(line),
      printFault: (line) => lines.push(line),
      onHangup: () => {},
      stopped: Promise.resolve(),
    },
  );
  expect(code).toBe(1);
  expect(lines).toEqual([
    `Stop process ${process.pid}, or give this agent a \`state\` of its own: another agent uses ${folder}.`,
  ]);
});

test.each([
  ["key_file: agent.key", "SIGHUP: the key was read again"],
  ["key: key_1", "WARNING SIGHUP: nothing was read again: the key is not in a key_file"],
])("with %s a SIGHUP is answered in the log", async (key, line) => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = join(folder, "agent.yaml");
  writeFileSync(join(folder, "agent.key"), "key_1\n");
  writeFileSync(
    config,
    `
service: { url: "http://127.0.0.1:9", ${key} }
state: ${folder}
status: false
sites: [{ id: site_1, name: Mill }]
`,
  );
  const lines: string[] = [];
  const hangUps: Array<() => void> = [];
  const code = await runAgent(
    { config },
    {
      environment: {},
      clock: systemClock,
      print: (text) => {
        lines.push(text);
        // Once it runs.
        if (text.includes(" started")) for (const hangUp of hangUps) hangUp();
      },
      printFault: (text) => lines.push(text),
      onHangup: (listener) => void hangUps.push(listener),
      stopped: Promise.resolve(),
    },
  );
  expect(code).toBe(0);
  expect(lines.some((text) => text.endsWith(line))).toBe(true);
});
