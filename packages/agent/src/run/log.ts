type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes what happens, one line each. */
export interface Log {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
}

export const createLog = (form: "words" | "json", write: (line: string) => void, now: () => number): Log => {
  const line = (level: string, message: string, fields: Fields): void => {
    const time = new Date(now()).toISOString();
    write(
      form === "json" ? JSON.stringify({ time, level, message, ...fields }) : inWords(time, level, message, fields),
    );
  };
  return {
    info: (message, fields = {}) => line("info", message, fields),
    warn: (message, fields = {}) => line("warn", message, fields),
  };
};

const inWords = (time: string, level: string, message: string, fields: Fields): string => {
  const details = Object.entries(fields).map(([name, value]) => ` ${name}=${value ?? ""}`);
  return `${time} ${level === "warn" ? "WARNING " : ""}${message}${details.join("")}`;
};

/** Tells a state only when it changes: a device that is away for a night is one line, not thousands. */
export class ChangeLog {
  private readonly last = new Map<string, string>();

  constructor(private readonly log: Log) {}

  /** null: all is well again. */
  note(subject: string, trouble: string | null): void {
    const before = this.last.get(subject) ?? null;
    if (before === trouble) return;
    if (trouble === null) {
      this.last.delete(subject);
      this.log.info(`${subject}: all right again`);
      return;
    }
    this.last.set(subject, trouble);
    this.log.warn(`${subject}: ${trouble}`);
  }
}
