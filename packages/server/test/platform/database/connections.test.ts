import { expect, test } from "vitest";
import { SERVICE_CONNECTIONS } from "../../support/database.js";
import { closeKept } from "../../support/kept-client.js";
import { running } from "../../support/running.js";

test("a service opens about twice the connections that its requests may use", async () => {
  const service = await running();
  // Those that services of other tests left open.
  await closeKept(service.database.connection.database);
  const { call } = await service.newParticipant();
  await Promise.all(Array.from({ length: 100 }, () => call("GET", "/sites")));
  const { rows } = await service.database.pool.query<{ count: number }>(
    "select count(*)::int from pg_stat_activity where datname = current_database() and application_name = 'curtail'",
  );
  expect(rows[0]?.count).toBeGreaterThanOrEqual(SERVICE_CONNECTIONS);
  // Of few connections the shares of queues, VENs, followers and the sandbox are rounded up.
  expect(rows[0]?.count).toBeLessThanOrEqual(2 * SERVICE_CONNECTIONS + 5);
});
