import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  actAs,
  anna,
  csv,
  environment,
  front,
  interrupted,
  kept,
  keptIn,
  linesOf,
  oldName,
  prepare,
  prepareEach,
  readingAt,
  rotated,
  service,
  spoolIn,
  state,
  stored,
  timeOf,
  upload,
  user,
} from "../support/participant-input.js";
import type { Participant } from "../support/running.js";

beforeAll(prepare);

beforeEach(prepareEach);

describe("readings from standard input", () => {
  test("stay when the command is interrupted, and the next one uploads them first", async () => {
    front.isDown = true;
    const first = await upload(["-"], {
      stdin: linesOf(readingAt(1), readingAt(2)),
      onNote: (text, interrupt) => (text.includes("trying again") ? interrupt() : undefined),
    });
    expect(first).toMatchObject({ exitCode: 130, stdout: "0 readings stored, 0 set aside.\n" });
    const folder = spoolIn();
    expect(first.stderr).toContain(
      `curtail: stopped\ncurtail: 2 readings kept in ${folder}; \`curtail upload --drain --spool ${folder}\` uploads them\n`,
    );
    front.isDown = false;
    const second = await upload(["-"], { stdin: linesOf(readingAt(2, { kW: 5 })) });
    expect(second).toMatchObject({ exitCode: 0, stderr: "2 readings of an earlier run come first\n" });
    expect(await stored()).toEqual([1, 5]);
    expect(await upload(["--drain", "--json"])).toMatchObject({ exitCode: 0, json: { stored: 0 } });
  });

  test("a second command at the same time is told who uses the folder, and may have its own", async () => {
    const stdin = new PassThrough();
    const first = upload(["-"], { stdin });
    stdin.write(linesOf(readingAt(1)));
    await expect.poll(kept).toContain("meter_id");
    const second = await upload(["-"], { stdin: linesOf(readingAt(2)) });
    expect(second).toMatchObject({ exitCode: 1, stdout: "" });
    expect(second.stderr).toContain(`is in use by process ${process.pid}`);
    expect(second.stderr).toContain("--spool FOLDER");
    const own = await upload(["-", "--spool", join(user.home, "own")], { stdin: linesOf(readingAt(2)) });
    expect(own.exitCode).toBe(0);
    stdin.end();
    expect(await first).toMatchObject({ exitCode: 0 });
    expect(await stored()).toEqual([1, 2]);
  });
});

test("a key that was copied with a line feed is that key", async () => {
  const copied = { CURTAIL_URL: ` ${front.url}`, CURTAIL_API_KEY: `${anna.key}\r\n` };
  expect(await upload(["-"], { environment: copied, stdin: linesOf(readingAt(1)) })).toMatchObject({ exitCode: 0 });
});

