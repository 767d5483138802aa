/** The service's log, of which each part takes what it writes. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export type FaultLog = Pick<Log, "error" | "warn">;
