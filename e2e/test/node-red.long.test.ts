import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium, test as testPage } from "./support/chromium.js";
import { type InstalledNodeRed, installedNodeRed, type JournalLine, NodeRed, RELEASES } from "./support/node-red.js";
import { fieldNames, inForm, openEditor, paletteOf } from "./support/node-red-editor.js";
import { newParticipant, newProgram, operate, type Participant, readPoints } from "./support/participant.js";
import { type ReturningService, returningService } from "./support/returning-service.js";
import { temporaryFolder } from "./support/service-process.js";

const installed = await Promise.all(
  RELEASES.map(async (release) => ({ name: release.name, found: await installedNodeRed(release) })),
);

const HALF_MINUTE = 30_000;
const textAt = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
/** Ends of intervals in the past, for readings that tests send. */
const past = (intervals: number): string => textAt((Math.floor(Date.now() / HALF_MINUTE) - intervals) * HALF_MINUTE);
/** Far enough ahead for any program. */
const blockedFrom = textAt(Date.now() + 10 * 24 * 3_600_000);
const [answeredAt, awayAt] = [past(4), past(3)];

const writing = (id: string, func: string, more: object = {}) => ({
  id,
  type: "function",
  func: `const line = ${func};\nreturn { payload: JSON.stringify(line) };`,
  wires: [["journal"]],
  ...more,
});
const pressed = (id: string, payload: object, wires: readonly string[]) => ({
  id,
  type: "inject",
  z: "tab",
  props: [{ p: "payload" }],
  repeat: "",
  once: false,
  payload: JSON.stringify(payload),
  payloadType: "json",
  wires: [wires],
});

/** A site that answers each signal with a reading, and a journal of everything that the nodes say. */
const flowOf = (journal: string, url: string, { sites: [site] }: Participant) => {
  // Polls come too late for the tests: the stream wakes them.
  const dispatch = { type: "curtail-dispatch", interval: "300", overlaps: "sum", site: "" };
  const answer = { interval_seconds: 30, timestamp: answeredAt, kW: 60 };
  const nodes = [
    { ...dispatch, id: "dispatch", server: "server", wires: [["change"], ["signal", "answer"]] },
    { ...dispatch, id: "stranger", server: "wrong", wires: [[], []] },
    {
      id: "telemetry",
      type: "curtail-telemetry",
      server: "server",
      list: "telemetry",
      sourceType: "meter_id",
      source: site?.meterId,
      interval: "30",
      limit: "1",
      wires: [["stored"], ["refused"]],
    },
    {
      id: "load",
      type: "curtail-telemetry",
      server: "server",
      list: "controllable_load",
      sourceType: "site_id",
      source: site?.id,
      interval: "60",
      limit: "1",
      wires: [["loaded"], ["refused"]],
    },
    { id: "schedule", type: "curtail-schedule", server: "server", site: site?.id, wires: [["block"]] },
    writing("change", "{ change: msg.topic, dispatch: msg.payload.id }"),
    writing("signal", "{ site: msg.topic, curtail: msg.payload, commitment: msg.commitment, name: msg.site.name }"),
    { id: "answer", type: "function", func: `return { payload: ${JSON.stringify(answer)} };`, wires: [["telemetry"]] },
    writing("stored", "msg.payload"),
    writing("loaded", "{ loaded: msg.payload.stored }"),
    writing("refused", "{ refused: msg.payload.kW, reason: msg.reason }"),
    writing("block", "{ blocked: msg.payload.start_time }"),
    writing("said", "{ node: msg.status.source.id, fill: msg.status.fill, text: msg.status.text }"),
    { id: "status", type: "status", scope: null, wires: [["said"]] },
    writing("failed", "{ failed: msg.error.message }"),
    { id: "catch", type: "catch", scope: ["schedule"], wires: [["failed"]] },
    pressed("away", { interval_seconds: 30, timestamp: awayAt, kW: 70 }, ["telemetry"]),
    pressed(
      "faulty",
      [
        { timestamp: awayAt, kW: 5, meter_id: "mtr_none" },
        { timestamp: awayAt, kW: 70 },
      ],
      ["telemetry"],
    ),
    pressed("free", { start_time: Date.parse(blockedFrom), end_time: Date.parse(blockedFrom) + HALF_MINUTE }, [
      "schedule",
    ]),
    pressed("forecast", { value: 20, timestamp: blockedFrom }, ["load"]),
    pressed("late", { start_time: "2020-01-01T00:00:00Z", end_time: "2020-01-02T00:00:00Z" }, ["schedule"]),
    pressed("asked", {}, ["dispatch"]),
    {
      id: "journal",
      type: "file",
      filename: journal,
      filenameType: "str",
      appendNewline: true,
      overwriteFile: "false",
      wires: [[]],
    },
  ];
  return [
    { id: "tab", type: "tab", label: "site" },
    { id: "server", type: "curtail-server", url: `${url}/2022-04-15/` },
    { id: "wrong", type: "curtail-server", url },
    // Without a place on the tab, they would be configuration nodes.
    ...nodes.map((node, at) => ({ z: "tab", x: 100, y: 50 * (at + 1), ...node })),
  ];
};