describe("readings of an earlier key", () => {
  test("are drained with the controllable load that the new key left, though the service knew the old one", async () => {
    await upload(["-"], { stdin: linesOf(readingAt(0)) });
    const load = { site_id: anna.sites[0]?.id, interval_seconds: 300, timestamp: timeOf(5), units: "kW", value: 9 };
    await rotated();
    front.isDown = true;
    await interrupted([readingAt(1)]);
    await interrupted([load], "--controllable-load");
    front.isDown = false;
    expect(await upload(["--drain", "--json"])).toMatchObject({ exitCode: 0, json: { stored: 2 } });
    const { rows } = await service.database.pool.query("delete from controllable_load returning kw");
    expect(rows).toEqual([{ kw: 9 }]);
    expect(await upload(["-"], { stdin: linesOf(readingAt(2)) })).toMatchObject({ exitCode: 0 });
  });

  test("come before those of the new key, though the service was away when it was first used", async () => {
    front.isDown = true;
    await interrupted([readingAt(1), readingAt(2)]);
    await rotated();
    await interrupted([readingAt(2, { kW: 20 })]);
    front.isDown = false;
    expect(await upload(["-"], { stdin: linesOf(readingAt(3)) })).toMatchObject({ exitCode: 0 });
    expect(await stored()).toEqual([1, 20, 3]);
  });

  test("go to the folder of the account from then on, also while the service is away", async () => {
    await upload(["-"], { stdin: linesOf(readingAt(1)) });
    const [home = ""] = readdirSync(state());
    await rotated();
    await upload(["-"], { stdin: linesOf(readingAt(2)) });
    front.isDown = true;
    expect((await interrupted([readingAt(3)])).stderr).toContain(`1 reading kept in ${join(state(), home)}`);
  });

  test.for(["a key", "a profile"])("are found in a folder that was named by %s", async (named) => {
    await keptIn(oldName(named === "a key" ? anna.key : "profile default"), readingAt(1), readingAt(2));
    await rotated();
    if (named === "a profile") await user.run(["login", "--url", front.url], { secret: anna.key });
    const options = named === "a profile" ? { environment: {} } : {};
    expect(await upload(["--drain", "--json"], options)).toMatchObject({ exitCode: 0, json: { stored: 2 } });
    expect(await stored()).toEqual([1, 2]);
  });

  test("in a folder without a note are not sent where another address is in use, too", async () => {
    await keptIn(oldName("an earlier key"), readingAt(1));
    await user.run(["login", "--url", service.url], { secret: anna.key });
    expect((await upload(["--drain"])).stderr).toContain("may not be of this account and address");
    expect(front.uploads).toEqual([]);
    await user.run(["logout"]);
    expect(await upload(["--drain", "--json"])).toMatchObject({ exitCode: 0, json: { stored: 1 } });
  });

  test("are named and not sent while something speaks against their account", async () => {
    const folder = oldName("an earlier key");
    await keptIn(folder, readingAt(1), readingAt(2, { meter_id: "mtr_stranger" }));
    const { exitCode, stderr } = await upload(["--drain"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`\`curtail upload --drain --spool ${join(state(), folder)}\` uploads them with this key`);
    expect(front.uploads).toEqual([]);
    // A pipe goes on; the words are the same.
    expect(await upload(["-"], { stdin: linesOf(readingAt(3)) })).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("may not be of this account"),
    });
    const asked = await upload(["--drain", "--spool", join(state(), folder), "--json"]);
    expect(asked).toMatchObject({ exitCode: 1, json: { stored: 1, set_aside_count: 1 } });
    expect(await stored()).toEqual([1, 3]);
  });

  test("of other sites are refused where a folder is named to be drained", async () => {
    const own = join(user.home, "own");
    front.isDown = true;
    await interrupted([readingAt(1)], "--spool", own);
    front.isDown = false;
    const of = { environment: { ...environment(), CURTAIL_API_KEY: (await service.newParticipant()).key } };
    const { exitCode, stderr } = await upload(["--drain", "--spool", own], of);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("keeps readings of other sites than those of this key");
    expect(front.uploads).toEqual([]);
  });
});

