import { readFileSync } from "node:fs";
import { changeSchedule, operator } from "@curtail/contract";
import { freePort } from "@curtail/testing/free-port";
import { receiver } from "@curtail/testing/receiver";
import { describe, expect, test } from "vitest";
import { saveBackupState } from "../../../src/backup/storage/backup-state-store.js";
import { alarmKinds, alarmWords } from "../../../src/platform/alarm.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { httpClient } from "../../support/http-client.js";
import { firstOf, kwReading, upload } from "../../support/metering.js";
import { freshMetrics } from "../../support/metrics.js";
import { alertRules, dashboard, dashboardQueries, faultsOf, ruleQueries } from "../../support/monitoring-examples.js";
import { goodCall, namesOf } from "../../support/participant-calls.js";
import { type Scraped, scraped, selectorsIn } from "../../support/promql.js";
import { recorded } from "../../support/recorded.js";
import { type Running, running } from "../../support/running.js";
import { subscribe } from "../../support/unreachable.js";
import { listeningToVens } from "../../support/vens.js";

let known: Promise<Scraped> | undefined;

/** What a service that was used shows; once for all tests. */
const metrics = (): Promise<Scraped> => (known ??= scrapeUsed());

const scrapeUsed = async (): Promise<Scraped> => {
  // Nothing takes emails there.
  const service = await running({ CURTAIL_SMTP_URL: `smtp://127.0.0.1:${await freePort()}` });
  await useEverything(service);
  return scraped(await freshMetrics(service));
};

/** A label has a value once something was counted. */
const useEverything = async (service: Running): Promise<void> => {
  const [anna, bert] = [await service.newParticipant(), await service.newParticipant()];
  await upload(anna, [kwReading(firstOf(anna).meterId, service.clock.now().toISOString(), 1)]);
  await anna.call("GET", "/dispatches");
  const { method, path, body } = goodCall(changeSchedule, namesOf(anna, ""), service.clock);
  await bert.call(method, path, body);
  await httpClient(service.url)("GET", "/operator/v1/accounts", undefined, { authorization: "Bearer wrong" });
  await (await (await listeningToVens(service)).newVen(anna)).poll();
  const hook = await receiver();
  await subscribe(anna, hook);
  hook.answer = 503;
  const carl = await service.newParticipant();
  await service.made(operator.createContact, {
    params: { id: carl.accountId },
    body: { name: "Carl", email: "carl@mills.example" },
  });
  const { id } = await newDispatch(service, await newProgram(service, [anna, carl]));
  await recorded(service, id, 1);
  await expect.poll(() => freshMetrics(service), { timeout: 20_000 }).toContain("curtail_mail_attempts_total{");
  const madeAt = service.clock.now();
  await saveBackupState(service.database.pool, { madeAt, triedAt: madeAt, failure: null, directory: "/backups" });
};

test("every metric, label and value that the alert rules ask for exists", async () => {
  const asked = await metrics();
  expect(ruleQueries.length).toBeGreaterThan(15);
  expect(ruleQueries.flatMap((query) => faultsOf(query, asked))).toEqual([]);
});

test("every metric, label and value that the dashboard asks for exists", async () => {
  const asked = await metrics();
  expect(dashboardQueries.length).toBeGreaterThan(20);
  expect(dashboardQueries.flatMap((query) => faultsOf(query, asked))).toEqual([]);
});

test.for([
  ["curtail_table_bytes > 1", "curtail_table_bytes"],
  ['sum by (kind) (curtail_open_alarms{job="curtail"}) > sum by (account) (curtail_open_alarms)', "account"],
  ['curtail_open_alarms{kind=~"disk_low|disk_full"}', 'curtail_open_alarms{kind="disk_full"}'],
  ['rate(curtail_webhook_attempts_total{outcome="failure"}[5m])', "curtail_webhook_attempts_total{outcome}"],
  [
    'rate(curtail_http_request_duration_seconds_count{route=~"/.+/readings"}[5m])',
    'curtail_http_request_duration_seconds_count{route="/.+/readings"}',
  ],
] as const)("a query for what does not exist is found: %s", async ([query, fault]) => {
  expect(faultsOf({ where: "A", query, named: [] }, await metrics())).toEqual([`A: ${fault}`]);
});

test("a text that names a label that is not there is found", async () => {
  expect(faultsOf({ where: "A", query: "curtail_open_alarms", named: ["kind", "site"] }, await metrics())).toEqual([
    "A: site",
  ]);
});

test("every alert has its section in docs/monitoring.md, and links it or the kind in the runbook", () => {
  const page = readFileSync(new URL("../../../../../docs/monitoring.md", import.meta.url), "utf8");
  expect([...page.matchAll(/^### (.+)$/gm)].map(([, alert]) => alert)).toEqual(alertRules.map(({ alert }) => alert));
  for (const { alert, annotations } of alertRules) {
    const section = alert.startsWith("CurtailAlarm")
      ? "runbook.html#{{ $labels.kind }}"
      : `monitoring.html#${alert.toLowerCase()}`;
    expect(annotations.runbook_url).toBe(`https://curtail.example.com/docs/${section}`);
  }
});

/** Kinds of alarms that an alert is about. */
const kindsOf = (alert: string): readonly string[] => {
  const rule = alertRules.find((each) => each.alert === alert);
  const [matcher] = selectorsIn(rule?.expr ?? "").flatMap(({ matchers }) =>
    matchers.filter(({ label }) => label === "kind"),
  );
  const named = new Set(matcher?.value.split("|"));
  return alarmKinds.filter((kind) => named.has(kind) === (matcher?.operator === "=~"));
};

describe("alerts about alarms", () => {
  test.for([
    ["CurtailAlarmUrgent", 1],
    ["CurtailAlarmSoon", 2],
    ["CurtailAlarm", 3],
  ] as const)("%s is of the kinds of priority %i", ([alert, priority]) => {
    expect(kindsOf(alert)).toEqual(alarmKinds.filter((kind) => (alarmWords(kind)?.priority ?? 3) === priority));
  });
});

test("panels of the dashboard have ids of their own, and read the source that is chosen", () => {
  const { panels, templating } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(templating.list).toMatchObject([{ name: "datasource", type: "datasource", query: "prometheus" }]);
  expect(panels.flatMap(({ datasource }) => datasource?.uid ?? []).filter((uid) => uid !== "${datasource}")).toEqual(
    [],
  );
});
