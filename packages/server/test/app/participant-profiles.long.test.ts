import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operator, saveMappingProfile } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { firstOf, pointsOf, read } from "../support/metering.js";
import { type Participant, type Running, running } from "../support/running.js";
import { faultyFront } from "./faulty-front.js";
import { participantUser } from "./participant-run.js";

// Files that the command line uploads are read by the mappings that the account keeps.
let service: Running;
let participant: Participant;
let environment: Record<string, string>;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  participant = await service.newParticipant({ sites: [["main"]] });
  environment = { CURTAIL_URL: service.url, CURTAIL_API_KEY: participant.key };
});

/** Its questions are the order of day and month, and the mark of times. */
const usage = (day = "06.05.2026"): string => `Zeit;Leistung (kW)\n${day} 00:00;1,5\n${day} 00:15;2,5\n`;
/** Without a question, but for the zone. */
const clear = (day: string): string => `Zeit von;Leistung (kW)\n${day} 00:00;1,5\n${day} 00:15;2,5\n`;
const time = { format: "day_first", label: "start", zone: "Europe/Berlin" } as const;

/** Keeps how such files are read. */
const keep = async (name: string, stated: object = time): Promise<void> => {
  const { siteId } = firstOf(participant);
  const query = { dry_run: true, mapping_profile: "none" };
  const { header = null } = await service.made(operator.importMeterData, {
    params: { id: siteId },
    query,
    body: usage(),
  });
  const saved = await participant.call(saveMappingProfile, { body: { name, header, mapping: { time: stated } } });
  expect(saved.status, saved.text).toBe(201);
};

const storedAt = async (day: string): Promise<readonly (readonly [string, number])[]> => {
  const { siteId, meterId } = firstOf(participant);
  const from = new Date(Date.parse(`${day}T00:00:00Z`) - 3 * 3_600_000).toISOString();
  const asked = { start_time: from, end_time: `${day}T12:00:00Z`, interval_seconds: 300 };
  return pointsOf(await read(participant, [siteId], asked), meterId);
};

const KEPT = 'the file is read by the mapping profile "Stadtwerke", which has its header';

