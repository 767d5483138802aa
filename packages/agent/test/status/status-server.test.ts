import { afterEach, beforeEach, expect, test } from "vitest";
import type { OverrideCommand } from "../../src/control/override-command.js";
import type { Status } from "../../src/status/status.js";
import { type StatusServer, serveStatus } from "../../src/status/status-server.js";

const healthy: Status = {
  at: "2026-07-01T12:00:00.000Z",
  started_at: "2026-07-01T11:00:00.000Z",
  dry_run: false,
  disk_fault: null,
  service: {
    url: "https://curtail.example.com",
    contact_at: "2026-07-01T11:59:50.000Z",
    is_lost: false,
    fault: null,
    key_fault: null,
    clock_ahead_seconds: 0,
  },
  upload: { waiting: 3, unstored: 0, refused: 0, dropped: 0, fault: null, disk_fault: null, warnings: [] },
  sites: [
    {
      id: "site_1",
      name: "<Mill>",
      phase: "curtailing",
      cause: "dispatch",
      commitment_kw: 120,
      outlook: { announced: false, next_start: null, next_end: null, asked_kw: 120 },
      override: null,
      dispatches: [
        { id: "dis_1", start_time: "2026-07-01T11:50:00.000Z", end_time: null, commitment_kw: 120, test: false },
      ],
      meters: [{ id: "mtr_1", name: "grid", kw: 300, at: "2026-07-01T11:59:59.000Z", note: null, reading_at: null }],
      outputs: [
        { name: "limit", wanted: 180, written: 180, written_at: "2026-07-01T11:50:01.000Z", found: 500, fault: null },
      ],
    },
  ],
};

let status: Status;
let given: Array<{ siteId: string; command: OverrideCommand }>;
let server: StatusServer;
let url: string;

beforeEach(async () => {
  status = healthy;
  given = [];
  server = await serveStatus(0, {
    status: () => status,
    override: (siteId, command) => {
      given.push({ siteId, command });
      return siteId === "site_1" ? null : `there is no site ${siteId}`;
    },
  });
  url = `http://127.0.0.1:${server.port}`;
});

afterEach(() => server.close());

test("the page shows what is so, and names from the configuration are text", async () => {
  const page = await (await fetch(url)).text();
  expect(page).toContain("&lt;Mill&gt;: curtailing");
  expect(page).not.toContain("<Mill>");
  for (const text of ["Readings to upload: 3", "dis_1", "open", "180", "300"]) expect(page).toContain(text);
});

test("the page shows what production would refuse, as text", async () => {
  status = {
    ...healthy,
    upload: { ...healthy.upload, warnings: ['meter_id is "<7>", which is no meter of the sandbox'] },
  };
  const page = await (await fetch(url)).text();
  expect(page).toContain(
    'Warning: <span class="fault">meter_id is &quot;&lt;7&gt;&quot;, which is no meter of the sandbox',
  );
});

test("the same is there as JSON", async () => {
  expect(await (await fetch(`${url}/status.json`)).json()).toEqual(healthy);
});

const health = async () => {
  const response = await fetch(`${url}/healthz`);
  return [response.status, (await response.text()).trim()];
};

test("health is bad without contact, and while an output cannot be written", async () => {
  expect(await health()).toEqual([200, "ok"]);
  status = { ...healthy, service: { ...healthy.service, is_lost: true } };
  expect(await health()).toEqual([503, "no contact with https://curtail.example.com"]);
  const [site] = healthy.sites;
  if (site === undefined) throw new Error("there is no site");
  const outputs = site.outputs.map((output) => ({ ...output, fault: "no answer" }));
  status = { ...healthy, sites: [{ ...site, outputs }] };
  expect(await health()).toEqual([503, "<Mill>, limit: no answer"]);
});

test("a disk that takes nothing is shown, and health is bad", async () => {
  const disk_fault = "ENOSPC: no space left on device, write";
  status = { ...healthy, disk_fault, upload: { ...healthy.upload, unstored: 12 } };
  expect(await health()).toEqual([503, `the disk: ${disk_fault}`]);
  const page = await (await fetch(url)).text();
  for (const text of ["readings in memory only: 12", disk_fault]) expect(page).toContain(text);
});

const post = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${url}/override`, { method: "POST", body: new URLSearchParams(form), headers, redirect: "manual" });

test("an override is taken with who gives it and how long; a wrong one says what is wrong", async () => {
  const form = { site: "site_1", mode: "normal", who: "Anna", minutes: "60" };
  expect((await post(form)).status).toBe(303);
  expect(given).toEqual([{ siteId: "site_1", command: { mode: "normal", who: "Anna", minutes: 60 } }]);
  expect((await post({ ...form, mode: "auto", minutes: "" })).status).toBe(303);
  expect(given.at(-1)?.command).toEqual({ mode: null, who: "Anna", minutes: null });
  const texts = [{ mode: "off" }, { minutes: "0" }, { minutes: "soon" }, { site: "site_2" }].map(async (wrong) => {
    const response = await post({ ...form, ...wrong });
    return `${response.status} ${(await response.text()).trim()}`;
  });
  expect(await Promise.all(texts)).toEqual([
    "400 mode must be one of normal, curtail, auto",
    "400 minutes must be from 1 to 10080",
    "400 minutes must be from 1 to 10080",
    "400 there is no site site_2",
  ]);
});

test("pages of other sites can neither read the status nor send overrides", async () => {
  const form = { site: "site_1", mode: "normal", who: "Mallory", minutes: "60" };
  expect((await post(form, { origin: "https://evil.example" })).status).toBe(403);
  expect((await post(form, { origin: "http://localhost.evil.example" })).status).toBe(403);
  expect(given).toEqual([]);
});

test("a form that is too long is cut off", async () => {
  await expect(post({ site: "site_1", mode: "normal", who: "x".repeat(100_000) })).rejects.toThrow();
  expect(given).toEqual([]);
});
