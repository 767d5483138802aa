import { describe, expect, test } from "vitest";
import { type DatabaseNode, nodeAdvice, nodeConditions, nodeFaults } from "../../src/platform/database-nodes.js";

const good = { version: 150_004, fsync: "on", commit: "on", prepared: 100, recoverMs: 1000, log: "logical" };
const node = (settings: Partial<typeof good> | null, shards = 8): DatabaseNode => ({
  name: "10.0.0.42:5432",
  isCoordinator: false,
  shards,
  settings: settings === null ? null : { ...good, ...settings },
});

describe("a node of a distributed database", () => {
  test.for([
    [{ fsync: "off" }, "at 10.0.0.42:5432 fsync is off; set fsync = on"],
    [{ commit: "off" }, "at 10.0.0.42:5432 synchronous_commit is off; set synchronous_commit = on for Curtail's user"],
    [{ prepared: 0 }, "at 10.0.0.42:5432 max_prepared_transactions is 0; set it to max_connections of the coordinator"],
    [{ version: 140_011 }, "at 10.0.0.42:5432 its version is older than PostgreSQL 15; upgrade it"],
  ] as const)("would lose what was answered, or cannot commit: %j", ([settings, fault]) => {
    expect(nodeFaults(node(settings))).toEqual([fault]);
  });

  test("has no fault as it should be, with a replicated commit, or while nobody knows", () => {
    expect([node({}), node({ commit: "remote_apply" }), node(null)].flatMap(nodeFaults)).toEqual([]);
  });

  test("raises the alarm while it cannot be reached, with what that means", () => {
    expect(nodeConditions([node({}), node(null, 3)])).toEqual([
      {
        kind: "database_node_away",
        subject: "node 10.0.0.42:5432",
        accountId: null,
        message: expect.stringMatching(/^The database node 10\.0\.0\.42:5432 cannot be reached: .* in its 3 shards/),
      },
    ]);
  });

  test.for([
    [2000, 8, 8, []],
    [2001, 8, 8, ["set citus.recover_2pc_interval = '1s'"]],
    [-1, 8, 8, ["set citus.recover_2pc_interval = '1s'"]],
    [1000, 9, 8, ["set citus.max_cached_conns_per_worker = 9 on the coordinator"]],
  ] as const)(
    "with recovery every %i ms, %i shards and %i kept connections is advised: %j",
    ([recoverMs, shards, cachedConnections, advice]) => {
      const found = nodeAdvice({ nodes: [node({ recoverMs }, shards), node(null)], cachedConnections });
      expect(found.map(([, what]) => what)).toEqual(advice);
    },
  );

  test("whose log is not logical is slow to move shards from", () => {
    const [[detail, advice] = []] = nodeAdvice({ nodes: [node({ log: "replica" })], cachedConnections: 8 });
    expect([detail, advice]).toEqual([
      "10.0.0.42:5432 has wal_level = replica: moving its shards blocks uploads",
      "set wal_level = logical",
    ]);
  });
});