describe("a named folder that two accounts use", () => {
  test.for([
    ["the service knows the first one's key", false],
    ["the service has not answered any of them", true],
  ] as const)(
    "while the service is away, after %s, keeps and uploads the readings of each with its own key",
    async ([, isFirstUnknown]) => {
      const own = join(user.home, "own");
      const [annas, bert] = [anna, await service.newParticipant()];
      const as = (of: Participant, minute: number, kW = minute) => {
        actAs(of);
        return interrupted([readingAt(minute, { kW })], "--spool", own);
      };
      if (!isFirstUnknown) await upload(["-", "--spool", own], { stdin: linesOf(readingAt(0)) });
      front.isDown = true;
      await as(annas, 1);
      const berts = await as(bert, 1, 10);
      expect(berts.stderr).toMatch(/1 reading kept in \S+own\/upload-\w+/);
      await as(annas, 2);
      front.isDown = false;
      const second = await upload(["-", "--spool", own], {
        stdin: "",
        environment: { ...environment(), CURTAIL_API_KEY: bert.key },
      });
      expect(second).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("keeps readings of other sites") });
      actAs(bert);
      expect(await stored()).toEqual([10]);
      actAs(annas);
      expect(await upload(["--drain", "--spool", own, "--json"])).toMatchObject({ exitCode: 0, json: { stored: 2 } });
      expect(await stored()).toEqual([1, 2]);
    },
  );

  test("is drained by the second one of its own readings, and refused when nothing of them is left", async () => {
    const own = join(user.home, "own");
    const [annas, bert] = [anna, await service.newParticipant()];
    await upload(["-", "--spool", own], { stdin: linesOf(readingAt(0)) });
    front.isDown = true;
    await interrupted([readingAt(1)], "--spool", own);
    actAs(bert);
    await interrupted([readingAt(5)], "--spool", own);
    front.isDown = false;
    const drained = await upload(["--drain", "--spool", own, "--json"]);
    expect(drained).toMatchObject({ exitCode: 0, json: { stored: 1 } });
    expect(drained.stderr).toContain(
      `${own} keeps readings of other sites; those of this key are kept in ${own}/upload-`,
    );
    expect(await stored()).toEqual([5]);
    const again = await upload(["--drain", "--spool", own]);
    expect(again).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("of other sites than those of this key"),
    });
    actAs(annas);
    expect(await upload(["--drain", "--spool", own, "--json"])).toMatchObject({ exitCode: 0, json: { stored: 1 } });
    expect(await stored()).toEqual([1]);
  });

  test("control: in the folder itself, the second one's readings would be lost to their account", async () => {
    const own = join(user.home, "own");
    const bert = await service.newParticipant();
    front.isDown = true;
    // As an earlier version did: both keys write to one spool.
    await interrupted([readingAt(1), readingAt(1, { meter_id: bert.sites[0]?.meters[0] })], "--spool", own);
    front.isDown = false;
    const drained = await upload(["--drain", "--spool", own, "--json"]);
    expect(drained).toMatchObject({ exitCode: 1, json: { stored: 1, set_aside_count: 1 } });
  });

  test("a key that is rotated while the service is away is found to be of the folder's account", async () => {
    const own = join(user.home, "own");
    await upload(["-", "--spool", own], { stdin: linesOf(readingAt(0)) });
    front.isDown = true;
    await interrupted([readingAt(1)], "--spool", own);
    await rotated();
    await interrupted([readingAt(2), readingAt(1, { kW: 10 })], "--spool", own);
    front.isDown = false;
    expect(await upload(["-", "--spool", own], { stdin: linesOf(readingAt(3)) })).toMatchObject({ exitCode: 0 });
    expect(await stored()).toEqual([10, 2, 3]);
    front.isDown = true;
    expect((await interrupted([readingAt(4)], "--spool", own)).stderr).toContain(`1 reading kept in ${own};`);
  });
});

