import { readdir, readFile } from "node:fs/promises";
import { operator } from "@curtail/contract";
import { beforeAll, expect, test } from "vitest";
import { type Running, running } from "../../support/running.js";

// G70: a zone is known by one spelling, whatever was sent.
let service: Running;

beforeAll(async () => {
  service = await running();
});

test("programs and sites keep a zone in its own spelling, and another spelling of it is no change", async () => {
  const settings = { market: "EEX", program_type: "capacity" } as const;
  const program = await service.made(operator.createProgram, {
    body: { name: "Zones", timezone: "europe/berlin", ...settings },
  });
  expect(program.timezone).toBe("Europe/Berlin");
  const changed = await service.made(operator.changeProgram, {
    params: { id: program.id },
    body: { timezone: "EUROPE/BERLIN" },
  });
  expect(changed.timezone).toBe("Europe/Berlin");
  const account = await service.made(operator.createAccount, { body: { name: "Zones" } });
  const site = await service.made(operator.createSite, {
    params: { id: account.id },
    body: { name: "S", timezone: "asia/kolkata" },
  });
  expect(site.timezone).toBe("Asia/Kolkata");
  const moved = await service.made(operator.changeSite, { params: { id: site.id }, body: { timezone: "us/central" } });
  expect(moved.timezone).toBe("US/Central");
  const { items } = (await service.operator(operator.listAudit, { query: { limit: 500 } })).body;
  expect(items.filter(({ action }) => action === "program.change")).toEqual([]);
});

test("the migration spells the zones of programs and sites that exist, and leaves what is no other spelling", async () => {
  const { pool } = service.database;
  await pool.query("update programs set timezone = 'america/CHICAGO'");
  await pool.query("update sites set timezone = 'no/such zone'");
  const folder = new URL("../../../migrations/", import.meta.url);
  const file = (await readdir(folder)).find((name) => name.endsWith("_zone_names.sql")) ?? "";
  await pool.query(await readFile(new URL(file, folder), "utf8"));
  const { rows } = await pool.query("select timezone from programs union select timezone from sites order by 1");
  expect(rows).toEqual([{ timezone: "America/Chicago" }, { timezone: "no/such zone" }]);
});