describe("upload", () => {
  test("a file with the header of a kept profile is read by it, which is said", async () => {
    await keep("Stadtwerke");
    const { run, fileWith } = participantUser();
    const { stderr, stdout } = await run(["upload", fileWith("may.csv", usage())], { environment });
    expect(stderr).toBe(`${KEPT}\n`);
    expect(stdout).toBe("6 readings stored, 0 set aside.\n");
    expect(await storedAt("2026-05-06")).toEqual([
      ["2026-05-05T22:05:00Z", 1.5],
      ["2026-05-05T22:10:00Z", 1.5],
      ["2026-05-05T22:15:00Z", 1.5],
      ["2026-05-05T22:20:00Z", 2.5],
      ["2026-05-05T22:25:00Z", 2.5],
      ["2026-05-05T22:30:00Z", 2.5],
    ]);
  });

  test("the newest profile with the header is used, and the older ones are named", async () => {
    await keep("Stadtwerke");
    await keep("Netz", { ...time, label: "end" });
    const { run, fileWith } = participantUser();
    const { stderr } = await run(["upload", fileWith("may.csv", usage())], { environment });
    expect(stderr).toBe(
      'the file is read by the mapping profile "Netz", which has its header; "Stadtwerke" with the same header is older\n',
    );
    expect((await storedAt("2026-05-06"))[0]).toEqual(["2026-05-05T21:50:00Z", 1.5]);
  });

  test("a profile, or a layout that comes with Curtail, is used by its name; none leaves the questions open", async () => {
    await keep("Stadtwerke");
    await keep("Netz", { ...time, label: "end" });
    const { run, fileWith } = participantUser();
    const upload = (text: string, ...options: string[]) =>
      run(["upload", fileWith("may.csv", text), ...options], { environment });
    expect((await upload(usage(), "--mapping-profile", " stadtWERKE")).stderr).toBe(
      'the file is read by the mapping profile "Stadtwerke"\n',
    );
    expect((await storedAt("2026-05-06"))[0]).toEqual(["2026-05-05T22:05:00Z", 1.5]);
    const compact = "Tijd;Verbruik\n202605060015;1.5\n202605060030;2.5\n";
    const shipped = await upload(compact, "--mapping-profile", "compact-times", "--timezone", "Europe/Amsterdam");
    expect(shipped).toMatchObject({ exitCode: 0, stdout: "6 readings stored, 0 set aside.\n" });
    const open = await upload(usage(), "--mapping-profile", "none", "--timezone", "Europe/Berlin");
    expect(open.exitCode).not.toBe(0);
    expect(open.stderr).toMatch(/is the day or the month first\?[^]*nothing was sent/);
    const unknown = await upload(usage(), "--mapping-profile", "Stadtwerk");
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain(
      'there is no mapping profile "Stadtwerk"; the account keeps "Netz", "Stadtwerke". Name one of them',
    );
  });

  test("a fault names the profile that the file was read by", async () => {
    await keep("Stadtwerke");
    const { run, fileWith } = participantUser();
    const file = fileWith("may.csv", `${usage()}31.31.2026 00:30;1\n`);
    const { stderr, exitCode } = await run(["upload", file], { environment });
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(`${KEPT}; --mapping-profile none has its columns guessed\n`);
    expect(stderr).toContain("nothing was sent");
  });

  test("a file that is read by another profile than before it broke off begins anew", async () => {
    await keep("Stadtwerke");
    const { run, fileWith } = participantUser();
    const file = fileWith("may.csv", usage());
    const front = await faultyFront(service.url);
    const through = { ...environment, CURTAIL_URL: front.url };
    front.faults.push({ status: 401 });
    expect((await run(["upload", file], { environment: through })).exitCode).not.toBe(0);
    const state = `${file}.upload.json`;
    const text = readFileSync(state, "utf8");
    writeFileSync(state, text.replace(/"line": 0/, '"line": 3'));
    await keep("Netz", { ...time, label: "end" });
    const other = await run(["upload", file], { environment: through });
    expect(other.stdout).toBe("6 readings stored, 0 set aside.\n");
    expect(other.stderr).not.toContain("resuming");
    const again = await run(["upload", file, "--mapping-profile", "Stadtwerke"], { environment: through });
    expect(again.stderr).toContain("resuming after 3 readings");
  });

  test("meter data from standard input is read by the profile, also by a later run", async () => {
    await keep("Stadtwerke");
    const { run } = participantUser();
    const now = await run(["upload", "-", "--json"], { environment, stdin: usage() });
    expect(now).toMatchObject({ exitCode: 0, json: { stored: 6 } });
    expect(now.stderr).toContain(KEPT);
    await keep("Netz", { ...time, label: "end" });
    const front = await faultyFront(service.url);
    front.isDown = true;
    const through = { ...environment, CURTAIL_URL: front.url };
    const waiting = await run(["upload", "-", "--mapping-profile", "Stadtwerke"], {
      environment: through,
      stdin: usage("07.05.2026"),
      onNote: (text, interrupt) => (text.includes("the input is kept") ? interrupt() : undefined),
    });
    expect(waiting.exitCode).toBe(130);
    front.isDown = false;
    const later = await run(["upload", "--drain"], { environment: through });
    expect(later.exitCode, later.stderr).toBe(0);
    expect((await storedAt("2026-05-07"))[0]).toEqual(["2026-05-06T22:05:00Z", 1.5]);
  });

  test("a watched folder uses what the header chooses, and what is kept while it is watched", async () => {
    const { run, home } = participantUser();
    const folder = join(home, "inbox");
    mkdirSync(folder);
    writeFileSync(join(folder, "a.csv"), usage());
    let [keeping, ended] = [false, false];
    const { stderr, stdout } = await run(
      ["upload", "--watch", folder, "--settled", "1", "--timezone", "Europe/Berlin"],
      {
        environment,
        speed: 10,
        onOutput: (text, interrupt) => {
          if (text.includes("a.csv refused") && !keeping) {
            keeping = true;
            void keep("Stadtwerke").then(() => writeFileSync(join(folder, "b.csv"), usage("07.05.2026")));
          }
          if (text.includes("b.csv") && !ended) {
            ended = true;
            interrupt();
          }
        },
      },
    );
    expect(stdout).toContain("b.csv done: 6 readings stored");
    expect(stderr).toContain(`curtail: b.csv: ${KEPT}`);
    expect(existsSync(join(folder, "done", "b.csv"))).toBe(true);
    expect(existsSync(join(folder, "refused", "a.csv"))).toBe(true);
  });

  test("a file whose mapping is to be kept needs nothing the next time", async () => {
    const { run, fileWith } = participantUser();
    const may = fileWith("may.csv", clear("31.05.2026"));
    const keeping = ["--timezone", "Europe/Berlin", "--save-profile", "Netz"];
    const first = await run(["upload", may, ...keeping], { environment });
    expect(first).toMatchObject({ exitCode: 0, stderr: 'the mapping is kept as the profile "Netz"\n' });
    const june = await run(["upload", fileWith("june.csv", clear("05.06.2026"))], { environment });
    expect(june).toMatchObject({ exitCode: 0, stdout: "6 readings stored, 0 set aside.\n" });
    expect(june.stderr).toBe('the file is read by the mapping profile "Netz", which has its header\n');
    expect((await storedAt("2026-06-05"))[0]).toEqual(["2026-06-04T22:05:00Z", 1.5]);
    const again = await run(["upload", may, ...keeping], { environment });
    expect(again.exitCode).toBe(3);
    expect(again.stderr).toContain('the account has a mapping profile "Netz"; choose another name, or replace it');
    expect((await run(["upload", may, ...keeping, "--replace-profile"], { environment })).exitCode).toBe(0);
  });

  test.for([
    [["-", "--save-profile", "x"], /--save-profile is for a file that is uploaded by its name/],
    [["--drain", "--save-profile", "x"], /--save-profile is for a file that is uploaded by its name/],
    [["--watch", "inbox", "--save-profile", "x"], /--save-profile does not go with --watch/],
    [["may.csv", "--replace-profile"], /--replace-profile is for --save-profile/],
  ] as const)("with %o is wrong usage", async ([words, message]) => {
    const { exitCode, stderr } = await participantUser().run(["upload", ...words], { environment });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test("the sandbox has no profiles, and files are read there without", async () => {
    const { run, fileWith } = participantUser();
    const environment = { CURTAIL_URL: service.sandboxUrl, CURTAIL_API_KEY: "sandbox-public-key" };
    const plain = "timestamp,kw\n2026-06-04T00:05:00Z,1\n2026-06-04T00:10:00Z,2\n";
    const meter = "mtr_sandbox_lakeside";
    const sent = await run(["upload", fileWith("june.csv", plain), "--meter", meter], { environment });
    expect(sent).toMatchObject({ exitCode: 0, stdout: "2 readings stored, 0 set aside.\n" });
  });
});