describe("what is refused of standard input", () => {
  test("of an earlier run has no number, and is shown itself", async () => {
    front.isDown = true;
    await upload(["-"], {
      stdin: linesOf(readingAt(1, { interval_seconds: 45 })),
      onNote: (text, interrupt) => (text.includes("trying again") ? interrupt() : undefined),
    });
    front.isDown = false;
    const { json, stderr } = await upload(["-", "--json"], { stdin: linesOf(readingAt(2, { interval_seconds: 75 })) });
    expect(json).toMatchObject({
      stored: 0,
      set_aside_count: 2,
      set_aside: [
        { index: null, reading: { interval_seconds: 45 } },
        { index: 0, reading: { interval_seconds: 75 } },
      ],
    });
    expect(stderr).toMatch(/^\{"meter_id":"mtr_.*: interval_seconds is 45/m);
  });

  test("is counted beyond what the answer lists", async () => {
    const lines = `${linesOf(readingAt(1))}${"no reading\n".repeat(1200)}`;
    const { json } = await upload(["-", "--json"], { stdin: lines });
    expect(json).toMatchObject({ stored: 1, set_aside_count: 1200 });
    expect(json.set_aside).toHaveLength(1000);
  });
});

describe("what comes before the first reading", () => {
  test("is set aside, and the readings are uploaded while the pipe stays open", async () => {
    const stdin = new PassThrough();
    const ran = upload(["-", "--json"], { stdin });
    stdin.write("meter reader 1.2, listening\n");
    stdin.write(linesOf(readingAt(1)));
    await expect.poll(stored).toEqual([1]);
    stdin.end();
    expect(await ran).toMatchObject({ exitCode: 1, json: { stored: 1, set_aside_count: 1 } });
  });

  test("is said to be read as a file while the pipe stays open; --format json is told of", async () => {
    const stdin = new PassThrough();
    const notes: string[] = [];
    const ran = upload(["-"], { stdin, onNote: (text) => void notes.push(text) });
    stdin.write("starting\n");
    await expect.poll(() => notes.at(-1)).toContain("with --format json");
    stdin.end(linesOf(readingAt(1)));
    expect(await ran).toMatchObject({ exitCode: 1, stdout: "1 reading stored, 1 set aside.\n" });
    expect(notes.at(-1)?.match(/--format json/g)).toHaveLength(1);
  });

  test("does not matter with --format json, nor a brace with --format csv", async () => {
    const stdin = "starting\n".repeat(150) + linesOf(readingAt(1));
    const { json } = await upload(["-", "--format", "json", "--json"], { stdin });
    expect(json).toMatchObject({ stored: 1, set_aside_count: 150 });
    const { stderr } = await upload(["-", "--format", "csv"], { stdin: linesOf(readingAt(1)) });
    expect(stderr).toMatch(/^curtail: line 1: /m);
  });
});

describe("meter data from standard input", () => {
  test("that is interrupted before its end is not kept, and that is said", async () => {
    const stdin = new PassThrough();
    stdin.write(csv);
    const ran = await upload(["-"], {
      stdin,
      onStart: async (interrupt) => {
        await expect.poll(() => stdin.readableLength).toBe(0);
        interrupt();
      },
    });
    expect(ran.exitCode).toBe(130);
    expect(ran.stderr).toContain("curtail: the input was not read to its end, and nothing of it is kept\n");
    expect(ran.stderr).toContain("curtail: nothing is left to upload\n");
  });

  test("is kept as it came until the service names the meters, over an interruption", async () => {
    front.isDown = true;
    const first = await upload(["-"], {
      stdin: csv,
      onNote: (text, interrupt) => (text.includes("the input is kept") ? interrupt() : undefined),
    });
    expect(first.exitCode).toBe(130);
    expect(first.stderr).toMatch(/curtail: the input is kept in .*; `curtail upload --drain --spool .*` uploads it\n$/);
    front.isDown = false;
    expect(await upload(["--drain", "--json"])).toMatchObject({ exitCode: 0, json: { stored: 2 } });
    expect(await stored()).toEqual([1, 2]);
    expect(readdirSync(join(spoolIn(), "inputs"))).toEqual([]);
  });

  test("of a site of several meters is uploaded as the options say, also by a later run", async () => {
    actAs(await service.newParticipant({ sites: [["main", "roof"]] }));
    front.isDown = true;
    await upload(["-", "--meter", anna.sites[0]?.meters[0] ?? "", "--timezone", "+02:00"], {
      stdin: csv.replaceAll("Z", "").replaceAll("T00:", "T02:").replace("main", "cellar"),
      onNote: (text, interrupt) => (text.includes("the input is kept") ? interrupt() : undefined),
    });
    front.isDown = false;
    expect(await upload(["--drain"])).toMatchObject({ exitCode: 0 });
    expect(await stored()).toEqual([1, 2]);
  });
});

test("controllable load has a spool of its own", async () => {
  const load = { site_id: anna.sites[0]?.id, interval_seconds: 300, timestamp: timeOf(5), units: "kW", value: 7 };
  front.isDown = true;
  await upload(["-", "--controllable-load"], {
    stdin: linesOf(load),
    onNote: (text, interrupt) => (text.includes("trying again") ? interrupt() : undefined),
  });
  expect(kept("controllable-load")).toContain("site_id");
  front.isDown = false;
  expect(await upload(["-"], { stdin: linesOf(readingAt(1)) })).toMatchObject({
    stdout: expect.stringMatching(/^1 reading stored/),
  });
  expect(await upload(["--drain", "--json"])).toMatchObject({ exitCode: 0, json: { stored: 1, set_aside: [] } });
  const { rows } = await service.database.pool.query("select kw from controllable_load");
  expect(rows).toEqual([{ kw: 7 }]);
});
