/** Every setting of the server, in one place: nothing is written to postgresql.conf. */
const serverSettings = {
  // A reading answered with 200 is evidence: nothing is acknowledged before it is on disk.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // Whole hours of telemetry are rewritten in place: most of the WAL is full pages, which compress well.
  wal_compression: "on",
  max_wal_size: "2GB",
  checkpoint_timeout: "15min",

  shared_buffers: "256MB",
  max_connections: "60",
  jit: "off", // our statements are short; compiling them costs more than it saves
  random_page_cost: "1.1", // solid state disks
  autovacuum_naptime: "15s", // few hot tables, updated constantly

  timezone: "UTC",
  log_timezone: "UTC",
  log_destination: "stderr",
  logging_collector: "off",
  log_line_prefix: "",
  log_min_messages: "warning",
  log_checkpoints: "off",
  // DETAIL and STATEMENT lines quote rows and SQL; logs must not have keys, bodies or meter values.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
  cluster_name: "curtail",

  listen_addresses: "",
  unix_socket_permissions: "0700",
} as const;

export function settingArguments(extra: Readonly<Record<string, string>>): string[] {
  return Object.entries({ ...serverSettings, ...extra }).flatMap(([name, setting]) => ["-c", `${name}=${setting}`]);
}
