import type { CommandIo } from "@curtail/cli";
import { doctorOfService } from "../../src/app/commands/doctor.js";
import type { Running } from "./running.js";
import { OPERATOR_TOKEN } from "./running.js";

/** A check, as it is printed as JSON. */
export interface PrintedCheck {
  readonly name: string;
  readonly result: string;
  readonly detail: string;
  readonly advice: string | null;
}

/** What a run of `curtail doctor service` printed, and its exit code. */
export interface DoctorRan {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly checks: readonly PrintedCheck[];
}

class Left extends Error {
  constructor(readonly code: number) {
    super(`left with ${code}`);
  }
}

/** Runs `curtail doctor service` with these settings. */
export const doctorRun = async (
  settings: Readonly<Record<string, string>>,
  { isJson = true }: { readonly isJson?: boolean } = {},
): Promise<DoctorRan> => {
  const written = { stdout: "", stderr: "" };
  const output = (name: keyof typeof written) => ({ write: (data: unknown) => void (written[name] += String(data)) });
  const io: CommandIo = {
    stdout: output("stdout"),
    stderr: output("stderr"),
    now: () => new Date(),
    wait: async () => {},
    onInterrupt: () => () => {},
    leave: (code) => {
      throw new Left(code);
    },
  };
  const exitCode = await doctorOfService(io, settings, isJson).then(
    () => 0,
    (error: unknown) => {
      if (error instanceof Left) return error.code;
      throw error;
    },
  );
  const checks = isJson ? (JSON.parse(written.stdout) as { checks: PrintedCheck[] }).checks : [];
  return { exitCode, ...written, checks };
};

/** How a database of the tests is named in `DATABASE_URL`. */
export const databaseUrl = ({ database }: Pick<Running, "database">): string => {
  const { host, port, user, database: name } = database.connection;
  return `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
};

/** The settings of a service that runs in tests. */
export const settingsOf = (service: Pick<Running, "database" | "dataDir" | "url">): Record<string, string> => ({
  CURTAIL_DATA_DIR: service.dataDir,
  CURTAIL_PUBLIC_URL: service.url,
  CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
  DATABASE_URL: databaseUrl(service),
});

/** `name result` of each check. */
export const resultsOf = ({ checks }: DoctorRan): readonly string[] =>
  checks.map(({ name, result }) => `${name} ${result}`);