/** Tests the nodes in a release; null: it is not here. */
const testNodes = (found: InstalledNodeRed | null): void => {
  let service: ReturningService;
  let participant: Participant;
  let nodeRed: NodeRed;

  beforeAll(async () => {
    service = await returningService();
    participant = await newParticipant(service.url, 1);
    const { path, remove } = await temporaryFolder();
    atEnd(remove);
    if (found === null) throw new Error("there is nothing to start");
    nodeRed = await NodeRed.start(found, path, {
      of: (journal) => flowOf(journal, service.url, participant),
      credentials: { server: { key: participant.key }, wrong: { key: "ctp_wrong" } },
    });
    atEnd(() => nodeRed.end("SIGTERM"));
  }, 60_000);

  /** Lines of the journal with a member of this name. */
  const lines = async (member: string): Promise<readonly JournalLine[]> =>
    (await nodeRed.journal()).filter((line) => member in line);
  const statusOf = async (node: string): Promise<JournalLine | undefined> =>
    (await lines("node")).findLast((line) => line["node"] === node);
  const kWAt = async (timestamp: string): Promise<number | undefined> => {
    const window = { start: past(20), end: textAt(Date.now()) };
    const points = await readPoints(service.url, participant, window);
    return points.get(participant.sites[0]?.meterId ?? "")?.find((point) => point.timestamp === timestamp)?.value;
  };

  test("a wrong key is said under the node", async () => {
    await expect
      .poll(() => statusOf("stranger"))
      .toMatchObject({ fill: "red", text: expect.stringContaining("the key is refused") });
  });

  test("a flow answers a dispatch, and goes on after it was killed, without telling anything twice", async () => {
    const program_id = await newProgram(service.url);
    const site_id = participant.sites[0]?.id ?? "";
    const { id } = await operate(service.url, operator.createDispatch, {
      body: { program_id, start_time: textAt(Date.now() + 2000), sites: [{ site_id, commitment: 40 }] },
    });
    await expect.poll(() => lines("change")).toEqual([{ change: "created", dispatch: id }]);
    const start = { site: site_id, curtail: true, commitment: 40, name: "Site 0" };
    await expect.poll(() => lines("curtail")).toEqual([start]);
    await expect
      .poll(() => statusOf("dispatch"))
      .toMatchObject({ fill: "green", text: expect.stringContaining("until further notice") });
    await expect.poll(() => kWAt(answeredAt)).toBe(60);

    await nodeRed.end("SIGKILL");
    await operate(service.url, operator.changeDispatch, { params: { id }, body: { authorized: false } });
    await nodeRed.startAgain();
    const end = { site: site_id, curtail: false, commitment: 0, name: "Site 0" };
    await expect.poll(() => lines("curtail")).toEqual([start, end]);
    await expect.poll(() => statusOf("dispatch")).toMatchObject({ fill: "grey", text: "no dispatch" });
    await nodeRed.inject("asked");
    await expect.poll(() => lines("curtail")).toEqual([start, end, end]);
    expect((await lines("change")).map(({ change }) => change)).toEqual(["created", "cancelled"]);
  });

  test("readings wait on disk while the service is away, over a kill of Node-RED", async () => {
    await service.whileAway(async () => {
      await nodeRed.inject("away");
      const waits = { fill: "red", text: expect.stringMatching(/^\d+ waiting: .*ECONNREFUSED/) };
      await expect.poll(() => statusOf("telemetry")).toMatchObject(waits);
      await nodeRed.end("SIGKILL");
      await nodeRed.startAgain();
    });
    await expect.poll(() => kWAt(awayAt)).toBe(70);
    await expect.poll(() => statusOf("telemetry")).toMatchObject({ fill: "green" });
  });

  test("a reading that the service refuses comes out of the second output, and the others are stored", async () => {
    const before = (await lines("stored")).length;
    await nodeRed.inject("faulty");
    await expect
      .poll(() => lines("refused"))
      .toEqual([{ refused: 5, reason: expect.stringMatching(/^meter_id names no meter/) }]);
    await expect.poll(async () => (await lines("stored")).slice(before)).toEqual([{ stored: 1, waiting: 0 }]);
  });

  test("a block that is refused goes to a Catch node with the service's reason", async () => {
    await nodeRed.inject("late");
    await expect.poll(() => lines("failed")).toEqual([{ failed: expect.stringContaining("400: ") }]);
  });

  test("a site is blocked for a period, and its controllable load is forecast", async () => {
    await nodeRed.inject("free");
    await nodeRed.inject("forecast");
    await expect.poll(() => lines("blocked")).toEqual([{ blocked: blockedFrom }]);
    await expect.poll(() => lines("loaded")).toEqual([{ loaded: 1 }]);
  });

  test("the editor has a form and a help text for each node, and words for every label", async () => {
    const page = await nodeRed.editorPage();
    for (const type of ["server", "dispatch", "telemetry", "schedule"])
      for (const part of ["data-template-name", "data-help-name"]) expect(page).toContain(`${part}="curtail-${type}"`);
    const form = page.slice(page.indexOf('data-template-name="curtail-'));
    const labels = [...form.matchAll(/data-i18n="(?:\[[\w-]+\])?((?:label|option|placeholder)\.\w+)"/g)].map(
      ([, key = ""]) => key,
    );
    const words = await nodeRed.catalogue();
    expect(labels.length).toBeGreaterThan(20);
    for (const label of labels) {
      const [group = "", name = ""] = label.split(".");
      expect(words[group]?.[name], label).toMatch(/\w/);
    }
  });

  testPage.skipIf(!hasChromium)(
    "the editor offers the nodes, and opens their forms with a name for each field",
    async ({ browser }) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
      const faults: string[] = [];
      await openEditor(page, nodeRed.url, faults);
      await expect.poll(() => paletteOf(page, "Curtail")).toEqual(["dispatch", "schedule", "telemetry"]);
      await inForm(page, "dispatch", async () => {
        expect(await fieldNames(page)).toEqual(["Name", "Server", "Site", "Poll every", "Overlaps"]);
      });
      await inForm(page, "telemetry", async () => {
        const source = ["Whether it is a meter or a site", "Meter or site"];
        const names = ["Name", "Server", "Send as", ...source, "Interval", "Keep at most"];
        expect(await fieldNames(page)).toEqual(names);
      });
      await inForm(page, "schedule", async () => {
        expect(await fieldNames(page)).toEqual(["Name", "Server", "Site"]);
        await page.locator("#node-input-btn-server-edit").click();
        await page.getByLabel("Address").waitFor();
        expect(await fieldNames(page)).toEqual(["Name", "Address", "API key", "Key header"]);
        await page.locator("#node-config-dialog-cancel").click();
      });
      expect(faults).toEqual([]);
      await page.close();
    },
  );
};

for (const { name, found } of installed)
  describe.skipIf(found === null)(`the nodes in ${name}`, () => testNodes(found));
